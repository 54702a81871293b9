import { alignDecimals } from './align-decimals.ts'
import { columnsForPeople, personText } from './cell.ts'
import { fitColumns } from './fit-columns.ts'
import { keepInPlace, oneLine, paragraph, truncate, widthOf, wrapHard } from './text.ts'
import type { AnyColumn, Pen } from './view.ts'

export interface TableOptions {
  header: boolean
  truncate: boolean
}

/** Shorter truncated text is not worth its column. */
const narrowestText = 16
/** Narrower wrapped text is hard to read. */
const narrowestProse = 40

/** A column with its texts, one per row. */
interface TextColumn {
  column: AnyColumn
  texts: readonly string[]
}

/** A table without borders on a terminal: the columns that fit, and a line that names the omitted ones. */
async function renderForTerminal(
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  pen: Pen,
  options: TableOptions,
): Promise<string> {
  const { drawGrid } = await import('./draw/grid.ts')
  const all = columns.map((column) => readColumn(column, rows, pen))
  const shown = options.truncate ? fitToTerminal(all, pen, options.header) : all
  const lines = drawGrid({
    head: options.header ? shown.map(({ column }) => pen.bold(column.title)) : [],
    rows: rows.map((_, row) => shown.map(({ texts }) => texts[row] ?? '')),
    aligns: shown.map(({ column }) => column.align ?? 'left'),
  })
  if (options.header) lines.splice(1, 1, ...(pen.pictures && lines[1] ? [pen.dim(lines[1])] : []))
  const omitted = columns.filter((column) => !shown.some((other) => other.column === column))
  return [...lines, ...describeOmission(omitted, pen)].map((line) => `${line}\n`).join('')
}

function readColumn(column: AnyColumn, rows: readonly unknown[], pen: Pen): TextColumn {
  const texts = rows.map((row) => keepInPlace(oneLine(personText(column, row, pen))))
  return { column, texts: column.align === 'right' ? alignDecimals(texts) : texts }
}

function fitToTerminal(all: readonly TextColumn[], pen: Pen, hasHeader: boolean): TextColumn[] {
  const sizes = all.map(({ column, texts }) => {
    const heading = hasHeader ? widthOf(column.title) : 0
    const natural = texts.reduce((widest, text) => Math.max(widest, widthOf(text)), heading)
    return { natural, minimum: minimumWidth(column, natural, heading), priority: column.priority ?? 0 }
  })
  return fitColumns(sizes, pen.width).flatMap(({ index, width }) => {
    const fitted = all[index]
    return fitted === undefined ? [] : [fitTexts(fitted, width)]
  })
}

function minimumWidth(column: AnyColumn, natural: number, heading: number): number {
  if (column.whole || column.time || column.align === 'right') return natural
  return Math.min(natural, Math.max(heading, column.wrap ? narrowestProse : narrowestText))
}

function fitTexts({ column, texts }: TextColumn, width: number): TextColumn {
  const shorten = (text: string) => (column.wrap ? wrapHard(text, width).join('\n') : truncate(text, width))
  return { column, texts: texts.map((text) => (widthOf(text) <= width ? text : shorten(text))) }
}

function describeOmission(omitted: readonly AnyColumn[], pen: Pen): string[] {
  if (omitted.length === 0) return []
  const names = omitted.map(({ title }) => title).join(', ')
  const text = `Columns not shown: ${names}. Use a wider terminal, or --no-truncate.`
  return ['', ...paragraph(text, pen).split('\n').map(pen.dim)]
}

/** For a pipe: tab-separated, one line per row, nothing truncated. */
function renderForPipe(
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  pen: Pen,
  options: TableOptions,
): string {
  const lines = rows.map((row) => columns.map((column) => oneLine(personText(column, row, pen))))
  const all = options.header ? [columns.map((column) => column.title), ...lines] : lines
  return all.map((texts) => `${texts.join('\t')}\n`).join('')
}

export async function renderTable(
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  pen: Pen,
  options: TableOptions,
): Promise<string> {
  const render = pen.terminal ? renderForTerminal : renderForPipe
  return render(rows, columnsForPeople(columns, pen), pen, options)
}
