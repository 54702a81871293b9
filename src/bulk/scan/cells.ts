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

/** Copies the cells of a valid record. Replaces `""` with `"`. */
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

/** Matches spaces, no-break spaces, and characters without width. */
const anySpace = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164]/

export function trimmedText(text: string): string {
  return text.slice(...trimmedRange(text))
}

/** Spaces in ASCII. In a text with an unknown encoding, other characters without ink may be letters: á in ibm850 is a no-break space. */
const asciiSpace = /[\t-\r ]/

/** The range of a text without the spaces around it. A regular expression would need minutes for a cell with many spaces. */
function trimmedRange(text: string, space = anySpace): [from: number, to: number] {
  let from = 0
  let to = text.length
  while (from < to && space.test(text[from] as string)) from++
  while (from < to && space.test(text[to - 1] as string)) to--
  return [from, to]
}

/** Removes spaces around a cell. Returns true if spaces were removed. If the encoding is assumed, only spaces in ASCII are removed. */
export function trimCell({ bytes, starts, ends }: Cells, column: number, isAssumed = false): boolean {
  const from = starts[column] as number
  const to = ends[column] as number
  if (isInk(bytes[from] as number) && isInk(bytes[to - 1] as number)) return false
  const text = bytes.toString('utf8', from, to)
  const [first, end] = trimmedRange(text, isAssumed ? asciiSpace : anySpace)
  starts[column] = from + Buffer.byteLength(text.slice(0, first))
  ends[column] = to - Buffer.byteLength(text.slice(end))
  return first > 0 || end < text.length
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

/** Converts bytes that match `^-?(0|[1-9]\d*)$` to a number. NaN for other bytes. Unsafe integers are not exact. */
export function wholeNumberAt(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === 0x2d
  const first = isNegative ? from + 1 : from
  const isLeadingZero = bytes[first] === 0x30 && to - first > 1
  if (first >= to || isLeadingZero) return Number.NaN
  let value = 0
  for (let at = first; at < to; at++) {
    const digit = (bytes[at] as number) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return isNegative && value > 0 ? -value : value
}

/** Marker byte before a workbook cell that is displayed differently, such as a date. An ID never contains it. */
export const shownMark = 0x01

const apostrophe = 0x27

/** The start of a formula. Spaces, quotes, and apostrophes can precede it. */
const formulaStart = /^['"\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^'*[\t\r]/
const wordByte = /[\w.]/

function isFormulaLike(bytes: Uint8Array, from: number, to: number): boolean {
  // Fast path: a cell that starts with a letter, a digit, an underscore, or a dot is not a formula.
  if (wordByte.test(String.fromCharCode(bytes[from] as number))) return false
  return formulaStart.test(Buffer.from(bytes.subarray(from, to)).toString())
}

/** Whether a spreadsheet would evaluate the cell as a formula. Such a cell needs an apostrophe. Negative numbers are harmless. */
export function needsApostrophe(bytes: Buffer, from: number, to: number): boolean {
  return isFormulaLike(bytes, from, to) && !/^[+-]\d+([.,]\d+)?$/.test(bytes.toString('latin1', from, to))
}

/** Removes the apostrophes that a result file added. */
export function skipApostrophes(cells: Cells): void {
  for (let index = 0; index < cells.count; index++) {
    const from = cells.starts[index] as number
    if (cells.bytes[from] !== apostrophe) continue
    if (isFormulaLike(cells.bytes, from, cells.ends[index] as number)) cells.starts[index] = from + 1
  }
}
