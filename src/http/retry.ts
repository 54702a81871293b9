import type { RetryClass } from '../contract/endpoint.ts'

/** The outcome of one attempt: a status, or no complete reply. `final`: retrying would not help. */
export type AttemptOutcome =
  | { status: number; retryAfterMs?: number | undefined }
  | { notSent: boolean; final: boolean }

export interface RetryPolicy {
  retries: number
  /** Maximum wait before one retry. A longer wait makes the call fail immediately. */
  maxWaitMs: number
}

export type Decision = { retry: false; reason: string } | { retry: true; delayMs: number; reason: string }

const baseDelayMs = 250
const maxBackoffMs = 8_000
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Whether to retry a request. Pure: `random` is in [0, 1), for full jitter. A request that may have been applied is retried
 * only if applying it twice is safe. A 429 means that it was not applied.
 */
export function decideRetry(
  retryClass: RetryClass,
  attempt: number,
  outcome: AttemptOutcome,
  policy: RetryPolicy,
  random: number,
): Decision {
  if (attempt > policy.retries) return { retry: false, reason: 'no attempts left' }
  const delayMs = random * Math.min(maxBackoffMs, baseDelayMs * 2 ** attempt)
  if ('notSent' in outcome) {
    if (outcome.final) return { retry: false, reason: 'retrying would not help' }
    if (outcome.notSent) return { retry: true, delayMs, reason: 'could not connect' }
    if (retryClass === 'once') return { retry: false, reason: 'the change may have been applied' }
    return { retry: true, delayMs, reason: 'the connection failed' }
  }
  if (!passing.has(outcome.status))
    return { retry: false, reason: 'requests with this status are not retried' }
  const { retryAfterMs = 0 } = outcome
  if (outcome.status === 429) return wait(Math.max(delayMs, retryAfterMs), policy, 'rate limited')
  if (retryClass === 'once') return { retry: false, reason: 'the change may have been applied' }
  return wait(Math.max(delayMs, retryAfterMs), policy, `the service returned ${outcome.status}`)
}

function wait(delayMs: number, policy: RetryPolicy, reason: string): Decision {
  if (delayMs > policy.maxWaitMs)
    return { retry: false, reason: `${reason}; the required wait is longer than the maximum wait` }
  return { retry: true, delayMs, reason }
}
