/** The cells of one record: `bytes[starts[i]..ends[i])`. The object is reused for each record. */
export class Cells {
  bytes = Buffer.alloc(0)
  /** The same memory as `bytes`, for reading four bytes at once. */
  view = new DataView(this.bytes.buffer)
  count = 0
  readonly starts: number[] = []
  readonly ends: number[] = []

  /** Replaces the memory with new memory of `byteCount` bytes. The old content is not copied. */
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

/** The text of a workbook cell without its marker bytes. */
export function withoutMarks(text: string): string {
  return text.replace(/^\x01+/, '')
}

const quote = 0x22

/** Copies the cells of a valid record and replaces `""` by `"`. */
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

/** Copies the cells of a record and replaces one of them. */
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

/** Spaces, no-break spaces, and zero-width characters. */
const edge = '[\\s\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069]+'
const leading = new RegExp(`^${edge}`)
const trailing = new RegExp(`${edge}$`)

export function trimmedText(text: string): string {
  const last = text.length - 1
  if (last < 0 || (isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(last)))) return text
  return text.replace(leading, '').replace(trailing, '')
}

/** Removes spaces around a cell. Returns whether there were any. */
export function trimCell({ bytes, starts, ends }: Cells, column: number): boolean {
  const from = starts[column] as number
  const to = ends[column] as number
  if (from === to || (isInk(bytes[from] as number) && isInk(bytes[to - 1] as number))) return false
  const text = bytes.toString('utf8', from, to)
  const before = leading.exec(text)?.[0] ?? ''
  const after = trailing.exec(text.slice(before.length))?.[0] ?? ''
  if (before === '' && after === '') return false
  starts[column] = from + Buffer.byteLength(before)
  ends[column] = to - Buffer.byteLength(after)
  return true
}

/** Whether a byte is a visible ASCII character. */
export function isInk(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f
}

export function isBlankCell(cells: Cells, column: number): boolean {
  if (cells.isEmpty(column)) return true
  return (
    !isInk(cells.bytes[cells.starts[column] as number] as number) && trimmedText(cells.text(column)) === ''
  )
}
