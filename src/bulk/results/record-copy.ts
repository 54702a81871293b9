import { type Layout, resultColumns } from '../rows/table.ts'
import { needsApostrophe, shownMark } from '../scan/cells.ts'
import { type Dialect, RecordScanner } from '../scan/scanner.ts'
import type { StagedFile } from './staged-file.ts'

const quote = 0x22
const apostrophe = "'"

/** Copies records byte for byte, except that a cell with a formula gets an apostrophe, so that a spreadsheet does not evaluate it. */
export class RecordCopy {
  private readonly scanner: RecordScanner
  private readonly layout: Layout
  private readonly separator: string
  /** Minimum number of columns. Empty cells are added to a shorter record. */
  private readonly width: number
  private readonly lookupKeys: (string | undefined)[] = []

  constructor(dialect: Dialect, layout: Layout, width = 0) {
    this.width = width
    this.scanner = new RecordScanner(dialect)
    this.layout = layout
    for (const { column, key } of layout.keyColumns) this.lookupKeys[column] = key
    this.separator = String.fromCharCode(dialect.delimiter ?? 0)
  }

  /** Copies a record. `raw` has no newline. If `onlyKeys` is set, the cells of all lookup keys outside this set stay empty. */
  copy(raw: Buffer, target: StagedFile, onlyKeys?: ReadonlySet<string>): void {
    this.scanner.restart(0, 1)
    this.scanner.push(raw)
    this.scanner.finish()
    this.scanner.next()
    const { count } = this.scanner.cells
    const kept = this.layout.isResult ? Math.max(1, count - resultColumns.length) : count
    let written = 0
    for (let column = 0; column < kept; column++) {
      const key = this.lookupKeys[column]
      if (onlyKeys !== undefined && key !== undefined && !onlyKeys.has(key)) continue
      target.add(this.separator.repeat(column - written))
      this.copyCell(column, target)
      written = column
    }
    target.add(this.separator.repeat(Math.max(kept, this.width) - 1 - written))
  }

  /** Encodes a cell that facescan adds, such as the rejection reason. */
  encode(text: string): string {
    if (/^[a-z0-9_ ]*$/.test(text)) return text
    const bytes = Buffer.from(text)
    const safe = needsApostrophe(bytes, 0, bytes.length) ? apostrophe + text : text
    const isSpecial = /["\r\n]/.test(safe) || safe.includes(this.separator)
    return isSpecial ? `"${safe.replaceAll('"', '""')}"` : safe
  }

  private copyCell(column: number, target: StagedFile): void {
    const { bytes, starts, ends, count } = this.scanner.cells
    const start = starts[column] as number
    const first = this.firstByte(column)
    const end = column + 1 < count ? this.firstByte(column + 1) - 1 : this.scanner.end
    let text = start
    while (bytes[text] === shownMark && text < (ends[column] as number)) text++
    const isNeutral = this.layout.isResult && bytes[start] === apostrophe.charCodeAt(0)
    if (!isNeutral && needsApostrophe(bytes, start, ends[column] as number)) {
      target.add(bytes.subarray(first, start))
      target.add(apostrophe)
      target.add(bytes.subarray(start, end))
    } else {
      target.add(bytes.subarray(first, start))
      target.add(bytes.subarray(text, end))
    }
  }

  /** Position of the first byte of a cell. If the cell has an opening quote, this is the position of the quote. */
  private firstByte(column: number): number {
    const { bytes, starts } = this.scanner.cells
    const start = starts[column] as number
    return start > this.scanner.start && bytes[start - 1] === quote ? start - 1 : start
  }
}
