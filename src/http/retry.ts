import { NetworkError } from '../base/errors.ts'
import type { Step } from './chain.ts'
import type { Past, RetryOptions } from './failure.ts'

/** Sends a call until it succeeds or cannot be retried. Throws the error for the user. */
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
      const { assess } = await import('./failure.ts')
      const assessed = assess(numbered, result, past, options)
      if ('response' in assessed) return assessed.response
      past = assessed.past
      await options.pause(assessed.delayMs, assessed.reason).catch(giveUp)
    }
  }
}
