import { FacescanError, type Hint, NetworkError } from '../../base/errors.ts'
import type { ErrorCode } from '../../base/exit-codes.ts'
import { factsOf, meaningOf } from '../../http/meaning.ts'
import type { WireResponse } from '../../http/wire.ts'

/** The result of one attempt: a response with any status, or the error if no status line arrived. */
export type AttemptResult = WireResponse | NetworkError

export function isSuccess({ status }: WireResponse): boolean {
  return status >= 200 && status < 300
}

export function isTransient(outcome: AttemptResult): boolean {
  const isCut = !(outcome instanceof NetworkError) && outcome.cut !== undefined
  return isCut || meaningOf(factsOf(outcome)).isTransient
}

const stops: Readonly<Record<number, [code: ErrorCode, message: string, hint: string | Hint]>> = {
  401: [
    'unauthenticated',
    'the service rejected the key (401)',
    { text: 'No rows were lost. Check the key', run: ['status'] },
  ],
  403: [
    'forbidden',
    'the key does not have permission to import answers (403)',
    'No rows were lost. Use another profile, or request permission to save answers, list answers, and view users.',
  ],
  404: ['not_found', 'endpoint not found (404)', 'No rows were lost. Check the base URL of the profile.'],
}

/** The error that stops the run after a response with this status. */
export function stopError(status: number): FacescanError {
  const redirects = status >= 300 && status < 400
  const [code, message, hint] = stops[status] ?? [
    redirects ? 'import_stopped' : 'rejected',
    redirects
      ? `the service returned a redirect (${status}); redirects are not followed`
      : `the service rejected the request (${status})`,
    'No rows were lost. Check the base URL and the proxy settings.',
  ]
  return new FacescanError(code, message, { hint, status })
}
