import { type AnswerTarget, CheckPass, type PassInput } from '../check-pass.ts'
import { type RowReader, userKinds } from '../rows/row-reader.ts'
import type { Answer, Batch, UserRef } from '../types.ts'
import type { AnswerCounts } from './answer-counts.ts'
import type { BatchCutter } from './batch-cutter.ts'
import { BlockStore } from './block-store.ts'
import { type GroupablePartition, recordsOf, splitPartitions } from './split-partitions.ts'
import { type Partition, Spool } from './spool.ts'
import {
  type AnswerNames,
  answerAt,
  keyAt,
  lineAt,
  type PutAnswer,
  type SpooledRecord,
  userAt,
} from './spool-record.ts'
import { UserGroups } from './user-groups.ts'
import { UserOrder } from './user-order.ts'

/** Groups answers by user, in file order. */
export interface Grouping extends AnswerTarget {
  /** Call it after the last answer. Then the counts are complete. */
  finish(): void
  batches(cutter: BatchCutter, names: AnswerNames): AsyncIterable<Batch> | Iterable<Batch>
  close(): void
}

/** For a file with users in ascending order. Reads the file again instead of storing answers. */
export class OrderedGrouping implements Grouping {
  private readonly order = new UserOrder()
  private readonly source: PassInput
  private readonly counts: AnswerCounts

  constructor(source: PassInput, counts: AnswerCounts) {
    this.source = source
    this.counts = counts
  }

  get isClosed(): boolean {
    return !this.order.isOrdered
  }

  add(answer: RowReader): void {
    if (this.order.isNewUser(answer)) this.counts.startUser()
    this.counts.add(answer.key, answer.line)
  }

  finish(): void {}

  async *batches(cutter: BatchCutter): AsyncGenerator<Batch> {
    const order = new UserOrder()
    let user: UserRef | undefined
    const target = {
      add(answer: RowReader) {
        if (order.isNewUser(answer) || !user) user = cutter.startUser(userOf(answer))
        if (cutter.next()) cutter.add(answerOf(answer, user, names))
      },
    }
    const pass = new CheckPass(this.source, target)
    const names = { keys: pass.keys.names, zones: pass.zones.names }
    for await (const _position of pass.read()) yield* cutter.take()
    cutter.end()
    yield* cutter.take()
  }

  close(): void {}
}

/**
 * For other files. Spools answers in partitions by user, and groups one partition at a time. Records that are only
 * counted make no batches.
 */
export class SpooledGrouping implements Grouping {
  private readonly store = new BlockStore()
  private readonly spool: Spool
  private readonly counts: AnswerCounts
  private readonly maxPartitionBytes: number
  private partitions: GroupablePartition[] = []

  constructor(counts: AnswerCounts, partitionCount: number, maxPartitionBytes: number, put?: PutAnswer) {
    this.counts = counts
    this.spool = new Spool(this.store, partitionCount, put)
    this.maxPartitionBytes = maxPartitionBytes
  }

  add(answer: RowReader): void {
    this.spool.add(answer)
  }

  finish(): void {
    this.partitions = splitPartitions(this.store, this.spool.finish(), this.maxPartitionBytes)
    const groups = new UserGroups()
    for (const partition of this.partitions) {
      if (partition.isOneUser) this.countOneUser(partition)
      else {
        groups.load(this.store, partition)
        groups.countInto(this.counts)
      }
    }
  }

  *batches(cutter: BatchCutter, names: AnswerNames): Generator<Batch> {
    for (const records of this.users()) {
      let user: UserRef | undefined
      for (const { memory, at } of records) {
        user ??= cutter.startUser(userAt(memory, at))
        if (cutter.next()) cutter.add(answerAt(memory, at, user, names))
        if (cutter.hasReady) yield* cutter.take()
      }
    }
    cutter.end()
    yield* cutter.take()
  }

  close(): void {
    this.store.close()
  }

  private *users(): Generator<Iterable<SpooledRecord>> {
    const groups = new UserGroups()
    for (const partition of this.partitions) {
      if (partition.isOneUser) yield recordsOf(this.store, partition)
      else {
        groups.load(this.store, partition)
        yield* groups.users()
      }
    }
  }

  private countOneUser(partition: Partition): void {
    this.counts.startUser()
    for (const { memory, at } of recordsOf(this.store, partition)) {
      this.counts.add(keyAt(memory, at), lineAt(memory, at))
    }
  }
}

function userOf(answer: RowReader): UserRef {
  const id = answer.cells.bytes.toString('utf8', answer.userStart, answer.userEnd)
  return { kind: userKinds[answer.userKind] ?? 'user_id', id }
}

function answerOf(answer: RowReader, user: UserRef, names: AnswerNames): Answer {
  const { row, line, offset, value } = answer
  return {
    row,
    line,
    offset,
    user,
    lookup_key: names.keys[answer.key] ?? '',
    value,
    timezone: names.zones[answer.zone] ?? '',
  }
}
