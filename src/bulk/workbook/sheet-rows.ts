import type { InputFile } from '../input-file.ts'
import { type SheetContext, textOfCell } from './cell.ts'
import { attribute, elementsOf, hasStart, plainXml, type XmlElement } from './xml.ts'
import { damaged, readElements, type ZipEntry } from './zip.ts'

export interface SheetRow {
  /** Row number in the sheet, starting at 1. */
  number: number
  isHidden: boolean
  /** Texts by column. Missing columns are empty. */
  cells: string[]
  /** The hidden columns whose cells in this row contain text. Columns start at 0. */
  hiddenColumns: readonly number[]
}

const maxColumns = 16_384
const maxRows = 1_048_576
/** Maximum length of a row. Real rows are shorter. */
const maxRowCharacters = 4 * 1024 * 1024

interface ColumnFacts {
  isHidden: boolean
  /** Default style, used for cells without a style of their own. */
  style: string | undefined
}

export async function* readSheet(
  input: InputFile,
  entry: ZipEntry,
  context: SheetContext,
): AsyncGenerator<SheetRow> {
  const columns: ColumnFacts[] = []
  let number: number | undefined
  for await (const { element, before } of readElements(input, entry, 'row', maxRowCharacters)) {
    // The definitions of the columns always come before the first row, so they are read only until the first row.
    if (number === undefined) {
      if (!hasStart(before, 'sheetData')) throw damaged(input)
      noteColumns(input, before, columns)
      number = 0
    }
    if (!element) break
    const row = rowOf(input, element, { ...context, columns }, number)
    number = row.number
    yield row
  }
}

function noteColumns(input: InputFile, head: string, columns: ColumnFacts[]): void {
  let count = 0
  for (const { attributes } of elementsOf(head, 'col')) {
    const isHidden =
      isTrue(attribute(attributes, 'hidden')) || Number(attribute(attributes, 'width') ?? 1) === 0
    const style = attribute(attributes, 'style')
    const [from, to] = [Number(attribute(attributes, 'min')), Number(attribute(attributes, 'max'))]
    for (let column = from - 1; column < Math.min(to, maxColumns); column++) {
      columns[column] = { isHidden, style }
      // Spreadsheet programs define each column only once, so a file with too many definitions is damaged.
      if (++count > 2 * maxColumns) throw damaged(input)
    }
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

function rowOf(
  input: InputFile,
  { attributes, content = '' }: XmlElement,
  context: SheetContext & { columns: readonly ColumnFacts[] },
  before: number,
): SheetRow {
  const number = Number(attribute(attributes, 'r') ?? before + 1)
  if (!(number > before && number <= maxRows)) throw damaged(input)
  const cells: string[] = []
  const xml = plainXml(content)
  let last = 0
  for (const { attributes, content: inner, end } of elementsOf(xml, 'c')) {
    last = end
    const reference = attribute(attributes, 'r')
    const column = reference === undefined ? cells.length : columnOf(reference)
    if (!(column >= 0 && column < maxColumns)) throw damaged(input)
    while (cells.length < column) cells.push('')
    const style = context.columns[column]?.style
    cells[column] = inner === undefined ? '' : textOfCell(attributes, inner, context, style)
  }
  if (hasStart(xml.slice(last), 'c')) throw damaged(input)
  const isHidden = isTrue(attribute(attributes, 'hidden')) || attribute(attributes, 'ht') === '0'
  const hiddenColumns = [...cells.keys()].filter(
    (column) => cells[column] !== '' && context.columns[column]?.isHidden,
  )
  return { number, isHidden, cells, hiddenColumns }
}

/** Index of the column: 2 for `C7`. -1 for an invalid reference. */
function columnOf(reference: string): number {
  const [, letters = ''] = /^([A-Z]{1,3})\d+$/.exec(reference) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
