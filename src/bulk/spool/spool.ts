import type { RowReader } from '../rows/row-reader.ts'
import { type Answer, type UserRef, userKinds } from '../types.ts'
import { ScratchFile } from './scratch.ts'

/**
 * Maximum size of a file with one partition, and number of partitions for a larger file. Do not change these numbers, because a resumed
 * import must create its batches in the same order as the first run.
 */
const smallBytes = 1024 * 1024
const partitionCount = 256

/** Block size for a small file, whose answers fit into memory. */
const smallBlockBytes = 4 * 1024 * 1024
const blockBytes = 32 * 1024

/** Positions in the head of a record, little-endian. The user ID follows, padded with zeros to four bytes. */
const hashPart = 0
/** Position of the next record of the same user. 0 for the last one. */
const nextPart = 4
const linePart = 8
const keyPart = 12
/** Length of the user ID (in the lower bits) and kind of the ID. */
const userPart = 14
const idPart = 16
const kindShift = 15

/** Positions in the tail of a record. The tail follows the user ID. If answers are only counted, records have no tail. */
const valuePart = 0
const offsetPart = 8
const rowPart = 16
const zonePart = 20
const tailBytes = 22

export interface AnswerNames {
  keys: readonly string[]
  zones: readonly string[]
}

interface Partition {
  /** The latest records, which are only in memory. */
  block: DataView
  filled: number
  /** Positions of the blocks in the file. */
  stored: { position: number; bytes: number }[]
}

/** Distributes answers to partitions by user and keeps the file order. Most answers are in a temporary file. */
export class Spool {
  private readonly partitions: Partition[]
  private readonly tail: number
  private file: ScratchFile | undefined

  constructor(inputBytes: number, countsOnly = false, count = inputBytes <= smallBytes ? 1 : partitionCount) {
    this.tail = countsOnly ? 0 : tailBytes
    const size = count === 1 ? smallBlockBytes : blockBytes
    this.partitions = Array.from({ length: count }, () => {
      return { block: new DataView(new ArrayBuffer(size)), filled: 0, stored: [] }
    })
  }

  add(answer: RowReader): void {
    const { length } = this.partitions
    const partition = this.partitions[answer.userHash & (length - 1)] as Partition
    const size = headBytes(answer.userEnd - answer.userStart)
    if (partition.filled + size + this.tail > partition.block.byteLength) this.flush(partition)
    putHead(partition.block, partition.filled, answer)
    if (this.tail > 0) putTail(partition.block, partition.filled + size, answer)
    partition.filled += size + this.tail
  }

  /** Loads one partition after another into the same memory. */
  *loaded(): Generator<LoadedPartition> {
    const sizes = this.partitions.map(({ filled, stored }) =>
      stored.reduce((sum, { bytes }) => sum + bytes, filled),
    )
    const memory = Buffer.allocUnsafe(Math.max(...sizes))
    for (const [index, partition] of this.partitions.entries()) {
      const bytes = memory.subarray(0, sizes[index])
      this.load(partition, bytes)
      yield new LoadedPartition(bytes, this.tail)
    }
  }

  close(): void {
    this.file?.close()
    this.file = undefined
  }

  private flush(partition: Partition): void {
    this.file ??= new ScratchFile()
    partition.stored.push({ position: this.file.length, bytes: partition.filled })
    this.file.write(bytesOf(partition))
    partition.filled = 0
  }

  private load(partition: Partition, target: Buffer): void {
    target.set(bytesOf(partition), target.length - partition.filled)
    let filled = 0
    for (const { position, bytes } of partition.stored) {
      this.file?.read(target.subarray(filled, filled + bytes), position)
      filled += bytes
    }
  }
}

function bytesOf({ block, filled }: Partition): Uint8Array {
  return new Uint8Array(block.buffer, 0, filled)
}

function putHead(view: DataView, at: number, answer: RowReader): void {
  const { cells, userStart, userEnd } = answer
  view.setUint32(at + hashPart, answer.userHash, true)
  view.setUint32(at + nextPart, 0, true)
  view.setUint32(at + linePart, answer.line, true)
  view.setUint16(at + keyPart, answer.key, true)
  view.setUint16(at + userPart, (userEnd - userStart) | (answer.userKind << kindShift), true)
  let from = userStart
  let to = at + idPart
  for (; from + 3 < userEnd; from += 4, to += 4) view.setInt32(to, cells.view.getInt32(from))
  if (from === userEnd) return
  view.setInt32(to, 0)
  for (; from < userEnd; from++, to++) view.setUint8(to, cells.view.getUint8(from))
}

function putTail(view: DataView, at: number, answer: RowReader): void {
  view.setFloat64(at + valuePart, answer.value, true)
  view.setFloat64(at + offsetPart, answer.offset, true)
  view.setUint32(at + rowPart, answer.row, true)
  view.setUint16(at + zonePart, answer.zone, true)
}

function headBytes(idBytes: number): number {
  return idPart + ((idBytes + 3) & ~3)
}

/** The records of one partition (a share of the users). `at` is the position of a record. */
export class LoadedPartition {
  private readonly bytes: Buffer
  private readonly view: DataView
  private readonly tail: number

  constructor(bytes: Buffer, tail: number) {
    this.bytes = bytes
    this.tail = tail
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The first record of each user. Links the records of a user in file order. */
  users(): number[] {
    const { view } = this
    const users: number[] = []
    // A hash table with the latest record of each user, as its position plus 1. At most two thirds of the entries are used.
    const slots = new Int32Array(2 ** Math.ceil(Math.log2((1.5 * this.bytes.length) / idPart + 1)))
    let end = 0
    for (let at = 0; at < this.bytes.length; at = end) {
      let slot = view.getUint32(at + hashPart, true) >>> 8
      let latest = 0
      do {
        slot &= slots.length - 1
        latest = slots[slot++] as number
      } while (latest > 0 && !this.isSameUser(latest - 1, at))
      if (latest === 0) users.push(at)
      else view.setUint32(latest - 1 + nextPart, at, true)
      slots[slot - 1] = at + 1
      end = this.tailAt(at) + this.tail
    }
    return users
  }

  nextAt(at: number): number | undefined {
    return this.view.getUint32(at + nextPart, true) || undefined
  }

  keyAt(at: number): number {
    return this.view.getUint16(at + keyPart, true)
  }

  lineAt(at: number): number {
    return this.view.getUint32(at + linePart, true)
  }

  userAt(at: number): UserRef {
    const id = this.bytes.toString('utf8', at + idPart, at + idPart + this.lengthAt(at))
    return { kind: userKinds[this.view.getUint16(at + userPart, true) >> kindShift] ?? 'user_id', id }
  }

  answerAt(at: number, user: UserRef, names: AnswerNames): Answer {
    const { view } = this
    const tail = this.tailAt(at)
    return {
      row: view.getUint32(tail + rowPart, true),
      line: this.lineAt(at),
      offset: view.getFloat64(tail + offsetPart, true),
      user,
      lookup_key: names.keys[this.keyAt(at)] ?? '',
      value: view.getFloat64(tail + valuePart, true),
      timezone: names.zones[view.getUint16(tail + zonePart, true)] ?? '',
    }
  }

  private lengthAt(at: number): number {
    return this.view.getUint16(at + userPart, true) & ((1 << kindShift) - 1)
  }

  private tailAt(at: number): number {
    return at + headBytes(this.lengthAt(at))
  }

  /** Compares kind and length, and then the IDs, four bytes at once. */
  private isSameUser(a: number, b: number): boolean {
    const { view } = this
    if (view.getUint16(a + userPart) !== view.getUint16(b + userPart)) return false
    const size = headBytes(this.lengthAt(a))
    for (let part = idPart; part < size; part += 4) {
      if (view.getInt32(a + part) !== view.getInt32(b + part)) return false
    }
    return true
  }
}
