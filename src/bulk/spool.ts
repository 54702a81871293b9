import { type Block, type BlockStore, blockBytes } from './block-store.ts'
import type { RowReader } from './row-reader.ts'
import { headerBytes, type SpoolMemory, spoolMemory } from './spool-record.ts'

export interface Partition {
  blocks: Block[]
  bytes: number
  rows: number
}

interface OpenPartition extends Partition, SpoolMemory {
  used: number
}

/** Distributes answers over partitions by their user, in file order within each. */
export class Spool {
  private readonly store: BlockStore
  private readonly partitions: OpenPartition[]

  /** `partitionCount` is a power of two. */
  constructor(store: BlockStore, partitionCount: number) {
    this.store = store
    this.partitions = Array.from({ length: partitionCount }, openPartition)
  }

  add(answer: RowReader): void {
    const userBytes = answer.userEnd - answer.userStart
    const size = headerBytes + ((userBytes + 7) & ~7)
    const partition = this.roomFor(answer.userHash, size)
    const { words, floats, buffer, used } = partition
    const word = used >>> 2
    const float = used >>> 3
    words[word] = answer.userHash
    words[word + 1] = userBytes | (answer.userKind << 16)
    words[word + 2] = answer.key | (answer.zone << 16)
    words[word + 3] = size
    floats[float + 2] = answer.value
    floats[float + 3] = answer.offset
    floats[float + 4] = answer.row
    floats[float + 5] = answer.line
    floats[(used + size - 8) >>> 3] = 0
    copyBytes(answer.bytes, answer.userStart, answer.userEnd, buffer, used + headerBytes)
    partition.used = used + size
    partition.rows++
  }

  /** Adds a spooled answer to the partition that `hash` names. */
  addRecord(source: Buffer, from: number, size: number, hash: number): void {
    const partition = this.roomFor(hash, size)
    source.copy(partition.buffer, partition.used, from, from + size)
    partition.used += size
    partition.rows++
  }

  /** Writes what is left and gives the partitions up. */
  finish(): Partition[] {
    const partitions = this.partitions.map((partition) => {
      this.flush(partition)
      const { blocks, bytes, rows } = partition
      return { blocks, bytes, rows }
    })
    this.partitions.length = 0
    return partitions
  }

  private roomFor(hash: number, size: number): OpenPartition {
    const partition = this.partitions[hash & (this.partitions.length - 1)] as OpenPartition
    if (partition.used + size > blockBytes) this.flush(partition)
    return partition
  }

  private flush(partition: OpenPartition): void {
    if (partition.used === 0) return
    partition.blocks.push(this.store.write(partition.buffer.subarray(0, partition.used)))
    partition.bytes += partition.used
    partition.used = 0
  }
}

function openPartition(): OpenPartition {
  return { blocks: [], bytes: 0, rows: 0, used: 0, ...spoolMemory(blockBytes) }
}

/** A loop beats the call into native code for ids of usual length. */
function copyBytes(source: Buffer, from: number, to: number, target: Buffer, at: number): void {
  if (to - from > 64) {
    source.copy(target, at, from, to)
    return
  }
  for (let index = from; index < to; index++) target[at + index - from] = source[index] as number
}
