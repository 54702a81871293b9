import { promisify } from 'node:util'
import { type Clock, uptimeMs } from '../base/clock.ts'

/** Maximum delay of a timer. Node runs a timer with a longer delay immediately, so a longer sleep ends after 24 days. */
const longestTimerMs = 2 ** 31 - 1

const offsetMs = Date.now() - uptimeMs()

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(offsetMs + uptimeMs()),
  sleep: (ms, signal) =>
    // promisify loads node:timers/promises only at the first sleep.
    promisify(setTimeout)(Math.min(ms, longestTimerMs), undefined, { signal }).catch(() => {
      throw signal?.reason
    }),
}
