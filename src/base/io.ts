import type { Readable, Writable } from 'node:stream'

export interface Output extends Writable {
  isTTY?: boolean
  columns?: number
  rows?: number
}

export interface Input extends Readable {
  isTTY?: boolean
}

export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
  /** Writes to stdout without a stream, which would take 5 ms. Returns the number of bytes. Undefined unless stdout is a pipe or a file. */
  writeDirectly?: ((bytes: Uint8Array) => number) | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Whether an environment variable is on: any value except an empty text, `0`, and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase())
}
