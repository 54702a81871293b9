import type { Clock } from '../base/io.ts'
import { uptimeMs } from '../base/system/uptime.ts'

/** Node fires a longer timer immediately. A longer sleep ends after 24 days. */
const longestTimerMs = 2 ** 31 - 1

const offsetMs = Date.now() - uptimeMs()

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(offsetMs + uptimeMs()),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
        Math.min(ms, longestTimerMs),
      )
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
