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

/** Whether an environment variable enables a feature: any value except empty, `0`, and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase())
}
