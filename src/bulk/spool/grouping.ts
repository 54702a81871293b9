import { CheckPass, type PassInput } from '../check-pass.ts'
import type { RowReader } from '../rows/row-reader.ts'
import { maxUserBytes } from '../rows/user-ids.ts'
import { type Batch, userKinds } from '../types.ts'
import { AnswerCounts } from './answer-counts.ts'

export interface AnswerNames {
  keys: readonly string[]
  zones: readonly string[]
}

/** Groups answers by user, in file order. */
export interface Grouping {
  add(answer: RowReader): void
  /** Whether the answers cannot be grouped in this way, for example because the users are not sorted. */
  readonly isClosed?: boolean
  readonly counts: AnswerCounts
  /** Call this after the last answer of the file. The counts are then complete. */
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
    this.counts.add(answer.key, answer.line, this.order.isNewUser(answer))
  }

  async *batches(): AsyncGenerator<Batch> {
    const { batchSize } = this.source.settings
    const order = new UserOrder()
    // Batches read so far. Only the last batch can still receive answers.
    const read: Batch[] = []
    let id = 0
    const pass: CheckPass = new CheckPass(this.source, (answer) => {
      const { row, line, offset, key, zone, value, userKind } = answer
      const last = read.at(-1)
      const isNewUser = order.isNewUser(answer) || !last
      const user =
        last && !isNewUser ? last.user : { kind: userKinds[userKind] ?? 'user_id', id: answer.user }
      const [lookup_key = '', timezone = ''] = [pass.keys.names[key], pass.zones.names[zone]]
      const parsed = { row, line, offset, user, lookup_key, value, timezone }
      // An array that starts with its first answer needs less memory than an empty array that grows.
      if (last && !isNewUser && last.rows.length < batchSize) last.rows.push(parsed)
      else read.push({ id: id++, user, rows: [parsed] })
    })
    for await (const _position of pass.read()) yield* read.splice(0, read.length - 1)
    yield* read
  }
}

/** Detects whether users are sorted by bytes, or by length and bytes. A sorted file needs no temporary file. */
class UserOrder {
  isOrdered = true
  private readonly last = Buffer.alloc(maxUserBytes)
  private lastLength = 0
  private lastKind = -1
  private isBytewise = true
  private isByLength = true

  /** Whether the current answer and the previous answer belong to different users. */
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
