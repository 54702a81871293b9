import type { Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { UsageError } from '../../base/errors.ts'
import { nulInput, openQuote, readText } from '../input-file.ts'
import { shownMark, skipApostrophes } from '../scan/cell-bytes.ts'
import { Cells, isBlankCell, replaceCell, resolveQuotes, trimCell, trimmedText } from '../scan/cells.ts'
import { chunkBytes, RecordScanner } from '../scan/scanner.ts'
import { type Reason, unknownCodes } from '../types.ts'
import { JsonCells } from './json-cells.ts'
import { type KeyColumn, resultColumns } from './layout.ts'
import { strayQuote, widthReason } from './reasons.ts'
import type { Table } from './table.ts'

const codeColumn = resultColumns.indexOf('_code')
const unknownRecord = new RegExp(`"_code":"(${[...unknownCodes].join('|')})"`)

/** Reads records of a table or of JSON lines as cells, in the order of the layout. */
export class RecordReader {
  readonly table: Table
  /** The current record. */
  readonly scanner: RecordScanner
  /** Problem with the current record. */
  reason: Reason | undefined
  /** Number of cells whose surrounding spaces were removed. */
  trimmed = 0
  /** IDs in the file, by the changed ID that is used. */
  readonly changedIds = new Map<string, string>()
  /** Number of IDs whose leading zeros were restored. */
  restored = 0
  private readonly json: JsonCells | undefined
  private readonly resolved = new Cells()
  private readonly changed = new Cells()
  private readonly extra: number

  constructor(table: Table) {
    const { format, layout, rules } = table
    this.table = table
    this.scanner = new RecordScanner(table.dialect, table.data)
    this.json = format === 'jsonl' ? new JsonCells(layout, rules) : undefined
    this.extra = layout.isResult ? resultColumns.length : 0
  }

  /** Columns of lookup keys in the wide form. Later JSON lines can add keys. */
  get keyColumns(): readonly KeyColumn[] {
    const { json } = this
    const { keyColumns, names } = this.table.layout
    return json ? json.keyNames.map((key, index) => ({ column: names.length + index, key })) : keyColumns
  }

  /** Reads the input in chunks. After each position, call `next` until it returns false. */
  async *positions(hash?: Hash): AsyncGenerator<number> {
    const { scanner } = this
    const { input, data } = this.table
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (let position = 0; position < input.end; ) {
      const count = readText(input, buffer.subarray(0, input.end - position), position)
      const text = buffer.subarray(0, count)
      hash?.update(text)
      scanner.push(text.subarray(Math.max(0, data.offset - position)))
      position += count
      yield position
      // Signals and timers run during this pause. A synchronous read is faster than a read in the thread pool.
      await setImmediate()
    }
    scanner.finish()
    yield input.end
  }

  /** Moves to the next record of the chunk. */
  next(): boolean {
    const isFound = this.scanner.next()
    if (this.scanner.nulAt >= 0) throw nulInput(this.table.input, this.scanner.nulAt)
    return isFound
  }

  /** The cells of the current record, or undefined and a reason. */
  cells(): Cells | undefined {
    const { scanner, json } = this
    this.reason = undefined
    if (scanner.fault !== undefined) {
      if (scanner.fault !== 'stray_quote') throw openQuote(this.table.input, scanner)
      this.reason = strayQuote
      return undefined
    }
    if (!json) return this.tableCells()
    this.reason = json.read(scanner.record)
    return this.reason ? undefined : this.padded(json.cells)
  }

  /** Restores leading zeros of the ID (`--ids pad:N`). */
  private padded(cells: Cells): Cells {
    const { padTo } = this.table.ids
    const column = this.table.layout.columns.external_user_id
    if (padTo === 0 || column < 0) return cells
    const written = cells.text(column)
    if (trimCell(cells, column)) this.trimmed++
    const id = this.usedId(written, padTo)
    if (id !== written) this.changedIds.set(id, written)
    if (id === cells.text(column)) return cells
    this.restored++
    replaceCell(cells, this.resolved === cells ? this.changed : this.resolved, column, id)
    return this.resolved === cells ? this.changed : this.resolved
  }

  /** The ID that is sent for an ID in the file. */
  usedId(written: string, padTo: number): string {
    const id = trimmedText(written)
    return /^\d+$/.test(id) ? id.padStart(padTo, '0') : id
  }

  /** Removes spaces around the cells of the current record. Returns whether there were any. */
  trim(cells: Cells): boolean {
    const { ids, layout } = this.table
    let found = 0
    for (let column = 0; column < cells.count; column++) {
      const isId = column === layout.columns.external_user_id || column === layout.columns.user_id
      if (isId && ids.isExact) continue
      const written = isId ? cells.text(column) : ''
      if (!trimCell(cells, column)) continue
      found++
      if (isId && !cells.isEmpty(column)) this.changedIds.set(cells.text(column), written)
    }
    this.trimmed += found
    return found > 0
  }

  /** Whether the current record is from a file of unknown rows. */
  hasUnknownOutcome(cells: Cells): boolean {
    const { names, isResult } = this.table.layout
    if (isResult) return unknownCodes.has(cells.text(names.length + codeColumn))
    const { json, scanner } = this
    return (
      json !== undefined &&
      scanner.record.includes('"_code":') &&
      unknownRecord.test(scanner.record.toString())
    )
  }

  /** Whether the current record contains only delimiters and spaces. */
  isBlank(): boolean {
    const { cells } = this.scanner
    for (let column = 0; column < cells.count; column++) if (!isBlankCell(cells, column)) return false
    return true
  }

  private tableCells(): Cells | undefined {
    const { names, isResult } = this.table.layout
    let { cells } = this.scanner
    if (this.scanner.escaped) {
      resolveQuotes(cells, this.resolved)
      cells = this.resolved
    }
    if (isResult) skipApostrophes(cells)
    if (this.table.input.sheet !== undefined) this.completeSheetRow(cells)
    if (this.extra === 0) this.dropBlankEnd(cells)
    const count = cells.count - this.extra
    if (count === names.length && this.hasBlankEnd(cells)) return this.padded(cells)
    this.reason = widthReason(count, names.length)
    return undefined
  }

  /** Fills a row of a sheet, which ends at its last cell with a value. IDs keep their mark, so that they are refused. */
  private completeSheetRow(cells: Cells): void {
    const { ids, layout } = this.table
    const width = layout.names.length + this.extra
    const end = cells.ends[cells.count - 1] as number
    for (; cells.count < width; cells.count++) {
      cells.starts[cells.count] = end
      cells.ends[cells.count] = end
    }
    for (let column = 0; column < cells.count; column++) {
      const isId = column === layout.columns.external_user_id && ids.isChecked && !ids.isExact
      while (!isId && !cells.isEmpty(column) && cells.bytes[cells.starts[column] as number] === shownMark)
        cells.starts[column] = (cells.starts[column] as number) + 1
    }
  }

  /** Removes additional delimiters at the end of a row. */
  private dropBlankEnd(cells: Cells): void {
    while (cells.count > this.table.layout.names.length && isBlankCell(cells, cells.count - 1)) cells.count--
  }

  private hasBlankEnd(cells: Cells): boolean {
    const { blankFrom, names } = this.table.layout
    for (let column = blankFrom; column < names.length; column++) {
      if (!cells.isEmpty(column)) return false
    }
    return true
  }
}

/** IDs that were trimmed or padded, by the ID in the file. */
export type ChangedIds = ReadonlyMap<string, string>

/** Refuses a file in which a changed ID equals another ID, because the rows may be about different people. */
export async function refuseMergedIds(table: Table, changed: ChangedIds): Promise<void> {
  if (changed.size === 0) return
  const column = table.layout.columns.external_user_id
  const records = new RecordReader({ ...table, ids: { isExact: true, isChecked: false, padTo: 0 } })
  for await (const _position of records.positions()) {
    while (records.next()) {
      const written = records.cells()?.text(column) ?? ''
      const other = changed.get(written) ?? changed.get(records.usedId(written, table.ids.padTo))
      if (other === undefined || other === written || written === '') continue
      throw new UsageError(
        `"${other}" and "${written}" (line ${records.scanner.line}) of ${table.input.name} are the same user ID after spaces are removed and zeros are restored`,
        { hint: 'Correct the IDs, or use them as they are written with --ids exact.' },
      )
    }
  }
}
