import { CheckPass, type PassInput } from '../check-pass.ts'
import type { RowReader } from '../rows/row-reader.ts'
import { maxUserBytes } from '../rows/user-ids.ts'
import { type Answer, type Batch, type UserRef, userKinds } from '../types.ts'
import { AnswerCounts } from './answer-counts.ts'

export interface AnswerNames {
  keys: readonly string[]
  zones: readonly string[]
}

/** Groups answers by user, in file order. */
export interface Grouping {
  add(answer: RowReader): void
  /** Whether this grouping cannot be used for the answers, for example because the users are not sorted. */
  readonly isClosed?: boolean
  readonly counts: AnswerCounts
  /** Call this after the last answer. The counts are complete then. */
  finish?(): void
  batches(names: AnswerNames): AsyncIterable<Batch> | Iterable<Batch>
  close?(): void
}

/** Grouping for a file with sorted users. Reads the file again instead of storing answers. */
export class OrderedGrouping implements Grouping {
  private readonly order = new UserOrder()
  private readonly source: PassInput
  readonly counts: AnswerCounts

  constructor(source: PassInput) {
    this.source = source
    this.counts = new AnswerCounts(source.settings.batchSize)
  }

  get isClosed(): boolean {
    return !this.order.isOrdered
  }

  add(answer: RowReader): void {
    if (this.order.isNewUser(answer)) this.counts.startUser()
    this.counts.add(answer.key, answer.line)
  }

  async *batches(): AsyncGenerator<Batch> {
    const cutter = new BatchCutter(this.source.settings.batchSize)
    const order = new UserOrder()
    let user: UserRef | undefined
    const pass = new CheckPass(this.source, (answer) => {
      if (order.isNewUser(answer) || !user)
        user = { kind: userKinds[answer.userKind] ?? 'user_id', id: answer.user }
      cutter.add(answerOf(answer, user, names))
    })
    const names = { keys: pass.keys.names, zones: pass.zones.names }
    for await (const _position of pass.read()) yield* cutter.take()
    yield* cutter.end()
  }
}

/** Splits answers into batches. All answers of a user must come before the answers of the next user. */
export class BatchCutter {
  private readonly batchSize: number
  private complete: Batch[] = []
  private current: Batch | undefined
  private nextId = 0

  constructor(batchSize: number) {
    this.batchSize = batchSize
  }

  /** Adds an answer. Answers of the same user have the same `user` object. */
  add(answer: Answer): void {
    const { current } = this
    if (current?.user === answer.user && current.rows.length < this.batchSize) {
      current.rows.push(answer)
      return
    }
    if (current) this.complete.push(current)
    this.current = { id: this.nextId++, user: answer.user, rows: [answer] }
  }

  take(): Batch[] {
    const { complete } = this
    this.complete = []
    return complete
  }

  /** Returns the last batches. Call this method after the last answer. */
  end(): Batch[] {
    return this.current ? [...this.take(), this.current] : []
  }
}

/** Detects whether users are sorted by bytes, or by length and bytes. The file then needs no temporary file. */
class UserOrder {
  isOrdered = true
  private readonly last = Buffer.alloc(maxUserBytes)
  private lastLength = 0
  private lastKind = -1
  private isBytewise = true
  private isByLength = true

  /** Whether the previous answer belongs to another user. */
  isNewUser({ cells: { bytes }, userStart, userEnd, userKind }: RowReader): boolean {
    const order = bytes.compare(this.last, 0, this.lastLength, userStart, userEnd)
    if (order === 0 && userKind === this.lastKind) return false
    const longer = userEnd - userStart - this.lastLength
    this.isBytewise &&= order > 0
    this.isByLength &&= longer > 0 || (longer === 0 && order > 0)
    this.isOrdered &&= this.isBytewise || this.isByLength
    this.lastLength = bytes.copy(this.last, 0, userStart, userEnd)
    this.lastKind = userKind
    return true
  }
}

function answerOf(answer: RowReader, user: UserRef, { keys, zones }: AnswerNames): Answer {
  const { row, line, offset, value } = answer
  const lookup_key = keys[answer.key] ?? ''
  const timezone = zones[answer.zone] ?? ''
  return { row, line, offset, user, lookup_key, value, timezone }
}
