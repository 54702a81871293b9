import { wholeNumberAt } from '../scan/cell-bytes.ts'
import { Cells } from '../scan/cells.ts'
import type { Reason } from '../types.ts'
import { whyNoKey, whyNoValue, whyNoZone } from './answer-reasons.ts'
import type { KeyColumn, Layout } from './layout.ts'
import type { LookupKeys } from './lookup-keys.ts'
import { type UserPairs, userKindIn, whyNoUserIn } from './reasons.ts'
import type { RecordReader } from './record-reader.ts'
import type { Survey } from './survey.ts'
import type { ZoneNames } from './time-zones.ts'
import { hashUser } from './user-hash.ts'

/** Receives the rows. The reader contains the current answer, because a new object for each row would need time and memory. */
export interface RowSink {
  answer(reader: RowReader): void
  /** Reports the invalid parts of one record. */
  reject(reader: RowReader, rows: readonly BadRow[]): void
}

export interface BadRow {
  row: number
  /**
   * Lookup key of an invalid cell. In a table with one column per lookup key, each cell counts as a row, and the other cells of the record
   * may be valid.
   */
  key?: string
  reasons: readonly Reason[]
}

interface RowSettings {
  records: RecordReader
  keys: LookupKeys
  zones: ZoneNames
  survey?: Survey | undefined
  pairs: UserPairs
  /** Time zone for rows without a time zone. */
  timezone?: string | undefined
}

/** Converts records to checked answers. Valid records are read as bytes, without strings. */
export class RowReader {
  /** Cells of the current record. The user is in `cells.bytes[userStart..userEnd)`. */
  cells: Cells = new Cells()
  userStart = 0
  userEnd = 0
  userHash = 0
  /** Index of the kind of ID in `userKinds`. */
  userKind = 0
  /** Numbers of the lookup key and of the time zone. */
  key = 0
  zone = 0
  value = 0
  row = 0
  line = 0
  offset = 0

  private readonly keys: LookupKeys
  private readonly zones: ZoneNames
  private readonly survey: Survey | undefined
  private readonly pairs: UserPairs
  readonly records: RecordReader
  private readonly layout: Layout
  private readonly sink: RowSink
  private readonly defaultZone: number

  constructor({ records, keys, zones, survey, pairs, timezone }: RowSettings, sink: RowSink) {
    const { layout } = records.table
    this.keys = keys
    this.zones = zones
    this.survey = survey
    this.pairs = pairs
    this.records = records
    this.layout = layout
    this.sink = sink
    this.defaultZone = timezone === undefined ? -1 : zones.numberOf(timezone)
  }

  get user(): string {
    return this.cells.bytes.toString('utf8', this.userStart, this.userEnd)
  }

  read(): void {
    const { scanner } = this.records
    this.line = scanner.line
    this.offset = scanner.offset
    const cells = this.records.cells()
    if (!cells) this.rejectRecord()
    else if (this.layout.form === 'long') this.readLong(cells)
    else this.readWide(cells, this.records.keyColumns)
    if (cells) this.survey?.note(cells, this.line)
  }

  /** Rejects a record without a valid user. If the input is divided into shards, always the same shard reports these records. */
  private rejectRecord(): void {
    this.userHash = 0
    this.userEnd = this.userStart
    this.reject(this.records.reason ? [this.records.reason] : [])
  }

  private readLong(cells: Cells): void {
    const { columns, names } = this.layout
    if (this.takeLong(cells)) {
      this.sink.answer(this)
      this.row++
      return
    }
    const key = cells.text(columns.lookup_key)
    const pair = [names[columns.lookup_key], names[columns.value]] as const
    this.reject([...this.whyNotUserOrZone(cells), ...this.whyNotAnswer(cells, columns.value, key, pair)])
  }

  private takeLong(cells: Cells): boolean {
    const { columns } = this.layout
    const isUserFine = this.takeUser(cells) === undefined
    const isAnswerFine = this.takeValue(cells, columns.value) && this.takeKey(cells, columns.lookup_key)
    return isUserFine && isAnswerFine && this.takeZone(cells)
  }

  private readWide(cells: Cells, keyColumns: readonly KeyColumn[]): void {
    if (this.takeUser(cells) !== undefined || !this.takeZone(cells)) {
      const filled = keyColumns.filter(({ column }) => !cells.isEmpty(column))
      const cellReasons = filled.flatMap((column) => this.whyNotCell(cells, column))
      this.reject([...this.whyNotUserOrZone(cells), ...cellReasons])
      return
    }
    const firstRow = this.row
    const bad: BadRow[] = []
    for (const keyColumn of keyColumns) {
      const { column, key } = keyColumn
      if (cells.isEmpty(column)) continue
      this.key = this.keys.numberOf(key)
      if (this.key >= 0 && this.takeValue(cells, column)) this.sink.answer(this)
      else bad.push({ row: this.row, key, reasons: this.whyNotCell(cells, keyColumn) })
      this.row++
    }
    if (this.row === firstRow) this.records.skipped++
    if (bad.length > 0) this.sink.reject(this, bad)
  }

  private whyNotCell(cells: Cells, { column, key }: KeyColumn): Reason[] {
    // A key of a JSON line has no column in the layout.
    const name = this.layout.names[column] ?? key
    return this.whyNotAnswer(cells, column, key, [name, name])
  }

  private whyNotAnswer(
    cells: Cells,
    valueColumn: number,
    key: string,
    [keyName, valueName]: readonly [string | undefined, string | undefined],
  ): Reason[] {
    const { keys } = this
    const reasons: Reason[] = []
    if (keys.numberOf(key) < 0) {
      reasons.push({ column: keyName, ...whyNoKey(key, keys) })
      if (key !== '') keys.noteUnknown(key, this.line)
    }
    if (!this.takeValue(cells, valueColumn)) {
      reasons.push({ column: valueName, ...whyNoValue(cells.text(valueColumn)) })
    }
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
    const reason = whyNoUserIn(cells, this.layout, kind, this.records.table.ids)
    return reason ?? this.pairs.whyOther(cells, this.layout, kind)
  }

  private takeKey(cells: Cells, column: number): boolean {
    this.key = this.keys.find(cells, column)
    return this.key >= 0
  }

  private takeValue(cells: Cells, column: number): boolean {
    const from = cells.starts[column] as number
    const to = cells.ends[column] as number
    this.value = wholeNumberAt(cells.bytes, from, to)
    if (Number.isNaN(this.value)) {
      this.value = withoutFraction(cells.text(column))
      if (!Number.isNaN(this.value)) this.records.decimals++
    }
    return Number.isSafeInteger(this.value)
  }

  private takeZone(cells: Cells): boolean {
    const column = this.layout.columns.timezone
    const isMissing = column < 0 || cells.isEmpty(column)
    this.zone = isMissing ? this.defaultZone : this.zones.find(cells, column)
    return this.zone >= 0
  }

  private whyNotUserOrZone(cells: Cells): Reason[] {
    return [this.takeUser(cells), this.whyNotZone(cells)].filter((reason) => reason !== undefined)
  }

  private whyNotZone(cells: Cells): Reason | undefined {
    if (this.takeZone(cells)) return undefined
    const { timezone } = this.layout.columns
    return { column: this.layout.names[timezone], ...whyNoZone(cells.text(timezone)) }
  }

  private reject(reasons: readonly Reason[]): void {
    this.sink.reject(this, [{ row: this.row, reasons }])
    this.row++
  }
}

/** Reads `61.0`, `61,0`, and `61,00` as 61. `61,000` is refused, because it could mean 61 thousand. */
function withoutFraction(text: string): number {
  return Number(/^(-?(?:0|[1-9]\d*))[.,]00?$/.exec(text)?.[1] ?? Number.NaN) + 0
}
