import { setMaxListeners } from 'node:events'
import { FacescanError } from './errors.ts'

export interface Interrupts {
  /** Aborted when everything is to stop now. */
  signal: AbortSignal
  drainFirst(): AbortSignal
  /** Called for each SIGINT or SIGTERM. */
  receive(name: 'SIGINT' | 'SIGTERM'): void
}

function interruption(name: 'SIGINT' | 'SIGTERM'): FacescanError {
  return name === 'SIGINT'
    ? new FacescanError('interrupted', 'interrupted')
    : new FacescanError('terminated', 'terminated')
}

/** One signal stops everything; where a command asked to drain first, the first one only says so and the second stops. */
export function createInterrupts(): Interrupts {
  const now = new AbortController()
  // Every request in flight listens; more than ten of them are no leak.
  setMaxListeners(0, now.signal)
  let drain: AbortController | undefined
  return {
    signal: now.signal,
    drainFirst() {
      drain ??= new AbortController()
      return drain.signal
    },
    receive(name) {
      const next = drain && !drain.signal.aborted ? drain : now
      next.abort(interruption(name))
    },
  }
}
