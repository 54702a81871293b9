import type { Readable, Writable } from 'node:stream'

export interface Output extends Writable {
  isTTY?: boolean
  columns?: number
  rows?: number
}

export interface Input extends Readable {
  isTTY?: boolean
}

/** The three streams. Tests pass streams in memory. */
export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
  /**
   * Set if stdout is a pipe or a file: writes a short text without the stream of stdout, which takes 5 ms to create. Returns the
   * number of bytes written.
   */
  writeDirectly?: ((bytes: Uint8Array) => number) | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Time as a dependency. Tests pass a clock that they control. */
export interface Clock {
  /** Milliseconds since the epoch. Jumps if the system clock is changed. */
  now(): number
  /** Milliseconds for measuring durations. Starts near `now()` and never jumps if the system clock is changed. */
  monotonic(): number
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
