import { type AnyColumn, personText } from './cell.ts'
import { keepInPlace, pad, widthOf, wrap } from './text.ts'
import type { Pen } from './view.ts'

const gap = 2
const narrowestValue = 20

function valueLines(column: AnyColumn, row: unknown, pen: Pen, width: number): string[] {
  const text = personText(column, row, pen)
  const paragraphs = text.split('\n').map(keepInPlace)
  return column.whole ? paragraphs : paragraphs.flatMap((paragraph) => wrap(paragraph, width))
}

/** A label and its value on each line; long text wraps under itself, ids and URLs stay in one piece. */
export function renderRecord(row: unknown, columns: readonly AnyColumn[], pen: Pen): string {
  const labelWidth = Math.max(0, ...columns.map((column) => widthOf(column.title)))
  const valueWidth = Math.max(narrowestValue, pen.width - labelWidth - gap)
  const lines = columns.flatMap((column) =>
    valueLines(column, row, pen, valueWidth).map((line, index) => {
      const label = pad(index === 0 ? column.title : '', labelWidth + gap)
      return (pen.dim(label) + line).trimEnd()
    }),
  )
  return `${lines.join('\n')}\n`
}

export function renderRecords(rows: readonly unknown[], columns: readonly AnyColumn[], pen: Pen): string {
  return rows.map((row) => renderRecord(row, columns, pen)).join('\n')
}
