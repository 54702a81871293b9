import type { RetryClass } from '../contract/endpoint.ts'

/** What came of one attempt: a status, or no whole reply. `final`: the same request would fail the same way. */
export type Outcome =
  | { status: number; retryAfterMs?: number | undefined }
  | { notSent: boolean; final: boolean }

export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number
  /** Longest single wait that is accepted, in ms; beyond it the call fails at once. */
  maxWaitMs: number
}

export type Decision = { retry: false; reason: string } | { retry: true; delayMs: number; reason: string }

const baseDelayMs = 250
const maxBackoffMs = 8_000
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Whether to send a request again, as a list of early returns. Pure: `random` is in [0, 1), for full jitter.
 * A request that may have been applied is repeated only where a second application changes nothing; a 429 says that it was not.
 */
export function decideRetry(
  retryClass: RetryClass,
  attempt: number,
  outcome: Outcome,
  policy: RetryPolicy,
  random: number,
): Decision {
  if (attempt > policy.retries) return { retry: false, reason: 'no attempts left' }
  const delayMs = random * Math.min(maxBackoffMs, baseDelayMs * 2 ** attempt)
  if ('notSent' in outcome) {
    if (outcome.final) return { retry: false, reason: 'it would fail the same way' }
    if (outcome.notSent) return { retry: true, delayMs, reason: 'nothing was sent' }
    if (retryClass === 'once') return { retry: false, reason: 'it may have been applied' }
    return { retry: true, delayMs, reason: 'the connection failed' }
  }
  if (!passing.has(outcome.status)) return { retry: false, reason: 'the answer is final' }
  const { retryAfterMs = 0 } = outcome
  if (outcome.status === 429) return wait(Math.max(delayMs, retryAfterMs), policy, 'rate limited')
  if (retryClass === 'once') return { retry: false, reason: 'it may have been applied' }
  return wait(Math.max(delayMs, retryAfterMs), policy, `the service answered ${outcome.status}`)
}

function wait(delayMs: number, policy: RetryPolicy, reason: string): Decision {
  if (delayMs > policy.maxWaitMs)
    return { retry: false, reason: `${reason}, for longer than the wait allowed` }
  return { retry: true, delayMs, reason }
}
