import { type AnyColumn, personText } from './cell.ts'
import { renderRecords } from './record.ts'
import { keepInPlace, oneLine, pad, truncate, widthOf } from './text.ts'
import type { Pen } from './view.ts'

export interface TableOptions {
  header: boolean
  truncate: boolean
}

const gap = '  '
/** Text cut to less than this says too little to be worth its column. */
const narrowestText = 16

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
}

function mayBeCut(column: AnyColumn): boolean {
  return !column.whole && !column.time && column.align !== 'right'
}

/** Takes the missing space from the widest text first; undefined where that is not enough. */
function shrink(natural: readonly number[], columns: readonly AnyColumn[], pen: Pen): number[] | undefined {
  const widths = [...natural]
  for (let excess = totalWidth(widths) - pen.width; excess > 0; excess--) {
    const candidates = widths.map((width, index) =>
      columns[index] && mayBeCut(columns[index]) && width > narrowestText ? width : 0,
    )
    const widest = candidates.indexOf(Math.max(...candidates))
    if (!candidates[widest]) return undefined
    widths[widest] = candidates[widest] - 1
  }
  return widths
}

function renderColumns(
  cells: readonly string[][],
  columns: readonly AnyColumn[],
  widths: readonly number[],
  { pen, header }: { pen: Pen; header: boolean },
): string {
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => pad(text, widths[index] ?? 0, columns[index]?.align))
      .join(gap)
      .trimEnd()
  const body = cells.map((texts) => line(texts.map((text, index) => truncate(text, widths[index] ?? 0))))
  if (!header) return body.map((text) => `${text}\n`).join('')
  const heading = pen.bold(line(columns.map((column) => column.title)))
  const rule = pen.pictures ? [pen.dim('─'.repeat(Math.min(totalWidth(widths), pen.width)))] : []
  return [heading, ...rule, ...body].map((text) => `${text}\n`).join('')
}

/** Columns side by side where they fit the terminal, otherwise one record below the other. */
function renderForTerminal(
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  pen: Pen,
  options: TableOptions,
) {
  const cells = rows.map((row) => columns.map((column) => keepInPlace(oneLine(personText(column, row, pen)))))
  const natural = columns.map((column, index) =>
    Math.max(
      options.header ? widthOf(column.title) : 0,
      ...cells.map((texts) => widthOf(texts[index] ?? '')),
    ),
  )
  const tight = options.truncate ? shrink(natural, columns, pen) : natural
  if (!tight || totalWidth(tight) > pen.width) return renderRecords(rows, columns, pen)
  return renderColumns(cells, columns, tight, { pen, header: options.header })
}

/** For a pipe: tab-separated, every cell in full on one line. */
function renderForPipe(
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  pen: Pen,
  options: TableOptions,
) {
  const lines = rows.map((row) => columns.map((column) => oneLine(personText(column, row, pen))))
  const all = options.header ? [columns.map((column) => column.title), ...lines] : lines
  return all.map((texts) => `${texts.join('\t')}\n`).join('')
}

export function renderTable(
  rows: readonly unknown[],
  columns: readonly AnyColumn[],
  pen: Pen,
  options: TableOptions,
) {
  return pen.terminal
    ? renderForTerminal(rows, columns, pen, options)
    : renderForPipe(rows, columns, pen, options)
}
