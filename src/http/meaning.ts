import { backoffMs } from '../base/clock.ts'
import { type Applied, NetworkError } from '../base/errors.ts'
import type { RetryClass } from '../contract/endpoint.ts'
import type { WireResponse } from './wire.ts'

/** The facts about one attempt of a request. */
export interface AttemptFacts {
  /** Whether any byte of the request may have been sent (default true). */
  isSent?: boolean
  /** HTTP status. Undefined if no status line arrived. */
  status?: number | undefined
  /** Whether the response has a valid `Retry-After`. */
  hasRetryAfter?: boolean
  /** Problem with the body of a success: truncated, or not a confirmation of the change (default: no problem). */
  body?: 'incomplete' | 'unconfirmed' | undefined
  /** Whether an earlier attempt of this deletion may have deleted the object. */
  mayBeDeleted?: boolean
}

/** What an attempt means: whether its change was applied, and whether the same request can succeed later. */
export interface Meaning {
  applied: Applied
  isTransient: boolean
}

const applied: Meaning = { applied: 'yes', isTransient: false }
const refused: Meaning = { applied: 'no', isTransient: false }
const postponed: Meaning = { applied: 'no', isTransient: true }
const unclear: Meaning = { applied: 'maybe', isTransient: false }
const lost: Meaning = { applied: 'maybe', isTransient: true }

/** The meaning of an attempt. Retries, errors, the audit log, and imports all use this function. */
export function meaningOf(facts: AttemptFacts): Meaning {
  const { isSent = true, status, hasRetryAfter = false, body, mayBeDeleted = false } = facts
  if (!isSent) return postponed
  if (status === undefined) return lost
  if (status < 200) return unclear
  // After a 202, the service may apply the change later or never.
  if (status < 300) return body === 'incomplete' ? lost : body || status === 202 ? unclear : applied
  if (status === 404 && mayBeDeleted) return applied
  // A proxy also returns 408 if the request was applied and only the response was late.
  if (status === 408) return lost
  // With these statuses, the service refuses a request before it processes the request. A retry can succeed.
  if (status === 425 || status === 429) return postponed
  if (status === 413 && hasRetryAfter) return postponed
  // A 501 means that the service does not implement the request, so the change was not applied.
  return status < 500 || status === 501 ? refused : lost
}

/** The facts about an attempt, derived from its response or error. */
export function factsOf(result: WireResponse | NetworkError): AttemptFacts {
  if (result instanceof NetworkError)
    return { isSent: !result.notSent, status: result.details.status, body: 'incomplete' }
  const { status, headers, cut } = result
  return { status, hasRetryAfter: parseRetryAfter(headers, 0) !== undefined, body: cut && 'incomplete' }
}

/** Combines the results of all attempts: the call counts as applied if any attempt may have been applied. */
export function combine(earlier: Applied | undefined, last: Applied | undefined): Applied | undefined {
  return earlier === 'maybe' && last !== 'yes' ? earlier : (last ?? earlier)
}

/** The facts about one failed attempt. */
export interface FailedAttempt extends AttemptFacts {
  retryAfterMs?: number | undefined
  /** Whether each retry would fail in the same way, as with an invalid certificate. */
  isFinal?: boolean
}

export interface RetryPolicy {
  retries: number
  /** Maximum wait before a retry. If the service requires a longer wait, the call fails immediately. */
  maxWaitMs: number
}

export type RetryDecision =
  | { retry: false; reason: string }
  | { retry: true; delayMs: number; reason: string }

const backoff = { firstMs: 500, longestMs: 8_000, jitter: 1 }

/**
 * Decides whether to retry a request. `random` is in [0, 1), for full jitter. A request that may have been applied is retried only if
 * applying it twice is safe.
 */
export function decideRetry(
  retryClass: RetryClass,
  attempt: number,
  failed: FailedAttempt,
  policy: RetryPolicy,
  random: number,
): RetryDecision {
  if (attempt > policy.retries) return { retry: false, reason: 'no attempts left' }
  if (failed.isFinal) return { retry: false, reason: 'retrying would not help' }
  const { applied, isTransient } = meaningOf(failed)
  if (!isTransient) return { retry: false, reason: 'requests with this status are not retried' }
  if (applied === 'maybe' && retryClass === 'once')
    return { retry: false, reason: 'the change may have been applied' }
  const delayMs = backoffMs(attempt, { ...backoff, random })
  const reason = describe(failed)
  if (Math.max(delayMs, failed.retryAfterMs ?? 0) <= policy.maxWaitMs)
    return { retry: true, delayMs: Math.max(delayMs, failed.retryAfterMs ?? 0), reason }
  return { retry: false, reason: `${reason}; the required wait is longer than the maximum wait` }
}

function describe({ isSent = true, status, body }: FailedAttempt): string {
  if (!isSent) return 'could not connect'
  if (status === undefined || body === 'incomplete') return 'the connection failed'
  return status === 429 ? 'rate limited' : `the service returned ${status}`
}

/** Maximum number of seconds in Retry-After (RFC 9111, section 1.2.2). */
const longestDelta = 2 ** 31

/**
 * `Retry-After` in milliseconds, from whole seconds or an HTTP date. Undefined if the header is missing or invalid. A date is compared with
 * the `Date` header of the same response, because the clock of this machine may differ.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestDelta) * 1000
  const at = parseHttpDate(text)
  if (at === undefined) return undefined
  return Math.max(0, at - (parseHttpDate(headers['date'] ?? '') ?? now))
}

/** Requires the day of the week (RFC 9110, section 5.6.7), because `Date.parse` accepts texts such as "-1" and "1.5". */
function parseHttpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
