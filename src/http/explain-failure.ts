import { type ErrorDetails, type FacescanError, NetworkError, ServiceError } from '../base/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { expiryOf } from './expiry.ts'
import type { HttpCredential } from './request.ts'
import { urlOf, type WireRequest } from './wire.ts'

interface Called {
  endpoint: Endpoint
  request: WireRequest
}

/** Whether a person can safely repeat the call. */
export function isRepeatable({ retry, effect }: Endpoint): boolean {
  return retry !== 'once' || effect === 'read'
}

/** Adds the source of a refused credential, or a warning that a change without a reply may have been applied. */
export function explainFailure(
  failure: FacescanError,
  called: Called,
  credential: HttpCredential | undefined,
  now: number,
): FacescanError {
  const { endpoint } = called
  const { code, message, details } = failure
  if (credential && (code === 'unauthenticated' || code === 'forbidden')) {
    return new ServiceError(code, message, { ...details, refused: describeRefused(credential, now) })
  }
  if (code === 'not_found') return explainMissing(failure, called)
  const isUnclear = details.applied === 'maybe' && endpoint.effect !== 'read'
  // A person can safely repeat a repeatable change, so the usual hint is more useful.
  if (!isUnclear || (isRepeatable(endpoint) && details.retryable)) return failure
  const unsure = { ...details, retryable: false, hint: maybeDone }
  return failure instanceof NetworkError
    ? new NetworkError(message, false, unsure)
    : new ServiceError(code, message, unsure)
}

/** The path of a raw call is not shown, because it may contain an ID. */
function explainMissing({ message, details }: FacescanError, { endpoint, request }: Called): ServiceError {
  if (namesUser(endpoint)) return new ServiceError('not_found', message, { ...details, missing: 'user' })
  const isRaw = request.route !== endpoint.path
  const { detail } = details
  const place = `${endpoint.method} ${endpoint.path} not found on ${urlOf(request).host} (404)`
  const text = isRaw ? message : [place, detail].filter((part) => part !== undefined).join(': ')
  return new ServiceError('not_found', text, { ...details, missing: 'address' })
}

/** Whether a 404 can mean an unknown user. The wording of the reply differs between services, so it is not used. */
function namesUser({ user, path }: Endpoint): boolean {
  return user !== undefined || path.includes('{user_id}')
}

function describeRefused({ kind, value, source }: HttpCredential, now: number): ErrorDetails['refused'] {
  const expiry = kind === 'token' ? expiryOf(value) : undefined
  const isExpired = expiry !== undefined && Date.parse(expiry) <= now
  return { kind, source, expiredAt: isExpired ? expiry : undefined }
}

export const maybeDone =
  'The change may have been applied. Check the current data before you repeat the command.'
