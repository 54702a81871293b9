import { type RowReader, userKinds } from '../rows/row-reader.ts'
import { allocate, type Memory } from '../scan/memory.ts'
import type { Answer, UserRef } from '../types.ts'

/** Where the parts of a spooled answer stand, little-endian. The user's bytes come last, filled up to whole words with zeros. */
const hashPart = 0
const userPart = 4
const keyPart = 6
const zonePart = 8
const valuePart = 12
const offsetPart = 20
const rowPart = 28
const linePart = 32
const headerBytes = 36

/** The user's length and, above it, the kind of the id share 16 bits. */
const kindShift = 15
const lengthMask = (1 << kindShift) - 1

/** What the numbers of keys and zones stand for. */
export interface AnswerNames {
  keys: readonly string[]
  zones: readonly string[]
}

/** A spooled answer starts at this byte of the memory. Reused: good until the next one is asked for. */
export interface SpooledRecord {
  memory: Memory
  at: number
}

/** Bytes that the answer takes. */
export function sizeOf(answer: RowReader): number {
  return headerBytes + wholeWords(answer.userEnd - answer.userStart)
}

export function putAnswer(target: Memory, at: number, answer: RowReader): void {
  const { view } = target
  const { userStart, userEnd } = answer
  view.setUint32(at + hashPart, answer.userHash, true)
  view.setUint16(at + userPart, (userEnd - userStart) | (answer.userKind << kindShift), true)
  view.setUint16(at + keyPart, answer.key, true)
  view.setUint16(at + zonePart, answer.zone, true)
  view.setFloat64(at + valuePart, answer.value, true)
  view.setFloat64(at + offsetPart, answer.offset, true)
  view.setUint32(at + rowPart, answer.row, true)
  view.setUint32(at + linePart, answer.line, true)
  const source = answer.cells.view
  let to = at + headerBytes
  let from = userStart
  for (; from + 3 < userEnd; from += 4, to += 4) view.setInt32(to, source.getInt32(from, true), true)
  let tail = 0
  for (let last = userEnd - 1; last >= from; last--) tail = (tail << 8) | source.getUint8(last)
  if (from < userEnd) view.setInt32(to, tail, true)
}

export function sizeAt({ view }: Memory, at: number): number {
  return headerBytes + wholeWords(view.getUint16(at + userPart, true) & lengthMask)
}

export function hashAt({ view }: Memory, at: number): number {
  return view.getUint32(at + hashPart, true)
}

export function keyAt({ view }: Memory, at: number): number {
  return view.getUint16(at + keyPart, true)
}

export function lineAt({ view }: Memory, at: number): number {
  return view.getUint32(at + linePart, true)
}

export function userAt({ view, bytes }: Memory, at: number): UserRef {
  const user = view.getUint16(at + userPart, true)
  const start = at + headerBytes
  const id = bytes.toString('utf8', start, start + (user & lengthMask))
  return { kind: userKinds[user >>> kindShift] ?? 'user_id', id }
}

export function answerAt(memory: Memory, at: number, user: UserRef, names: AnswerNames): Answer {
  const { view } = memory
  return {
    row: view.getUint32(at + rowPart, true),
    line: lineAt(memory, at),
    offset: view.getFloat64(at + offsetPart, true),
    user,
    lookup_key: names.keys[keyAt(memory, at)] ?? '',
    value: view.getFloat64(at + valuePart, true),
    timezone: names.zones[view.getUint16(at + zonePart, true)] ?? '',
  }
}

/** A copy that stays when the memory is used for something else. */
export function copyRecord(memory: Memory, at: number): Memory {
  const copy = allocate(sizeAt(memory, at))
  memory.bytes.copy(copy.bytes, 0, at, at + copy.bytes.length)
  return copy
}

/** Compares hash, length and kind, then the bytes word by word. */
export function isSameUser(a: DataView, atA: number, b: DataView, atB: number): boolean {
  const user = a.getUint16(atA + userPart, true)
  if (user !== b.getUint16(atB + userPart, true)) return false
  if (a.getUint32(atA + hashPart, true) !== b.getUint32(atB + hashPart, true)) return false
  const end = headerBytes + (user & lengthMask)
  for (let part = headerBytes; part < end; part += 4) {
    if (a.getInt32(atA + part, true) !== b.getInt32(atB + part, true)) return false
  }
  return true
}

function wholeWords(byteCount: number): number {
  return (byteCount + 3) & ~3
}
