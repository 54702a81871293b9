import { columnsForPeople, machineValue, personText } from './cell.ts'
import { keepInPlace, widthOf, wrap } from './text.ts'
import type { AnyColumn, Pen } from './view.ts'

const gapWidth = 2
const narrowestValue = 20

/** A label and a value per line; long text wraps below its beginning, and ids and URLs stay in one piece. */
export async function renderRecord(row: unknown, all: readonly AnyColumn[], pen: Pen): Promise<string> {
  const { drawGrid } = await import('./draw/grid.ts')
  const columns = columnsForPeople(all, pen).filter((column) => isPresent(column, row))
  const labelWidth = Math.max(0, ...columns.map((column) => widthOf(column.title)))
  const valueWidth = Math.max(narrowestValue, pen.width - labelWidth - gapWidth)
  const lines = drawGrid({
    head: [],
    rows: columns.map((column) => [pen.dim(column.title), valueText(column, row, pen, valueWidth)]),
    aligns: ['left', 'left'],
  })
  return `${lines.join('\n')}\n`
}

/** The reply to a change can lack fields. If they were shown without a value, they would look deleted. */
function isPresent(column: AnyColumn, row: unknown): boolean {
  return machineValue(column, row) !== undefined
}

function valueText(column: AnyColumn, row: unknown, pen: Pen, width: number): string {
  const lines = personText(column, row, pen).split('\n').map(keepInPlace)
  return (column.whole ? lines : lines.flatMap((line) => wrap(line, width))).join('\n')
}
