import type { Cells } from './scanner.ts'

const quote = 0x22

/** Copies the cells of a record to `target`, `""` resolved to `"`. */
export function resolveQuotes(cells: Cells, target: Cells): void {
  prepare(target, cells.ends[cells.count - 1] as number, cells.count)
  let filled = 0
  for (let index = 0; index < cells.count; index++) {
    const from = cells.starts[index] as number
    const to = cells.ends[index] as number
    const isQuoted = from > 0 && cells.bytes[from - 1] === quote
    target.starts[index] = filled
    for (let at = from; at < to; at++) {
      target.bytes[filled++] = cells.bytes[at] as number
      if (isQuoted && cells.bytes[at] === quote) at++
    }
    target.ends[index] = filled
  }
  target.count = cells.count
}

export function emptyCells(): Cells {
  return { bytes: Buffer.alloc(4096), count: 0, starts: new Int32Array(64), ends: new Int32Array(64) }
}

/** Makes room for so many bytes and cells; what stood there is lost. */
export function prepare(target: Cells, byteCount: number, count: number): void {
  if (target.bytes.length < byteCount) target.bytes = Buffer.alloc(byteCount * 2)
  if (target.starts.length < count) {
    target.starts = new Int32Array(count * 2)
    target.ends = new Int32Array(count * 2)
  }
}
