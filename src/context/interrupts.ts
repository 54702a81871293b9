import { FacescanError } from '../base/errors.ts'
import type { Clock } from '../base/io.ts'

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

/** Stops a command that is not done in time; the function it returns is called when it is done. */
export function limitTime(limitMs: number, clock: Clock, { stop }: Interrupts): () => Promise<void> {
  const done = new AbortController()
  const expire = () =>
    stop(
      new FacescanError('network', `not done within ${limitMs / 1_000} s`, {
        hint: 'Allow more time with --max-time.',
        retryable: true,
      }),
    )
  clock.sleep(limitMs, done.signal).then(expire, () => undefined)
  return async () => done.abort()
}
