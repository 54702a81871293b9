import type { Cells } from './cells.ts'

const quote = 0x22

/** Copies the cells of a valid record, with `""` replaced by `"`. */
export function resolveQuotes(cells: Cells, target: Cells): void {
  target.prepare(cells.ends[cells.count - 1] as number, cells.count)
  let filled = 0
  for (let index = 0; index < cells.count; index++) {
    const from = cells.starts[index] as number
    const to = cells.ends[index] as number
    target.starts[index] = filled
    for (let at = from; at < to; at++) {
      target.bytes[filled++] = cells.bytes[at] as number
      if (cells.bytes[at] === quote) at++
    }
    target.ends[index] = filled
  }
  target.count = cells.count
}
