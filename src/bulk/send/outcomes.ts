import { FacescanError, NetworkError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import { factsOf, meaningOf, parseRetryAfter } from '../../http/meaning.ts'
import { describeProblem } from '../../http/network-errors.ts'
import type { WireResponse } from '../../http/wire.ts'
import type { Reason } from '../types.ts'
import { type AttemptResult, isSuccess, stopError } from './attempt.ts'
import { readProblems } from './reasons.ts'

export type Action =
  /** Accepted if the response confirms the answers. */
  | { do: 'accept'; reply: WireResponse }
  /** Not applied. The request is sent again after a wait. */
  | { do: 'retry'; retryAfterMs?: number | undefined }
  /** The rows may have been applied. The listed answers of the user show which rows were applied. */
  | { do: 'reconcile'; failing: boolean }
  /** These rows are rejected. The other rows were not applied. */
  | { do: 'reject'; rows: Map<number, Reason> }
  /** At least one row is rejected, but the response does not name it, so the batch is split. */
  | { do: 'bisect' }
  /** Not applied, because the request is too large. The batch is split. */
  | { do: 'halve' }
  /** A 404 means an unknown user or a wrong base URL. */
  | { do: 'look up user' }
  | { do: 'stop'; error: FacescanError }

/** The next step for a result. `rows` is the number of answers in the request. `now` is the time of day in ms. */
export function decide(outcome: AttemptResult, rows: number, now: number): Action {
  const { applied, isTransient } = meaningOf(factsOf(outcome))
  if (outcome instanceof NetworkError)
    return applied === 'no' ? { do: 'retry' } : { do: 'reconcile', failing: false }
  const { status } = outcome
  if (isSuccess(outcome)) return { do: 'accept', reply: outcome }
  if (applied === 'maybe') return { do: 'reconcile', failing: status >= 500 }
  if (status === 413 && rows > 1) return { do: 'halve' }
  if (isTransient) return { do: 'retry', retryAfterMs: parseRetryAfter(outcome.headers, now) }
  if ([400, 409, 413, 422].includes(status)) return refuse(outcome, rows)
  if (status === 404) return { do: 'look up user' }
  return { do: 'stop', error: stopError(status) }
}

function refuse(reply: WireResponse, rows: number): Action {
  const { whole, byRow } = readProblems(reply)
  if (rows === 1) return { do: 'reject', rows: new Map([[0, byRow?.get(0) ?? whole]]) }
  const isKnown = byRow !== undefined && [...byRow.keys()].every((row) => row < rows)
  return isKnown ? { do: 'reject', rows: byRow } : { do: 'bisect' }
}

/** The error for users who could not be looked up. Another run may succeed. */
export function notLookedUp(users: number): FacescanError {
  return new FacescanError('import_stopped', `${countOf(users, 'user')} could not be looked up after a 404`, {
    hint: {
      text: 'Their rows were not sent. Request permission to view users, or check the profile',
      run: ['status'],
    },
  })
}

/** A result as text, such as `503`, `200 (incomplete)`, or `the connection was reset`. */
export function describeOutcome(outcome: AttemptResult): string {
  if (!(outcome instanceof NetworkError)) return `${outcome.status}${outcome.cut ? ' (incomplete)' : ''}`
  return describeProblem(outcome.cause)
}
