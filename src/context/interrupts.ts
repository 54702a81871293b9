import { FacescanError } from '../base/errors.ts'
import type { Clock } from '../base/io.ts'

export interface TimeLimit {
  /** The command is done. */
  cancel(): Promise<void>
  /** Runs work that may block the event loop, and terminates it when the time is over. */
  interrupt<T>(work: () => Promise<T>): Promise<T>
}

export interface Interrupts {
  /** Aborted when everything is to stop now. */
  signal: AbortSignal
  drainFirst(): AbortSignal
  /** Called for each SIGINT or SIGTERM. */
  receive(name: 'SIGINT' | 'SIGTERM'): void
  /** Stops as a signal does, for another reason. */
  stop(reason: FacescanError): void
  /** Runs work that blocks the event loop. Meanwhile a signal ends the process immediately. */
  unheard<T>(work: () => Promise<T>): Promise<T>
}

function interruption(name: 'SIGINT' | 'SIGTERM'): FacescanError {
  return name === 'SIGINT'
    ? new FacescanError('interrupted', 'interrupted')
    : new FacescanError('terminated', 'terminated')
}

/**
 * One signal stops everything; where a command asked to drain first, the first one only says so and the second stops. `hear` is
 * told when signals are to be received, and when they are not.
 */
export function createInterrupts(hear: (isOn: boolean) => void = () => undefined): Interrupts {
  const now = new AbortController()
  let drain: AbortController | undefined
  const stop = (reason: FacescanError) => {
    const next = drain && !drain.signal.aborted ? drain : now
    next.abort(reason)
  }
  return {
    signal: now.signal,
    drainFirst() {
      drain ??= new AbortController()
      // Ctrl-C may have come before the command asked.
      if (now.signal.aborted) drain.abort(now.signal.reason)
      return drain.signal
    },
    receive: (name) => stop(interruption(name)),
    stop,
    async unheard(work) {
      hear(false)
      try {
        return await work()
      } finally {
        hear(true)
      }
    },
  }
}

/** Stops a command that is not done in time. */
export function limitTime(limitMs: number, clock: Clock, { stop, signal }: Interrupts): TimeLimit {
  const done = new AbortController()
  const endsAt = clock.monotonic() + limitMs
  const expire = () =>
    stop(
      new FacescanError('network', `not done within ${limitMs / 1_000} s`, {
        hint: 'Allow more time with --max-time.',
        retryable: true,
      }),
    )
  clock.sleep(limitMs, done.signal).then(expire, () => undefined)
  return {
    cancel: async () => done.abort(),
    async interrupt(work) {
      const { Worker } = await import('node:worker_threads')
      const watchdog = new Worker(terminateMain, { eval: true, workerData: endsAt - clock.monotonic() })
      watchdog.unref()
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      try {
        // Terminated work never settles, but the timer above runs after it.
        return await Promise.race([work(), stopped])
      } finally {
        void watchdog.terminate()
      }
    },
  }
}

/** Runs on another thread: no timer of this thread can run while WebAssembly blocks it. */
const terminateMain = `
  const session = new (require('node:inspector').Session)()
  session.connectToMainThread()
  setTimeout(() => session.post('Runtime.terminateExecution'), require('node:worker_threads').workerData)
`
