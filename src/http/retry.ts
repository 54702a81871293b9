import { backoffMs, type Clock } from '../base/clock.ts'
import { NetworkError } from '../base/errors.ts'
import type { RetryClass } from '../contract/endpoint.ts'
import type { Step } from './chain.ts'
import type { FailedAttempt, Past } from './failure.ts'
import { meaningOf } from './meaning.ts'

export interface RetryOptions extends RetryPolicy {
  clock: Pick<Clock, 'now'>
  random(): number
  proxy?: URL | undefined
  pause(delayMs: number, reason: string): Promise<void>
}

/** Sends a call until it succeeds or cannot be retried. Throws the final error. */
export function retry(options: RetryOptions): Step {
  return async (call, next) => {
    let past: Past | undefined
    const giveUp = async (error: unknown): Promise<never> => {
      const { explainStop } = await import('./failure.ts')
      throw explainStop(error, call, past, options.clock.now())
    }
    for (let attempt = 1; ; attempt++) {
      const numbered = { ...call, attempt }
      const result = await next(numbered).catch((error) =>
        error instanceof NetworkError ? error : giveUp(error),
      )
      if (!(result instanceof NetworkError) && result.status < 300 && !result.cut) return result
      const { assess, explainFailure } = await import('./failure.ts')
      const now = options.clock.now()
      const assessed = assess(numbered, result, past, { now, proxy: options.proxy })
      past = assessed.past
      const wait = decideRetry(call.endpoint.retry, attempt, assessed.failed, options, options.random())
      if (wait === undefined) throw explainFailure(past.failure, numbered, now)
      await options.pause(wait.delayMs, wait.reason).catch(giveUp)
    }
  }
}

export interface RetryPolicy {
  retries: number
  /** Maximum wait in ms before a retry. If the service requires a longer wait, the call fails immediately. */
  maxWaitMs: number
}

const backoff = { firstMs: 500, longestMs: 8_000, jitter: 1 }

/**
 * The wait before a retry in ms. Undefined if the request is not retried. `random` is a random number in [0, 1), so that clients do not
 * retry at the same time (full jitter). A request that may have been applied is retried only if sending it twice is safe.
 */
export function decideRetry(
  retryClass: RetryClass,
  attempt: number,
  failed: FailedAttempt,
  { retries, maxWaitMs }: RetryPolicy,
  random: number,
): { delayMs: number; reason: string } | undefined {
  if (attempt > retries || failed.isFinal) return undefined
  const { applied, isTransient } = meaningOf(failed)
  if (!isTransient || (applied === 'maybe' && retryClass === 'once')) return undefined
  const delayMs = Math.max(backoffMs(attempt, { ...backoff, random }), failed.retryAfterMs ?? 0)
  return delayMs > maxWaitMs ? undefined : { delayMs, reason: describe(failed) }
}

function describe({ isSent = true, status, body }: FailedAttempt): string {
  if (!isSent) return 'could not connect'
  if (status === undefined || body === 'incomplete') return 'the connection failed'
  return status === 429 ? 'rate limited' : `the service returned ${status}`
}
