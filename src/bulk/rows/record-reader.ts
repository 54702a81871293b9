import { setImmediate } from 'node:timers/promises'
import { UsageError } from '../../base/errors.ts'
import { nulInput, openQuote, readText } from '../input-file.ts'
import {
  Cells,
  isBlankCell,
  replaceCell,
  resolveQuotes,
  shownMark,
  skipApostrophes,
  trimCell,
  trimmedText,
} from '../scan/cells.ts'
import { chunkBytes, RecordScanner } from '../scan/scanner.ts'
import type { Plan } from '../schemas.ts'
import { type Reason, unknownCodes } from '../types.ts'
import {
  type IdRules,
  idRules,
  type JsonReader,
  type KeyColumn,
  resultColumns,
  strayQuote,
  type Table,
  whyJoined,
  widthReason,
} from './table.ts'

const codeColumn = resultColumns.indexOf('_code')
const unknownRecord = new RegExp(`"_code":"(${[...unknownCodes].join('|')})"`)

/** Reads records of a table or of JSON lines as cells, in the order of the layout. */
export class RecordReader {
  readonly table: Table
  readonly scanner: RecordScanner
  readonly ids: IdRules
  /** Reason why the current record is invalid. */
  reason: Reason | undefined
  /** Counts for the plan, such as the cells from which spaces were removed and the IDs whose leading zeros were restored. */
  readonly normalized: Plan['normalized']
  /** Original texts of the IDs that were trimmed or padded. Each key is the ID that is sent. */
  readonly changedIds = new Map<string, string>()
  /** Number of rows without content. */
  skipped = 0
  private readonly json: JsonReader | undefined
  private readonly resolved = new Cells()
  private readonly padding = new Cells()
  private readonly extra: number

  constructor(table: Table) {
    const { layout } = table
    this.table = table
    this.ids = idRules(table.rules)
    this.scanner = new RecordScanner(table.dialect, table.data)
    this.json = table.json?.openCells()
    this.normalized = { trimmed_cells: 0, decimals: 0, restored_ids: 0, title_lines: table.titleLines ?? 0 }
    this.extra = layout.isResult ? resultColumns.length : 0
  }

  /** Columns of lookup keys in the wide form (one column per lookup key). Later JSON lines can add keys. */
  get keyColumns(): readonly KeyColumn[] {
    const { json } = this
    const { keyColumns, names } = this.table.layout
    if (!json || json.keyNames.length === 0) return keyColumns
    return [...keyColumns, ...json.keyNames.map((key, index) => ({ column: names.length + index, key }))]
  }

  /** Reads the input in chunks, and yields the position of each chunk. After each position, call `next` until it returns false. */
  async *positions(): AsyncGenerator<number> {
    const { scanner } = this
    const { input, data } = this.table
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (let position = 0; position < input.end; ) {
      const count = readText(input, buffer.subarray(0, input.end - position), position)
      const text = buffer.subarray(0, count)
      scanner.push(text.subarray(Math.max(0, data.offset - position)))
      position += count
      yield position
      // Signals and timers are handled during this pause. Reading synchronously blocks them, but is faster than reading in the thread pool.
      await setImmediate()
    }
    scanner.finish()
    yield input.end
  }

  /** Moves to the next record of the chunk. Skips records that contain only delimiters and spaces. */
  next(): boolean {
    const { scanner } = this
    while (scanner.next()) {
      if (scanner.nulAt >= 0) break
      if (scanner.fault !== undefined || !isEmptyRecord(scanner)) return true
      this.skipped++
    }
    if (scanner.nulAt >= 0) throw nulInput(this.table.input, scanner.nulAt)
    return false
  }

  /** Returns the cells of the current record. If the record is invalid, returns undefined and sets `reason`. */
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
    return this.reason ? undefined : this.cleaned(json.cells)
  }

  /** Removes the spaces around the cells. If `--ids pad:N` is set, also restores the leading zeros of the ID. */
  private cleaned(cells: Cells): Cells {
    const { ids } = this
    const { layout, input } = this.table
    const { external_user_id: external, user_id: internal } = layout.columns
    const { bytes, starts, ends } = cells
    // A record with only visible ASCII characters needs no check, except in JSON, in which escapes can stand for other characters.
    const count = this.scanner.isVisible && !this.json ? 0 : cells.count
    for (let column = 0; column < count; column++) {
      const from = starts[column]
      const to = ends[column]
      const isId = column === external || column === internal
      if ((isId && ids.isExact) || !trimCell(cells, column, input.isAssumed)) continue
      this.normalized.trimmed_cells++
      if (isId && !cells.isEmpty(column))
        this.changedIds.set(cells.text(column), bytes.toString('utf8', from, to))
    }
    if (ids.padTo === 0 || external < 0) return cells
    const written = cells.text(external)
    const id = usedId(written, ids.padTo)
    if (id === written) return cells
    this.changedIds.set(id, this.changedIds.get(written) ?? written)
    this.normalized.restored_ids++
    replaceCell(cells, this.padding, external, id)
    return this.padding
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

  private tableCells(): Cells | undefined {
    const { scanner } = this
    const { names, isResult, blankFrom } = this.table.layout
    let { cells } = scanner
    if (scanner.escaped) {
      resolveQuotes(cells, this.resolved)
      cells = this.resolved
    }
    if (isResult) skipApostrophes(cells)
    if (this.table.input.sheet !== undefined) this.completeSheetRow(cells)
    if (this.extra === 0) this.fitBlankEnd(cells)
    const count = cells.count - this.extra
    let blankEnd = blankFrom
    while (blankEnd < names.length && cells.isEmpty(blankEnd)) blankEnd++
    if (count !== names.length || blankEnd < names.length) this.reason = widthReason(count, names.length)
    else if (!scanner.isVisible && !this.ids.isExact && scanner.following.line > scanner.line + 1)
      this.reason = whyJoined(scanner, cells, this.table)
    return this.reason ? undefined : this.cleaned(cells)
  }

  /** Adds the cells that a sheet omits at the end of a row. Removes marker bytes, except from IDs, which are refused later. */
  private completeSheetRow(cells: Cells): void {
    const { layout } = this.table
    this.fill(cells, layout.names.length + this.extra)
    for (let column = 0; column < cells.count; column++) {
      const isId = column === layout.columns.external_user_id && this.ids.isChecked
      while (!isId && !cells.isEmpty(column) && cells.bytes[cells.starts[column] as number] === shownMark)
        cells.starts[column] = (cells.starts[column] as number) + 1
    }
  }

  private fill(cells: Cells, width: number): void {
    const end = cells.ends[cells.count - 1] as number
    for (; cells.count < width; cells.count++) {
      cells.starts[cells.count] = end
      cells.ends[cells.count] = end
    }
  }

  /** Removes blank cells from additional delimiters. Adds the empty cells without a column name that Excel omits. */
  private fitBlankEnd(cells: Cells): void {
    const { blankFrom, names } = this.table.layout
    if (cells.count >= blankFrom) this.fill(cells, names.length)
    while (cells.count > names.length && isBlankCell(cells, cells.count - 1)) cells.count--
  }
}

/** Whether a record contains only spaces and delimiters. */
function isEmptyRecord(scanner: RecordScanner): boolean {
  const { cells } = scanner
  let column = 0
  while (column < cells.count && isBlankCell(cells, column)) column++
  if (column === cells.count) return true
  // A row such as `;;` in a file with one column contains only characters that are delimiters in other files.
  const isPossible = cells.count === 1 && delimiters.has(cells.bytes[scanner.start] ?? 0)
  return isPossible && /^[\s,;|]+$/.test(scanner.record.toString())
}

const delimiters = new Set([...',;|\t'].map((delimiter) => delimiter.charCodeAt(0)))

/** The ID that is sent to the service. `written` is the ID in the file. */
function usedId(written: string, padTo: number): string {
  const id = trimmedText(written)
  return /^\d+$/.test(id) ? id.padStart(padTo, '0') : id
}

/** Refuses a file if a trimmed or padded ID is identical to another ID in the file. The IDs may belong to different people. */
export async function refuseMergedIds(table: Table, changed: ReadonlyMap<string, string>): Promise<void> {
  if (changed.size === 0) return
  const column = table.layout.columns.external_user_id
  const { padTo } = idRules(table.rules)
  const records = new RecordReader({ ...table, rules: { ...table.rules, ids: 'exact' } })
  for await (const _position of records.positions()) {
    while (records.next()) {
      const written = records.cells()?.text(column) ?? ''
      const other = changed.get(written) ?? changed.get(usedId(written, padTo))
      if (other === undefined || other === written) continue
      throw new UsageError(
        `"${other}" and "${written}" (line ${records.scanner.line}) in ${table.input.name} are the same user ID after spaces are removed and zeros are restored`,
        { hint: 'Correct the IDs, or use them as they are written with --ids exact.' },
      )
    }
  }
}
