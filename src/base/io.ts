import type { Readable, Writable } from 'node:stream'

export interface Output extends Writable {
  isTTY?: boolean
  columns?: number
  rows?: number
}

export interface Input extends Readable {
  isTTY?: boolean
}

/** The three streams, injected so that a test can run a command in memory. */
export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Time as a dependency: a test turns it by hand. */
export interface Clock {
  /** The time of day, in ms since the epoch. Whoever sets the clock of the machine moves it. */
  now(): number
  /** For durations: goes on evenly from the time of day at which the process began, whatever becomes of the machine's clock. */
  monotonic(): number
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
