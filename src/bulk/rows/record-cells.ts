import { skipApostrophes } from '../scan/cell-bytes.ts'
import { Cells, resolveQuotes } from '../scan/cells.ts'
import type { RecordScanner } from '../scan/scanner.ts'
import type { Reason } from '../types.ts'
import type { JsonCells } from './json-cells.ts'
import { answerColumns, type KeyColumn, type Layout, resultColumns } from './layout.ts'
import { faultReason, widthReason } from './reasons.ts'

/** Converts records of tables and JSON lines to cells in the order of the layout. */
export class RecordCells {
  /** Problem of the last record. */
  reason: Reason | undefined
  private readonly layout: Layout
  private readonly json: JsonCells | undefined
  private readonly resolved = new Cells()
  private readonly extra: number

  constructor(layout: Layout, json?: JsonCells) {
    this.layout = layout
    this.json = json
    this.extra = layout.isResult ? resultColumns.length : 0
  }

  /** Wide form only. In JSON lines, later lines can add keys. */
  get keyColumns(): readonly KeyColumn[] {
    const { json } = this
    if (!json) return this.layout.keyColumns
    return json.keyNames.map((key, index) => ({ column: answerColumns.length + index, key }))
  }

  cellsOf(scanner: RecordScanner): Cells | undefined {
    this.reason = scanner.fault && faultReason(scanner.fault)
    if (this.reason) return undefined
    return this.json ? this.jsonCells(scanner, this.json) : this.tableCells(scanner)
  }

  private jsonCells(scanner: RecordScanner, json: JsonCells): Cells | undefined {
    this.reason = json.read(scanner.cells.bytes.subarray(scanner.start, scanner.end))
    return this.reason ? undefined : json.cells
  }

  private tableCells(scanner: RecordScanner): Cells | undefined {
    let { cells } = scanner
    if (scanner.escaped) {
      resolveQuotes(cells, this.resolved)
      cells = this.resolved
    }
    if (this.layout.isResult) skipApostrophes(cells)
    const { names } = this.layout
    if (cells.count - this.extra === names.length && this.hasBlankEnd(cells)) return cells
    this.reason = widthReason(cells.count - this.extra, names.length)
    return undefined
  }

  private hasBlankEnd(cells: Cells): boolean {
    for (let column = this.layout.blankFrom; column < this.layout.names.length; column++) {
      if (!cells.isEmpty(column)) return false
    }
    return true
  }
}
