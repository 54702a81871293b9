import type { InputFile } from '../input-file.ts'
import { type SheetContext, textOfCell } from './cell.ts'
import { attribute, plainXml } from './formats.ts'
import { damaged, readElements, type ZipEntry } from './zip.ts'

export interface SheetRow {
  /** Number in the sheet, starting at 1. */
  number: number
  isHidden: boolean
  /** Texts by column. Missing columns are empty. */
  cells: string[]
}

export interface SheetReader {
  rows: AsyncGenerator<SheetRow>
  /** Whether a column is hidden. Columns start at 0. The result is valid when the first row was read. */
  isHiddenColumn(column: number): boolean
}

const maxColumns = 16_384
const maxRows = 1_048_576
/** Maximum length of a row. No row that a person wrote is longer. */
const maxRowCharacters = 4 * 1024 * 1024

/** Matches the start of the rows, and each row. The definitions of the columns come before the start. */
const rowPattern = /<(?:\w+:)?sheetData\b[^>]*>|<(?:\w+:)?row\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?row>)/g
const cellPattern = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g
const columnPattern = /<(?:\w+:)?col\b([^>]*)>/g

/** Reads the rows of a sheet one after another. */
export function readSheet(input: InputFile, entry: ZipEntry, context: SheetContext): SheetReader {
  const hidden: { from: number; to: number }[] = []
  return {
    rows: rowsOf(input, entry, context, hidden),
    isHiddenColumn: (column) => hidden.some(({ from, to }) => column >= from && column <= to),
  }
}

async function* rowsOf(
  input: InputFile,
  entry: ZipEntry,
  context: SheetContext,
  hidden: { from: number; to: number }[],
): AsyncGenerator<SheetRow> {
  let number: number | undefined
  for await (const { element, before } of readElements(input, entry, rowPattern, maxRowCharacters)) {
    if (number === undefined) {
      noteHidden(before, hidden)
      number = 0
      continue
    }
    const row = rowOf(input, element, context, number)
    number = row.number
    yield row
  }
  if (number === undefined) throw damaged(input)
}

function noteHidden(head: string, hidden: { from: number; to: number }[]): void {
  for (const [, attributes = ''] of head.matchAll(columnPattern)) {
    const isHidden =
      isTrue(attribute(attributes, 'hidden')) || Number(attribute(attributes, 'width') ?? 1) === 0
    const [from, to] = [Number(attribute(attributes, 'min')), Number(attribute(attributes, 'max'))]
    if (isHidden) hidden.push({ from: from - 1, to: to - 1 })
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

function rowOf(
  input: InputFile,
  [, attributes = '', content = '']: RegExpMatchArray,
  context: SheetContext,
  before: number,
): SheetRow {
  const number = Number(attribute(attributes, 'r') ?? before + 1)
  if (!(number > before && number <= maxRows)) throw damaged(input)
  const cells: string[] = []
  for (const [, attributes = '', inner] of plainXml(content).matchAll(cellPattern)) {
    const reference = attribute(attributes, 'r')
    const column = reference === undefined ? cells.length : columnOf(reference)
    if (!(column < maxColumns)) throw damaged(input)
    while (cells.length < column) cells.push('')
    cells[column] = inner === undefined ? '' : textOfCell(attributes, inner, context)
  }
  const isHidden = isTrue(attribute(attributes, 'hidden')) || attribute(attributes, 'ht') === '0'
  return { number, isHidden, cells }
}

/** Index of the column: 2 for `C7`. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const digit = letter.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column - 1
}
