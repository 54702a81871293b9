import type { RowReader } from '../rows/row-reader.ts'
import { type Answer, type Batch, type UserRef, userKinds } from '../types.ts'
import { AnswerCounts } from './answer-counts.ts'
import type { AnswerNames, Grouping } from './grouping.ts'
import { ScratchFile } from './scratch.ts'

/** A larger file has `partitionCount` partitions. Do not change these values, because a resumed import must rebuild its batches. */
const smallBytes = 1024 * 1024
const partitionCount = 256

/** Block size for a small file, whose answers fit into memory. */
const smallBlockBytes = 4 * 1024 * 1024
const blockBytes = 32 * 1024

/** Positions of the parts in the binary record of an answer. */
const valuePart = 0
const offsetPart = 8
const linePart = 16
const rowPart = 20
const keyPart = 24
const zonePart = 26
/** The highest bit of this number is the kind of the user ID. The lower bits are the length of the user ID. */
const userPart = 28
const idPart = 30
const kindShift = 15

interface Partition {
  /** The latest records, which are only in memory. */
  block: Buffer
  filled: number
  /** Positions of the blocks in the temporary file. */
  stored: { position: number; bytes: number }[]
}

/** Positions of the records of one user in a partition, in file order. */
interface UserRecords {
  bytes: Buffer
  positions: readonly number[]
}

/** Grouping for files whose users are not sorted. Puts the answers of each user into one partition, and groups one partition at a time. */
export class SpooledGrouping implements Grouping {
  readonly counts: AnswerCounts
  private readonly batchSize: number
  private readonly partitions: Partition[]
  private file: ScratchFile | undefined

  constructor(batchSize: number, inputBytes: number, count = inputBytes <= smallBytes ? 1 : partitionCount) {
    this.batchSize = batchSize
    this.counts = new AnswerCounts(batchSize)
    const size = count === 1 ? smallBlockBytes : blockBytes
    this.partitions = Array.from({ length: count }, () => {
      return { block: Buffer.alloc(size), filled: 0, stored: [] }
    })
  }

  add(answer: RowReader): void {
    const { length } = this.partitions
    const partition = this.partitions[answer.userHash & (length - 1)] as Partition
    const size = idPart + answer.userEnd - answer.userStart
    if (partition.filled + size > partition.block.length) this.flush(partition)
    putRecord(partition.block, partition.filled, answer)
    partition.filled += size
  }

  finish(): void {
    for (const { bytes, positions } of this.users()) {
      for (const at of positions)
        this.counts.add(
          bytes.readUInt16LE(at + keyPart),
          bytes.readUInt32LE(at + linePart),
          at === positions[0],
        )
    }
  }

  *batches(names: AnswerNames): Generator<Batch> {
    let id = 0
    for (const { bytes, positions } of this.users()) {
      const user = userAt(bytes, positions[0] as number)
      for (let first = 0; first < positions.length; first += this.batchSize) {
        const part = positions.slice(first, first + this.batchSize)
        yield { id: id++, user, rows: part.map((at) => answerAt(bytes, at, user, names)) }
      }
    }
  }

  close(): void {
    this.file?.close()
    this.file = undefined
  }

  /** Yields the users of all partitions, one partition after another. Each partition is loaded into the same memory. */
  private *users(): Generator<UserRecords> {
    const sizes = this.partitions.map(({ filled, stored }) =>
      stored.reduce((sum, { bytes }) => sum + bytes, filled),
    )
    const memory = Buffer.allocUnsafe(Math.max(...sizes))
    for (const [index, partition] of this.partitions.entries()) {
      const bytes = memory.subarray(0, sizes[index])
      this.load(partition, bytes)
      for (const positions of groupRecords(bytes)) yield { bytes, positions }
    }
  }

  private flush(partition: Partition): void {
    this.file ??= new ScratchFile()
    partition.stored.push({ position: this.file.length, bytes: partition.filled })
    this.file.write(partition.block.subarray(0, partition.filled))
    partition.filled = 0
  }

  private load({ block, filled, stored }: Partition, target: Buffer): void {
    let loaded = 0
    for (const { position, bytes } of stored) {
      this.file?.read(target.subarray(loaded, loaded + bytes), position)
      loaded += bytes
    }
    block.copy(target, loaded, 0, filled)
  }
}

function putRecord(block: Buffer, at: number, answer: RowReader): void {
  const { cells, userStart, userEnd } = answer
  block.writeDoubleLE(answer.value, at + valuePart)
  block.writeDoubleLE(answer.offset, at + offsetPart)
  block.writeUInt32LE(answer.line, at + linePart)
  block.writeUInt32LE(answer.row, at + rowPart)
  block.writeUInt16LE(answer.key, at + keyPart)
  block.writeUInt16LE(answer.zone, at + zonePart)
  block.writeUInt16LE((userEnd - userStart) | (answer.userKind << kindShift), at + userPart)
  cells.bytes.copy(block, at + idPart, userStart, userEnd)
}

function idEnd(bytes: Buffer, at: number): number {
  return at + idPart + (bytes.readUInt16LE(at + userPart) & ((1 << kindShift) - 1))
}

/** The positions of the records of each user. Users are in order of appearance. */
function groupRecords(bytes: Buffer): Iterable<number[]> {
  const byUser = new Map<string, number[]>()
  for (let at = 0, end = 0; at < bytes.length; at = end) {
    end = idEnd(bytes, at)
    // A user is identified by the kind and the bytes of the ID. Latin-1 has one character for each byte.
    const user = bytes.toString('latin1', at + userPart, end)
    const positions = byUser.get(user)
    if (positions) positions.push(at)
    else byUser.set(user, [at])
  }
  return byUser.values()
}

function userAt(bytes: Buffer, at: number): UserRef {
  const kind = userKinds[bytes.readUInt16LE(at + userPart) >> kindShift] ?? 'user_id'
  return { kind, id: bytes.toString('utf8', at + idPart, idEnd(bytes, at)) }
}

function answerAt(bytes: Buffer, at: number, user: UserRef, { keys, zones }: AnswerNames): Answer {
  return {
    row: bytes.readUInt32LE(at + rowPart),
    line: bytes.readUInt32LE(at + linePart),
    offset: bytes.readDoubleLE(at + offsetPart),
    user,
    lookup_key: keys[bytes.readUInt16LE(at + keyPart)] ?? '',
    value: bytes.readDoubleLE(at + valuePart),
    timezone: zones[bytes.readUInt16LE(at + zonePart)] ?? '',
  }
}
