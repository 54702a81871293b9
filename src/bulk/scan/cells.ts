/** The cells of one record: `bytes[starts[i]..ends[i])`. Reused from record to record. */
export class Cells {
  bytes = Buffer.alloc(0)
  /** The same bytes, to read four at once. */
  view = new DataView(this.bytes.buffer)
  count = 0
  readonly starts: number[] = []
  readonly ends: number[] = []

  /** Makes room for bytes. The content is lost. */
  resize(byteCount: number): void {
    this.bytes = Buffer.from(new ArrayBuffer(byteCount))
    this.view = new DataView(this.bytes.buffer)
  }

  isEmpty(column: number): boolean {
    return this.starts[column] === this.ends[column]
  }

  text(column: number): string {
    return this.bytes.toString('utf8', this.starts[column], this.ends[column])
  }
}

const quote = 0x22

/** Copies the cells of a valid record, with `""` replaced by `"`. */
export function resolveQuotes(cells: Cells, target: Cells): void {
  const size = cells.ends[cells.count - 1] as number
  if (target.bytes.length < size) target.resize(size * 2)
  let filled = 0
  for (let index = 0; index < cells.count; index++) {
    const to = cells.ends[index] as number
    target.starts[index] = filled
    for (let at = cells.starts[index] as number; at < to; at++) {
      target.bytes[filled++] = cells.bytes[at] as number
      if (cells.bytes[at] === quote) at++
    }
    target.ends[index] = filled
  }
  target.count = cells.count
}

/** Copies the cells of a record, with another text in one of them. */
export function replaceCell(cells: Cells, target: Cells, column: number, text: string): void {
  const size = (cells.ends[cells.count - 1] as number) + text.length * 3
  if (target.bytes.length < size) target.resize(size * 2)
  let filled = 0
  for (let index = 0; index < cells.count; index++) {
    target.starts[index] = filled
    filled +=
      index === column
        ? target.bytes.write(text, filled)
        : cells.bytes.copy(target.bytes, filled, cells.starts[index], cells.ends[index])
    target.ends[index] = filled
  }
  target.count = cells.count
}
