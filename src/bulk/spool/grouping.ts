import { type AnswerTarget, CheckPass, type PassInput } from '../check-pass.ts'
import { maxUserBytes } from '../rows/reasons.ts'
import { type RowReader, userKinds } from '../rows/row-reader.ts'
import type { Answer, Batch, UserRef } from '../types.ts'
import type { AnswerCounts } from './answer-counts.ts'
import type { BatchCutter } from './batch-cutter.ts'
import type { AnswerNames, Spool } from './spool.ts'

/** Groups answers by user, in file order. */
export interface Grouping extends AnswerTarget {
  readonly counts: AnswerCounts
  /** Call it after the last answer. Then the counts are complete. */
  finish?(): void
  batches(cutter: BatchCutter, names: AnswerNames): AsyncIterable<Batch> | Iterable<Batch>
  close?(): void
}

/** For a file with users in ascending order. Reads the file again instead of storing answers. */
export class OrderedGrouping implements Grouping {
  private readonly order = new UserOrder()
  private readonly source: PassInput
  readonly counts: AnswerCounts

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
}

/** For other files. Spools the answers, and groups one partition at a time. */
export class SpooledGrouping implements Grouping {
  private readonly spool: Spool
  readonly counts: AnswerCounts

  constructor(counts: AnswerCounts, spool: Spool) {
    this.counts = counts
    this.spool = spool
  }

  add(answer: RowReader): void {
    this.spool.add(answer)
  }

  finish(): void {
    const { counts } = this
    for (const partition of this.spool.loaded()) {
      for (const first of partition.users()) {
        counts.startUser()
        for (let at: number | undefined = first; at !== undefined; at = partition.nextAt(at)) {
          counts.add(partition.keyAt(at), partition.lineAt(at))
        }
      }
    }
  }

  *batches(cutter: BatchCutter, names: AnswerNames): Generator<Batch> {
    for (const partition of this.spool.loaded()) {
      for (const first of partition.users()) {
        const user = cutter.startUser(partition.userAt(first))
        for (let at: number | undefined = first; at !== undefined; at = partition.nextAt(at)) {
          if (cutter.next()) cutter.add(partition.answerAt(at, user, names))
        }
        yield* cutter.take()
      }
    }
    cutter.end()
    yield* cutter.take()
  }

  close(): void {
    this.spool.close()
  }
}

/** Detects whether users are in ascending order, by bytes or by length and bytes. Then the file needs no spool. */
class UserOrder {
  isOrdered = true
  private readonly last = Buffer.alloc(maxUserBytes)
  private lastLength = 0
  private lastKind = -1
  private isBytewise = true
  private isByLength = true

  /** Whether the previous answer has another user. */
  isNewUser(answer: RowReader): boolean {
    const length = answer.userEnd - answer.userStart
    const difference = this.compare(answer, length)
    if (difference === 0 && length === this.lastLength && answer.userKind === this.lastKind) return false
    this.isBytewise &&= difference > 0 || (difference === 0 && length > this.lastLength)
    this.isByLength &&= length > this.lastLength || (length === this.lastLength && difference > 0)
    this.isOrdered &&= this.isBytewise || this.isByLength
    answer.cells.bytes.copy(this.last, 0, answer.userStart, answer.userEnd)
    this.lastLength = length
    this.lastKind = answer.userKind
    return true
  }

  /** The first difference in the common length. */
  private compare(answer: RowReader, length: number): number {
    const common = Math.min(length, this.lastLength)
    for (let index = 0; index < common; index++) {
      const difference =
        (answer.cells.bytes[answer.userStart + index] as number) - (this.last[index] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function userOf(answer: RowReader): UserRef {
  return { kind: userKinds[answer.userKind] ?? 'user_id', id: answer.user }
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
