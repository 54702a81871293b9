import type { Clock } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
import type { Interrupts } from './interrupts.ts'

export type TimeLimit = ReturnType<typeof limitTime>

/** Stops a command when the duration of --max-time has passed. */
export function limitTime(limitMs: number, clock: Clock, { stop, signal }: Interrupts) {
  const done = new AbortController()
  const endsAt = clock.monotonic() + limitMs
  const expire = () =>
    stop(
      new FacescanError('network', `the command did not finish within ${limitMs / 1_000} s`, {
        hint: 'Allow more time with --max-time.',
        retryable: true,
      }),
    )
  clock.sleep(limitMs, done.signal).then(expire, () => undefined)
  return {
    cancel: async () => done.abort(),
    /** Runs work that may block the event loop, and terminates the work at the time limit. */
    async interrupt<T>(work: () => Promise<T>): Promise<T> {
      const { Worker } = await import('node:worker_threads')
      const watchdog = new Worker(terminateMain, { eval: true, workerData: endsAt - clock.monotonic() })
      watchdog.unref()
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      try {
        // The promise of terminated work never settles, so the time limit ends the wait.
        return await Promise.race([work(), stopped])
      } finally {
        void watchdog.terminate()
      }
    },
  }
}

/** Runs on another thread, because no timer of this thread can run while WebAssembly blocks it. */
const terminateMain = `
  const session = new (require('node:inspector').Session)()
  session.connectToMainThread()
  setTimeout(() => session.post('Runtime.terminateExecution'), require('node:worker_threads').workerData)
`
