import { setMaxListeners } from 'node:events'
import type { Clock } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'

export type Interrupts = ReturnType<typeof createInterrupts>
export type TimeLimit = ReturnType<typeof limitTime>

const codes = { SIGINT: 'interrupted', SIGTERM: 'terminated' } as const

/**
 * Creates the functions that handle signals. `listen(false)` is called before work that needs the default signal handlers, and
 * `listen(true)` after this work.
 */
export function createInterrupts(listen: (isOn: boolean) => void = () => undefined) {
  const now = new AbortController()
  // Each request that waits for a retry adds a listener, so the limit above which Node prints a warning is removed.
  setMaxListeners(0, now.signal)
  let drain: AbortController | undefined
  const stop = (reason: FacescanError) => {
    const next = drain && !drain.signal.aborted ? drain : now
    next.abort(reason)
  }
  return {
    signal: now.signal,
    /** Returns a signal that the first interrupt aborts. Only the second interrupt then aborts `signal`. */
    drainFirst(): AbortSignal {
      drain ??= new AbortController()
      // Ctrl-C may have been pressed before this call.
      if (now.signal.aborted) drain.abort(now.signal.reason)
      return drain.signal
    },
    receive: (name: keyof typeof codes) => stop(new FacescanError(codes[name], codes[name])),
    /** Stops the command for a reason that is not a signal, such as --max-time. */
    stop,
    /** Runs work that blocks the event loop. The default handlers are active, so a signal ends the process immediately. */
    async withDefaultSignals<T>(work: () => Promise<T>): Promise<T> {
      listen(false)
      try {
        return await work()
      } finally {
        listen(true)
      }
    },
  }
}

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
