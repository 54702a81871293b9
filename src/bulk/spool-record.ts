import { userKinds } from './row-reader.ts'
import type { Answer, UserRef } from './types.ts'

/**
 * Layout of a spooled answer, all parts aligned to 8 bytes: user hash, user length with its kind above, key with its zone above,
 * size (32 bits each); value, offset, row, line (64-bit floats); the user's bytes, filled up with zeros.
 */
export const headerBytes = 48

/** What the numbers of keys and zones stand for. */
export interface AnswerNames {
  keys: readonly string[]
  zones: readonly string[]
}

/** Memory that holds spooled answers. */
export interface SpoolMemory {
  buffer: Buffer
  words: Uint32Array
  floats: Float64Array
}

/** A spooled answer starts at this byte of the memory. Reused: good until the next one is asked for. */
export interface SpooledRecord {
  memory: SpoolMemory
  at: number
}

export function spoolMemory(bytes: number): SpoolMemory {
  const memory = new ArrayBuffer(bytes)
  return { buffer: Buffer.from(memory), words: new Uint32Array(memory), floats: new Float64Array(memory) }
}

export function sizeAt({ words }: SpoolMemory, at: number): number {
  return words[(at >>> 2) + 3] as number
}

export function keyAt({ words }: SpoolMemory, at: number): number {
  return (words[(at >>> 2) + 2] as number) & 0xffff
}

export function lineAt({ floats }: SpoolMemory, at: number): number {
  return floats[(at >>> 3) + 5] as number
}

export function userAt({ words, buffer }: SpoolMemory, at: number): UserRef {
  const word = words[(at >>> 2) + 1] as number
  const start = at + headerBytes
  return {
    kind: userKinds[word >>> 16] ?? 'user_id',
    id: buffer.toString('utf8', start, start + (word & 0xffff)),
  }
}

export function answerAt(memory: SpoolMemory, at: number, user: UserRef, names: AnswerNames): Answer {
  const { words, floats } = memory
  const float = at >>> 3
  return {
    user,
    lookup_key: names.keys[keyAt(memory, at)] ?? '',
    value: floats[float + 2] as number,
    timezone: names.zones[(words[(at >>> 2) + 2] as number) >>> 16] ?? '',
    offset: floats[float + 3] as number,
    row: floats[float + 4] as number,
    line: lineAt(memory, at),
  }
}

/** Compares hash, length and kind, then the bytes, which are filled up to whole words with zeros. */
export function isSameUser(a: Uint32Array, atA: number, b: Uint32Array, atB: number): boolean {
  const [from, other] = [atA >>> 2, atB >>> 2]
  if (a[from] !== b[other] || a[from + 1] !== b[other + 1]) return false
  const words = (a[from + 3] as number) >>> 2
  for (let index = headerBytes >>> 2; index < words; index++) {
    if (a[from + index] !== b[other + index]) return false
  }
  return true
}
