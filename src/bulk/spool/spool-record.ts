import { type RowReader, userKinds } from '../rows/row-reader.ts'
import { allocate, type Memory } from '../scan/memory.ts'
import type { Answer, UserRef } from '../types.ts'

/**
 * Positions in a spooled answer, little-endian. The user ID comes last, padded with zeros to four bytes. An answer
 * that is only counted has no fields from the time zone on.
 */
const hashPart = 0
const userPart = 4
const keyPart = 6
const linePart = 8
const countedBytes = 12
const zonePart = 12
const valuePart = 16
const offsetPart = 24
const rowPart = 32
const wholeBytes = 36

/** 16 bits contain the length of the user ID, whether the answer is only counted, and the kind of ID. */
const lengthMask = (1 << 14) - 1
const countedFlag = 1 << 14
const kindShift = 15

/** Names of the numbered keys and time zones. */
export interface AnswerNames {
  keys: readonly string[]
  zones: readonly string[]
}

/** A spooled answer. The object is reused for every record. */
export interface SpooledRecord {
  memory: Memory
  at: number
}

export function maxSizeOf(answer: RowReader): number {
  return wholeBytes + wholeWords(answer.userEnd - answer.userStart)
}

/** Writes a record and returns its end. */
export type PutAnswer = (target: Memory, at: number, answer: RowReader) => number

export function putAnswer({ view }: Memory, at: number, answer: RowReader): number {
  putCounted(view, at, answer, 0)
  view.setUint16(at + zonePart, answer.zone, true)
  view.setFloat64(at + valuePart, answer.value, true)
  view.setFloat64(at + offsetPart, answer.offset, true)
  view.setUint32(at + rowPart, answer.row, true)
  return putUser(view, at + wholeBytes, answer)
}

/** Writes only the fields that counting needs: half of the bytes. */
export function putCountedAnswer({ view }: Memory, at: number, answer: RowReader): number {
  putCounted(view, at, answer, countedFlag)
  return putUser(view, at + countedBytes, answer)
}

function putCounted(view: DataView, at: number, answer: RowReader, flag: number): void {
  const length = answer.userEnd - answer.userStart
  view.setUint32(at + hashPart, answer.userHash, true)
  view.setUint16(at + userPart, length | flag | (answer.userKind << kindShift), true)
  view.setUint16(at + keyPart, answer.key, true)
  view.setUint32(at + linePart, answer.line, true)
}

function putUser(view: DataView, at: number, { cells, userStart, userEnd }: RowReader): number {
  const source = cells.view
  let to = at
  let from = userStart
  for (; from + 3 < userEnd; from += 4, to += 4) view.setInt32(to, source.getInt32(from, true), true)
  let tail = 0
  for (let last = userEnd - 1; last >= from; last--) tail = (tail << 8) | source.getUint8(last)
  if (from === userEnd) return to
  view.setInt32(to, tail, true)
  return to + 4
}

export function sizeAt({ view }: Memory, at: number): number {
  const user = view.getUint16(at + userPart, true)
  return headerBytes(user) + wholeWords(user & lengthMask)
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
  const start = at + headerBytes(user)
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

export function copyRecord(memory: Memory, at: number): Memory {
  const copy = allocate(sizeAt(memory, at))
  memory.bytes.copy(copy.bytes, 0, at, at + copy.bytes.length)
  return copy
}

/** Compares hash, length, and kind, and then four bytes at a time. */
export function isSameUser(a: DataView, atA: number, b: DataView, atB: number): boolean {
  const user = a.getUint16(atA + userPart, true)
  if (user !== b.getUint16(atB + userPart, true)) return false
  if (a.getUint32(atA + hashPart, true) !== b.getUint32(atB + hashPart, true)) return false
  const start = headerBytes(user)
  const end = start + (user & lengthMask)
  for (let part = start; part < end; part += 4) {
    if (a.getInt32(atA + part, true) !== b.getInt32(atB + part, true)) return false
  }
  return true
}

function headerBytes(user: number): number {
  return (user & countedFlag) === 0 ? wholeBytes : countedBytes
}

function wholeWords(byteCount: number): number {
  return (byteCount + 3) & ~3
}
