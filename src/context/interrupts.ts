import { setMaxListeners } from 'node:events'
import type { Clock } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'

export type Interrupts = ReturnType<typeof createInterrupts>

/** Error codes by signal. Like SIGTERM, SIGHUP (a closed terminal) stops a command. */
const codes = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminated' } as const

/** `listen(false)` is called before work that needs the default signal handlers, and `listen(true)` after this work. */
export function createInterrupts(listen: (isOn: boolean) => void = () => undefined) {
  const first = new AbortController()
  const now = new AbortController()
  // Each request that waits for a retry adds a listener. Node would print a warning for many listeners, so the limit is removed.
  setMaxListeners(0, now.signal)
  let drains = false
  const stop = (reason: FacescanError) => {
    if (!drains || first.signal.aborted) now.abort(reason)
    first.abort(reason)
  }
  return {
    signal: now.signal,
    /** The first interrupt aborts this signal, for example to end a prompt. */
    first: first.signal,
    /** Returns a signal that is aborted at the first interrupt. After this call, only the second interrupt aborts `signal`. */
    drainFirst(): AbortSignal {
      drains = true
      return first.signal
    },
    receive: (name: keyof typeof codes) => stop(new FacescanError(codes[name], codes[name])),
    /** Stops the command without a signal, for example because of --max-time. */
    stop,
    /** Runs work that blocks the event loop. The default handlers are active, so that a signal ends the process immediately. */
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

/** Stops a command when the duration of --max-time has passed. */
export function limitTime(limitMs: number, clock: Clock, { stop }: Pick<Interrupts, 'stop'>) {
  const done = new AbortController()
  const endsAt = clock.monotonic() + limitMs
  const error = new FacescanError('network', `the command did not finish within ${limitMs / 1_000} s`, {
    hint: 'Allow more time with --max-time.',
    retryable: true,
  })
  clock.sleep(limitMs, done.signal).then(
    () => stop(error),
    () => undefined,
  )
  return { error, leftMs: () => endsAt - clock.monotonic(), cancel: async () => done.abort() }
}
