import { backoffMs } from '../base/clock.ts'
import type { RetryClass } from '../contract/endpoint.ts'
import { type AttemptFacts, meaningOf } from './meaning.ts'

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
 * sending it twice is safe.
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
