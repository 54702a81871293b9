import Table from 'cli-table3'
import { widthOf } from '../text.ts'

interface Grid {
  /** Column headings. Empty for a table without a heading. */
  head: readonly string[]
  /** Cell texts that fit their columns. A text may have several lines. */
  rows: readonly (readonly string[])[]
  aligns: ('left' | 'right')[]
}

/** Number of rows that are drawn together. cli-table3 compares each cell with all rows above it, so a long table is drawn in parts. */
const rowsPerPart = 200

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'left', 'right'].flatMap((side) =>
    [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((part) => [part, '']),
  ),
)

/** The lines of a table without borders. If there is a heading, the second line is a horizontal line. */
export function drawGrid({ head, rows, aligns }: Grid): string[] {
  // All parts of a table need the same column widths, but cli-table3 computes the widths of each part separately.
  const widths = rows.length > rowsPerPart ? measureColumns([head, ...rows]) : []
  const lines = drawPart({ head, rows: rows.slice(0, rowsPerPart), aligns }, widths)
  for (let start = rowsPerPart; start < rows.length; start += rowsPerPart) {
    lines.push(...drawPart({ head: [], rows: rows.slice(start, start + rowsPerPart), aligns }, widths))
  }
  return lines
}

function drawPart({ head, rows, aligns }: Grid, colWidths: number[]): string[] {
  const table = new Table({
    head: [...head],
    colAligns: aligns,
    colWidths,
    chars: { ...noBorders, mid: '─', 'mid-mid': '──', middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  })
  table.push(...rows.map((texts) => [...texts]))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

function measureColumns(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const texts of rows) {
    texts.forEach((text, index) => {
      widths[index] = Math.max(widths[index] ?? 0, ...text.split('\n').map(widthOf))
    })
  }
  return widths
}
