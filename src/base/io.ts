import type { Readable, Writable } from 'node:stream'

export interface Output extends Writable {
  isTTY?: boolean
  columns?: number
  rows?: number
}

export interface Input extends Readable {
  isTTY?: boolean
}

/** The three standard streams. Tests pass streams in memory. */
export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Whether an environment variable enables a feature: any value except an empty text, `0`, and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase())
}
