import { type FacescanError, NetworkError, ServiceError } from '../base/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { expiryOf } from './expiry.ts'
import type { HttpCredential } from './request.ts'

/** Whether a person can safely repeat the call. */
export function isRepeatable({ retry, effect }: Endpoint): boolean {
  return retry !== 'once' || effect === 'read'
}

/** Adds the source of a refused credential, or a warning that a change without a reply may have been applied. */
export function explainFailure(
  failure: FacescanError,
  endpoint: Endpoint,
  credential: HttpCredential | undefined,
  now: number,
): FacescanError {
  const { code, message, details } = failure
  if (credential && (code === 'unauthenticated' || code === 'forbidden')) {
    return new ServiceError(code, message, { ...details, hint: explainCredential(credential, now) })
  }
  if (code === 'not_found' && namesUser(endpoint) && !details.hint)
    return new ServiceError(code, message, { ...details, hint: checkId })
  const isUnclear = details.applied === 'maybe' && endpoint.effect !== 'read'
  // Repeating a repeatable change is safe, so the hint about the failure is more useful.
  if (!isUnclear || (endpoint.retry !== 'once' && details.hint !== undefined)) return failure
  const unsure = { ...details, retryable: false, hint: maybeDone }
  return failure instanceof NetworkError
    ? new NetworkError(message, false, unsure)
    : new ServiceError(code, message, unsure)
}

const checkId = 'Check the ID, or create the user: facescan users create'

/** Whether a 404 can mean an unknown user. The wording of the reply differs between services, so it is not used. */
function namesUser({ user, path }: Endpoint): boolean {
  return user !== undefined || path.includes('{user_id}')
}

/** Hint for a refused credential: its source, and its expiry if it is an expired action token. */
function explainCredential({ kind, value, source }: HttpCredential, now: number): string {
  const expiry = kind === 'token' ? expiryOf(value) : undefined
  if (expiry !== undefined && Date.parse(expiry) <= now)
    return `The action token from ${source} expired at ${expiry}. Create a new token: facescan token`
  const what = kind === 'key' ? 'API key' : 'action token'
  // Standard input was consumed, so another command would wait for a person to type the key.
  if (/^--key-stdin$| -$/.test(source))
    return `The ${what} came from standard input (${source}). Check the output of the command before the pipe.`
  return `The ${what} came from ${source}. Check it: facescan status`
}

export const maybeDone =
  'The change may have been applied. Check the current data before you repeat the command.'
