import { countOf } from '../../base/text.ts'
import { copied, type InputFile } from '../input-file.ts'
import { UnclearFile } from '../questions.ts'
import { ScratchFile } from '../spool/scratch.ts'
import type { Reading } from '../types.ts'
import { readSheet, type SheetRow } from './sheet-rows.ts'
import { chooseSheet, openWorkbook, type Sheet, unclearSheet, type Workbook } from './workbook.ts'
import { UnclosedQuote } from './xml.ts'
import { damaged, tooLarge } from './zip.ts'

const bufferCharacters = 256 * 1024
/** Maximum number of rows in a sheet that is an index of the other sheets. */
const mostListRows = 50
const maxTextBytes = 1024 * 1024 * 1024

type SheetReading = Pick<Reading, 'sheet' | 'hidden'>

interface CopyRules extends Pick<Reading, 'hidden'> {
  name: string
  others: readonly Sheet[]
  copy: ScratchFile
}

/** Copies a sheet as UTF-8 CSV and closes the workbook. The line number of each row is its row number in the sheet. */
export async function convertWorkbook(raw: InputFile, reading: SheetReading): Promise<InputFile> {
  const copy = new ScratchFile()
  try {
    const workbook = await openWorkbook(raw)
    const sheet = chooseSheet(raw, workbook, reading)
    const others = reading.sheet === undefined ? await otherSheets(raw, workbook, sheet) : []
    const rows = readSheet(raw, sheet.entry, workbook)
    const range = await copyRows(raw, rows, { name: sheet.name, others, hidden: reading.hidden, copy })
    return {
      ...raw,
      ...copied(raw, copy),
      encoding: 'UTF-8',
      sheet: `${sheet.name}, ${range}`,
      otherSheets: others.map(({ name }) => name),
    }
  } catch (error) {
    copy.close()
    throw error instanceof UnclosedQuote ? damaged(raw, error) : error
  }
}

/** The visible sheets with cells, except the chosen sheet. A sheet that cannot be read counts as a sheet with cells. */
async function otherSheets(raw: InputFile, workbook: Workbook, sheet: Sheet): Promise<Sheet[]> {
  const others: Sheet[] = []
  for (const other of workbook.sheets)
    if (other !== sheet && !other.isHidden && (await hasCells(raw, workbook, other).catch(() => true)))
      others.push(other)
  return others
}

async function hasCells(raw: InputFile, workbook: Workbook, sheet: Sheet): Promise<boolean> {
  for await (const { number, cells } of readSheet(raw, sheet.entry, workbook))
    if (number > mostListRows || cells.some((cell) => cell !== '')) return true
  return false
}

/** Copies the rows and returns their range. */
async function copyRows(
  raw: InputFile,
  rows: AsyncIterable<SheetRow>,
  { name, others, hidden, copy }: CopyRules,
): Promise<string> {
  const unlisted = new Set(others.map((other) => other.name))
  const writer = new RowWriter(raw, copy)
  const hiddenColumns = new Set<number>()
  let hiddenRows = 0
  for await (const row of rows) {
    if (row.number <= mostListRows) for (const cell of row.cells) unlisted.delete(cell)
    if (row.isHidden && row.cells.some((cell) => cell !== '')) hiddenRows++
    for (const column of row.hiddenColumns) hiddenColumns.add(column)
    if (row.isHidden && hidden === 'skip') continue
    if (hidden === 'skip') for (const column of row.hiddenColumns) row.cells[column] = ''
    writer.write(row)
  }
  writer.flush()
  // In files from the program Numbers, the first sheet can be an index of the other sheets, so a person must choose the sheet.
  if (others.length > 0 && unlisted.size === 0)
    throw unclearSheet(raw, others, `the first sheet, "${name}", is a list of the other sheets`)
  if (others.length > 0 && writer.filledRows < 2) {
    const found = writer.filledRows === 0 ? 'is empty' : 'has only one row'
    throw unclearSheet(raw, others, `the first sheet, "${name}", ${found}`)
  }
  if (hidden === undefined) refuseHidden(raw, name, hiddenRows, hiddenColumns.size)
  return writer.range
}

function refuseHidden({ name }: InputFile, sheet: string, rows: number, columns: number): void {
  const found = [
    ...(rows > 0 ? [countOf(rows, 'hidden row')] : []),
    ...(columns > 0 ? [countOf(columns, 'hidden column')] : []),
  ]
  if (found.length === 0) return
  const choices = [
    { name: 'include them', set: { hidden: 'include' as const } },
    { name: 'skip them', set: { hidden: 'skip' as const } },
  ]
  const problem = `sheet "${sheet}" has ${found.join(' and ')}`
  throw new UnclearFile(name, [{ problem, prompts: [{ label: 'Hidden rows and columns', choices }] }])
}

class RowWriter {
  private readonly raw: InputFile
  private readonly copy: ScratchFile
  filledRows = 0
  private text = ''
  private line = 1
  private firstLine = 0
  private width = 0

  constructor(raw: InputFile, copy: ScratchFile) {
    this.raw = raw
    this.copy = copy
  }

  get range(): string {
    return `rows ${this.firstLine} to ${this.line - 1}, ${countOf(this.width, 'column')}`
  }

  write({ number, cells }: SheetRow): void {
    this.text += '\n'.repeat(number - this.line)
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
    this.text += `${filled.map(quoted).join(',')}\n`
    this.line = number + 1
    if (filled.length > 0) {
      this.filledRows++
      this.firstLine ||= number
    }
    this.width = Math.max(this.width, filled.length)
    if (this.text.length > bufferCharacters) this.flush()
  }

  flush(): void {
    this.copy.write(Buffer.from(this.text))
    this.text = ''
    if (this.copy.length > maxTextBytes) throw tooLarge(this.raw)
  }
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
