import { backoffMs } from '../base/clock.ts'
import { type Applied, NetworkError } from '../base/errors.ts'
import type { RetryClass } from '../contract/endpoint.ts'
import type { WireReply } from './wire.ts'

/** The facts about one attempt of a request. */
export interface AttemptFacts {
  /** Whether a byte of the request may have left this machine (default true). */
  isSent?: boolean
  /** Undefined if no status line arrived. */
  status?: number | undefined
  /** Whether the response has a valid `Retry-After`. */
  hasRetryAfter?: boolean
  /** Whether the body of a success is as the contract and the request require (default: it is). */
  body?: 'incomplete' | 'unconfirmed' | undefined
  /** Whether an earlier attempt may have deleted what this attempt deletes. */
  mayBeDeleted?: boolean
}

/** Whether an attempt applied its change, and whether the same request can succeed later. */
export interface Meaning {
  applied: Applied
  isTransient: boolean
}

const applied: Meaning = { applied: 'yes', isTransient: false }
const refused: Meaning = { applied: 'no', isTransient: false }
const postponed: Meaning = { applied: 'no', isTransient: true }
const unclear: Meaning = { applied: 'maybe', isTransient: false }
const lost: Meaning = { applied: 'maybe', isTransient: true }

/** The meaning of an attempt. Everything that depends on a status or a lost connection is derived from this function. */
export function meaningOf(facts: AttemptFacts): Meaning {
  const { isSent = true, status, hasRetryAfter = false, body, mayBeDeleted = false } = facts
  if (!isSent) return postponed
  if (status === undefined) return lost
  if (status < 200) return unclear
  // After a 202, a queue may apply the change later, or never.
  if (status < 300) return body === 'incomplete' ? lost : body || status === 202 ? unclear : applied
  if (status === 404 && mayBeDeleted) return applied
  // A proxy also returns 408 if only the response was late.
  if (status === 408) return lost
  // Both statuses refuse a request before it is processed, and ask for it again.
  if (status === 425 || status === 429) return postponed
  if (status === 413 && hasRetryAfter) return postponed
  // The service has no implementation that could have applied the change.
  return status < 500 || status === 501 ? refused : lost
}

/** The facts about an attempt from its result. */
export function factsOf(result: WireReply | NetworkError): AttemptFacts {
  if (result instanceof NetworkError)
    return { isSent: !result.notSent, status: result.details.status, body: 'incomplete' }
  const { status, headers, cut } = result
  return { status, hasRetryAfter: parseRetryAfter(headers, 0) !== undefined, body: cut && 'incomplete' }
}

/** A call was applied if its last attempt or any earlier attempt may have applied it. */
export function combine(earlier: Applied | undefined, last: Applied | undefined): Applied | undefined {
  return earlier === 'maybe' && last !== 'yes' ? earlier : (last ?? earlier)
}

/** The facts about one failed attempt. */
export interface FailedAttempt extends AttemptFacts {
  retryAfterMs?: number | undefined
  /** Whether a retry would meet the same problem, such as an invalid certificate. */
  isFinal?: boolean
}

export interface RetryPolicy {
  retries: number
  /** Maximum wait before one retry. A longer wait makes the call fail immediately. */
  maxWaitMs: number
}

export type RetryDecision =
  | { retry: false; reason: string }
  | { retry: true; delayMs: number; reason: string }

const backoff = { firstMs: 500, longestMs: 8_000, jitter: 1 }

/**
 * Whether to retry a request. Pure: `random` is in [0, 1), for full jitter. A request that may have been applied is retried
 * only if applying it twice is safe.
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

/** Maximum wait in seconds (RFC 9111, section 1.2.2). */
const longestDelta = 2 ** 31

/**
 * `Retry-After` in ms, from whole seconds or an HTTP date; undefined if it is missing or invalid. A date is compared with the
 * `Date` of the same response, because the clocks of the two machines may differ.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestDelta) * 1000
  const at = parseHttpDate(text)
  if (at === undefined) return undefined
  return Math.max(0, at - (parseHttpDate(headers['date'] ?? '') ?? now))
}

/** Requires the name of the day (RFC 9110, section 5.6.7), because `Date.parse` accepts "-1" and "1.5". */
function parseHttpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
