import type { RowReader } from '../rows/row-reader.ts'
import { allocate, type Memory } from '../scan/memory.ts'
import { type Block, type BlockStore, blockBytes } from './block-store.ts'
import { putAnswer, sizeAt, sizeOf } from './spool-record.ts'

export interface Partition {
  blocks: Block[]
  bytes: number
  rows: number
}

interface OpenPartition extends Partition {
  memory: Memory
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
    const size = sizeOf(answer)
    const partition = this.roomFor(answer.userHash, size)
    putAnswer(partition.memory, partition.used, answer)
    partition.used += size
    partition.rows++
  }

  /** Adds a spooled answer to the partition that `hash` names. */
  addRecord(source: Memory, from: number, hash: number): void {
    const size = sizeAt(source, from)
    const partition = this.roomFor(hash, size)
    source.bytes.copy(partition.memory.bytes, partition.used, from, from + size)
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
    partition.blocks.push(this.store.write(partition.memory.bytes.subarray(0, partition.used)))
    partition.bytes += partition.used
    partition.used = 0
  }
}

function openPartition(): OpenPartition {
  return { blocks: [], bytes: 0, rows: 0, used: 0, memory: allocate(blockBytes) }
}
