import type { RowReader } from '../rows/row-reader.ts'
import { allocate, type Memory } from '../scan/memory.ts'
import { type Block, type BlockStore, blockBytes } from './block-store.ts'
import { maxSizeOf, type PutAnswer, putAnswer, sizeAt } from './spool-record.ts'

export interface Partition {
  blocks: Block[]
  bytes: number
  rows: number
}

/** Distributes answers to partitions by user, in file order. */
export class Spool {
  private readonly store: BlockStore
  private readonly put: PutAnswer
  private readonly mask: number
  private readonly partitions: Partition[]
  /** The current block of each partition, in one buffer: an object per record would be too slow. */
  private memory: Memory
  private readonly used: Int32Array
  private readonly rows: Float64Array

  /** `partitionCount` is a power of two. */
  constructor(store: BlockStore, partitionCount: number, put: PutAnswer = putAnswer) {
    this.store = store
    this.put = put
    this.mask = partitionCount - 1
    this.partitions = Array.from({ length: partitionCount }, () => ({ blocks: [], bytes: 0, rows: 0 }))
    this.memory = allocate(partitionCount * blockBytes)
    this.used = new Int32Array(partitionCount)
    this.rows = new Float64Array(partitionCount)
  }

  add(answer: RowReader): void {
    const index = answer.userHash & this.mask
    const at = this.roomIn(index, maxSizeOf(answer))
    this.used[index] = this.put(this.memory, at, answer) - index * blockBytes
  }

  /** Adds a spooled answer to the partition of `hash`. */
  addRecord(source: Memory, from: number, hash: number): void {
    const index = hash & this.mask
    const size = sizeAt(source, from)
    const at = this.roomIn(index, size)
    source.bytes.copy(this.memory.bytes, at, from, from + size)
    this.used[index] = (this.used[index] as number) + size
  }

  /** Writes the remaining blocks and returns the partitions. */
  finish(): Partition[] {
    for (const [index, partition] of this.partitions.entries()) {
      this.flush(index)
      partition.rows = this.rows[index] as number
    }
    this.memory = allocate(0)
    return this.partitions.splice(0)
  }

  /** Position of the next record of the partition. */
  private roomIn(index: number, size: number): number {
    if ((this.used[index] as number) + size > blockBytes) this.flush(index)
    this.rows[index] = (this.rows[index] as number) + 1
    return index * blockBytes + (this.used[index] as number)
  }

  private flush(index: number): void {
    const bytes = this.used[index] as number
    const partition = this.partitions[index]
    if (bytes === 0 || !partition) return
    const from = index * blockBytes
    partition.blocks.push(this.store.write(this.memory.bytes.subarray(from, from + bytes)))
    partition.bytes += bytes
    this.used[index] = 0
  }
}
