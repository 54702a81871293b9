import { columnsForPeople, machineValue, missing, personText } from './cell.ts'
import type { TableSettings } from './settings.ts'
import { keepInPlace, oneLine, paragraph, truncate, widthOf, wrap } from './text.ts'
import type { AnyColumn, Terminal } from './view.ts'

/** Minimum width of truncated text. A narrower column is omitted. */
const narrowestText = 16
/** Minimum width of wrapped text, because narrower text is hard to read. */
const narrowestProse = 30
const narrowestValue = 20
const gapWidth = 2

type RenderRows = (
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  terminal: Terminal,
  settings: TableSettings,
) => Promise<string>

export const renderTable: RenderRows = (rows, columns, terminal, settings) => {
  const render = terminal.isTTY ? renderForTerminal : renderForPipe
  return render(rows, columnsForPeople(columns, terminal), terminal, settings)
}

/** A table for a pipe. Each row is one line, with tabs between its columns. Texts are not truncated. */
const renderForPipe: RenderRows = async (rows, columns, terminal, { header }) => {
  const lines = rows.map((row) => columns.map((column) => oneLine(personText(column, row, terminal))))
  const all = header ? [columns.map(({ title }) => title), ...lines] : lines
  return all.map((texts) => `${texts.join('\t')}\n`).join('')
}

interface TextColumn {
  column: AnyColumn
  texts: readonly string[]
  width: number
  minimum: number
  priority: number
}

/** A table without borders, for a terminal. A line below the table lists the columns that do not fit. */
const renderForTerminal: RenderRows = async (rows, columns, terminal, { header, truncate: mayTruncate }) => {
  const { drawGrid } = await import('./draw/grid.ts')
  const all = columns.map((column) => readColumn(column, rows, terminal, header))
  const shown = mayTruncate ? fitColumns(all, terminal.width) : all
  const lines = drawGrid({
    head: header ? shown.map(({ column }) => terminal.bold(column.title)) : [],
    rows: rows.map((_, row) =>
      shown.map(({ texts, width, column }) => {
        const text = texts[row] ?? ''
        return column.wrap ? wrap(text, width, { hard: true }).join('\n') : truncate(text, width)
      }),
    ),
    aligns: shown.map(({ column }) => column.align ?? 'left'),
  })
  if (header) lines.splice(1, 1, ...(terminal.pictures && lines[1] ? [terminal.dim(lines[1])] : []))
  const omitted = columns.filter((column) => !shown.some((other) => other.column === column))
  return [...lines, ...describeOmission(omitted, terminal)].map((line) => `${line}\n`).join('')
}

function readColumn(
  column: AnyColumn,
  rows: readonly unknown[],
  terminal: Terminal,
  hasHeader: boolean,
): TextColumn {
  const plain = rows.map((row) => keepInPlace(oneLine(personText(column, row, terminal))))
  const texts = column.align === 'right' ? alignDecimals(plain) : plain
  const heading = hasHeader ? widthOf(column.title) : 0
  const width = texts.reduce((widest, text) => Math.max(widest, widthOf(text)), heading)
  const isWhole = column.whole || column.time || column.align === 'right'
  const narrowest = Math.max(heading, column.wrap ? narrowestProse : narrowestText)
  // If the table is too wide, columns without values are omitted first.
  const isEmpty = plain.every((text) => text === missing(terminal))
  const priority = isEmpty ? Number.NEGATIVE_INFINITY : (column.priority ?? 0)
  return { column, texts, width, minimum: isWhole ? width : Math.min(width, narrowest), priority }
}

function alignDecimals(texts: readonly string[]): string[] {
  // The widths of the texts after the integer part of a number, such as a fraction or `%`.
  const tails = texts.map((text) => {
    const plain = text.replace(/\x1b\[\d+m/g, '')
    return widthOf(/\d(\.\d+\D*|[^\d.][^\d]*)?$/.exec(plain)?.[1] ?? '')
  })
  const widest = Math.max(0, ...tails)
  return texts.map((text, index) => text + ' '.repeat(widest - (tails[index] ?? 0)))
}

/** Omits columns with the lowest priority, from right to left, until the rest fits. Then narrows the widest columns. */
function fitColumns(all: readonly TextColumn[], available: number): TextColumn[] {
  let shown = all.map((column) => ({ ...column }))
  while (shown.length > 1 && totalOf(shown.map(({ minimum }) => minimum)) > available) {
    const fromRight = shown.slice(1).toReversed()
    const [least] = fromRight.toSorted((a, b) => a.priority - b.priority)
    shown = shown.filter((column) => column !== least)
  }
  for (let excess = totalOf(shown.map(({ width }) => width)) - available; excess > 0; excess--) {
    const narrowable = shown.filter(({ width, minimum }) => width > minimum)
    const [widest] = narrowable.toSorted((a, b) => b.width - a.width)
    if (widest === undefined) break
    widest.width -= 1
  }
  return shown
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gapWidth, -gapWidth)
}

function describeOmission(omitted: readonly AnyColumn[], terminal: Terminal): string[] {
  // A column without a title is only a drawing of the values in another column, so the message about omitted columns does not contain it.
  const titles = omitted.map(({ title }) => title).filter((title) => title !== '')
  if (titles.length === 0) return []
  const text = `Columns not shown: ${titles.join(', ')}. Use a wider terminal, or --no-truncate.`
  return ['', ...paragraph(text, terminal).split('\n').map(terminal.dim)]
}

/** Prints a label and a value per line. Long text continues below its start. IDs and URLs are not broken. */
export async function renderRecord(
  row: unknown,
  all: readonly AnyColumn[],
  terminal: Terminal,
): Promise<string> {
  const { drawGrid } = await import('./draw/grid.ts')
  // A field that is not in the response to a change is not shown, because an empty cell would look as if the field had been deleted.
  const columns = columnsForPeople(all, terminal).filter((column) => machineValue(column, row) !== undefined)
  const labelWidth = Math.max(0, ...columns.map((column) => widthOf(column.title)))
  const width = Math.max(narrowestValue, terminal.width - labelWidth - gapWidth)
  const textOf = (column: AnyColumn) => {
    const lines = personText(column, row, terminal).split('\n').map(keepInPlace)
    const wrapLine = (line: string) => wrap(line, width, { hard: column.wrap ?? false })
    return (column.whole ? lines : lines.flatMap(wrapLine)).join('\n')
  }
  const rows = columns.map((column) => [terminal.dim(column.title), textOf(column)])
  return `${drawGrid({ head: [], rows, aligns: ['left', 'left'] }).join('\n')}\n`
}
