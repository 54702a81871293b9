import { Cells, wholeNumberAt } from '../scan/cells.ts'
import type { Reason } from '../types.ts'
import type { LookupKeys } from './lookup-keys.ts'
import { whyNoKey, whyNoValue, whyNoZone } from './reasons.ts'
import type { RecordReader } from './record-reader.ts'
import type { KeyColumn, Layout } from './table.ts'
import type { ZoneNames } from './time-zones.ts'
import { hashUser } from './user-hash.ts'
import { type UserPairs, userKindIn, whyNoUserIn, whyOtherUser } from './user-ids.ts'

/** Receives the rows, and provides shared data. All answers use one object, because a new object for each row would be slow. */
export interface RowSink {
  readonly records: RecordReader
  readonly keys: LookupKeys
  readonly zones: ZoneNames
  readonly pairs: UserPairs
  answer(reader: RowReader): void
  /** Reports the invalid parts of one record. */
  reject(reader: RowReader, rows: readonly BadRow[]): void
}

export interface BadRow {
  row: number
  /** Lookup key of an invalid cell, in a table with one column per lookup key. The other cells of the record may be valid. */
  key?: string | undefined
  reasons: readonly Reason[]
}

/** A column of values. In the long form, `key` is undefined, because another cell contains the lookup key. */
type AnswerColumn = Pick<KeyColumn, 'column'> & Partial<KeyColumn>

const noReasons: readonly Reason[] = []

/** Converts records to checked answers. Reads valid records as bytes, because creating strings would be slow. */
export class RowReader {
  /** Cells of the current record. The user is in `cells.bytes[userStart..userEnd)`. */
  cells: Cells = new Cells()
  userStart = 0
  userEnd = 0
  userHash = 0
  /** The kind of the user's ID, as an index of `userKinds`. */
  userKind = 0
  /** `key` and `zone` are positions in the lists of lookup keys and time zone names. -1 if the name is not in the list. */
  key = 0
  zone = 0
  value = 0
  row = 0
  line = 0
  offset = 0

  private readonly sink: RowSink
  private readonly layout: Layout
  private readonly longColumns: readonly AnswerColumn[]
  private readonly defaultZone: number

  /** `timezone` applies to rows that have no time zone. */
  constructor(sink: RowSink, timezone: string | undefined) {
    this.sink = sink
    this.layout = sink.records.table.layout
    this.longColumns = [{ column: this.layout.columns.value }]
    this.defaultZone = timezone === undefined ? -1 : sink.zones.numberOf(timezone)
  }

  get user(): string {
    return this.cells.bytes.toString('utf8', this.userStart, this.userEnd)
  }

  /** Reads the current record. Returns its cells, or undefined if the record has no valid cells. */
  read(): Cells | undefined {
    const { records } = this.sink
    this.line = records.scanner.line
    this.offset = records.scanner.offset
    const cells = records.cells()
    if (!cells) {
      // A record without a valid user belongs to no shard. It gets the hash 0, so each run assigns it to the same shard.
      this.userHash = 0
      this.userEnd = this.userStart
      this.reject(records.reason ? [records.reason] : [])
      return undefined
    }
    const noUser = this.takeUser(cells)
    const noZone = this.takeZone(cells)
    if (noUser || noZone) {
      const noAnswer = this.answerColumns.flatMap((column) => this.takeAnswer(cells, column) ?? [])
      this.reject([noUser, noZone, ...noAnswer].filter((reason) => reason !== undefined))
    } else this.readAnswers(cells)
    return cells
  }

  private get answerColumns(): readonly AnswerColumn[] {
    return this.layout.form === 'long' ? this.longColumns : this.sink.records.keyColumns
  }

  private readAnswers(cells: Cells): void {
    const firstRow = this.row
    let bad: BadRow[] | undefined
    for (const column of this.answerColumns) {
      const reasons = this.takeAnswer(cells, column)
      if (!reasons) continue
      if (reasons.length === 0) this.sink.answer(this)
      else {
        bad ??= []
        bad.push({ row: this.row, key: column.key, reasons })
      }
      this.row++
    }
    if (this.row === firstRow) this.sink.records.skipped++
    if (bad) this.sink.reject(this, bad)
  }

  private reject(reasons: readonly Reason[]): void {
    this.sink.reject(this, [{ row: this.row, reasons }])
    this.row++
  }

  /** Reads an answer. Returns the reasons why it is invalid. Undefined for an empty cell of the wide form, which is not an answer. */
  private takeAnswer(
    cells: Cells,
    { column, key: keyOfColumn }: AnswerColumn,
  ): readonly Reason[] | undefined {
    if (keyOfColumn !== undefined && cells.isEmpty(column)) return undefined
    const { columns, names } = this.layout
    const { keys } = this.sink
    this.key = keyOfColumn === undefined ? keys.find(cells, columns.lookup_key) : keys.numberOf(keyOfColumn)
    this.takeValue(cells, column)
    if (this.key >= 0 && Number.isSafeInteger(this.value)) return noReasons
    const reasons: Reason[] = []
    // If a key of a JSON line has no column in the layout, the key itself is the column name in messages.
    const name = names[column] ?? keyOfColumn
    if (this.key < 0) {
      const key = keyOfColumn ?? cells.text(columns.lookup_key)
      const keyColumn = keyOfColumn === undefined ? names[columns.lookup_key] : name
      reasons.push({ column: keyColumn, ...whyNoKey(key, keys) })
      if (key !== '') keys.noteUnknown(key, this.line)
    }
    if (!Number.isSafeInteger(this.value)) reasons.push({ column: name, ...whyNoValue(cells.text(column)) })
    return reasons
  }

  private takeUser(cells: Cells): Reason | undefined {
    const kind = userKindIn(cells, this.layout)
    const column = this.layout.columns[kind]
    this.cells = cells
    this.userStart = cells.starts[column] as number
    this.userEnd = cells.ends[column] as number
    this.userKind = kind === 'user_id' ? 1 : 0
    this.userHash = hashUser(cells.view, this.userStart, this.userEnd)
    const reason = whyNoUserIn(cells, this.layout, kind, this.sink.records.ids)
    return reason ?? whyOtherUser(cells, this.layout, kind, this.sink.pairs)
  }

  private takeZone(cells: Cells): Reason | undefined {
    const { timezone } = this.layout.columns
    const isMissing = timezone < 0 || cells.isEmpty(timezone)
    this.zone = isMissing ? this.defaultZone : this.sink.zones.find(cells, timezone)
    if (this.zone >= 0) return undefined
    return { column: this.layout.names[timezone], ...whyNoZone(isMissing ? '' : cells.text(timezone)) }
  }

  private takeValue(cells: Cells, column: number): void {
    this.value = wholeNumberAt(cells.bytes, cells.starts[column] as number, cells.ends[column] as number)
    if (!Number.isNaN(this.value)) return
    this.value = withoutFraction(cells.text(column))
    if (!Number.isNaN(this.value)) this.sink.records.normalized.decimals++
  }
}

/** Reads `61.0`, `61,0`, and `61,00` as 61. `61,000` is refused, because it could mean 61 thousand. */
function withoutFraction(text: string): number {
  return Number(/^(-?(?:0|[1-9]\d*))[.,]00?$/.exec(text)?.[1] ?? Number.NaN) + 0
}
