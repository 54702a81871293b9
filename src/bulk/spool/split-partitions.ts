import { allocate } from '../scan/memory.ts'
import { type BlockStore, blockBytes } from './block-store.ts'
import { type Partition, Spool } from './spool.ts'
import { copyRecord, hashAt, isSameUser, type SpooledRecord, sizeAt } from './spool-record.ts'

const splitCount = 16

/** Users with equal hashes cannot be separated and are grouped in memory. */
const maxDepth = 7

/** A partition that fits into memory, or that contains only one user. */
export interface GroupablePartition extends Partition {
  isOneUser: boolean
}

/** Splits partitions that are larger than `maxBytes` by other bits of the hash. */
export function splitPartitions(
  store: BlockStore,
  partitions: readonly Partition[],
  maxBytes: number,
  depth = 0,
): GroupablePartition[] {
  return partitions.flatMap((partition) => {
    const isSmall = partition.bytes <= maxBytes || depth === maxDepth
    const isOneUser = !isSmall && hasOneUser(store, partition)
    if (isSmall || isOneUser) return partition.rows > 0 ? [{ ...partition, isOneUser }] : []
    return splitPartitions(store, splitOnce(store, partition, depth), maxBytes, depth + 1)
  })
}

/** In file order. */
export function* recordsOf(store: BlockStore, partition: Partition): Generator<SpooledRecord> {
  const record = { memory: allocate(blockBytes), at: 0 }
  for (const block of partition.blocks) {
    store.read(block, record.memory.bytes, 0)
    for (record.at = 0; record.at < block.bytes; record.at += sizeAt(record.memory, record.at)) yield record
  }
}

function hasOneUser(store: BlockStore, partition: Partition): boolean {
  let first: DataView | undefined
  for (const { memory, at } of recordsOf(store, partition)) {
    first ??= copyRecord(memory, at).view
    if (!isSameUser(first, 0, memory.view, at)) return false
  }
  return true
}

function splitOnce(store: BlockStore, partition: Partition, depth: number): Partition[] {
  const spool = new Spool(store, splitCount)
  for (const { memory, at } of recordsOf(store, partition)) {
    const hash = respread(hashAt(memory, at), depth)
    spool.addRecord(memory, at, hash)
  }
  for (const block of partition.blocks) store.release(block)
  return spool.finish()
}

/** Uses different bits of the hash at each depth. */
function respread(hash: number, depth: number): number {
  const mixed = Math.imul(hash ^ Math.imul(depth + 1, 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
