import type { Cells } from '../scan/cells.ts'

/** Spaces, no-break spaces, and characters without a width. */
const edge = '[\\s\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069]+'
const leading = new RegExp(`^${edge}`)
const trailing = new RegExp(`${edge}$`)

export function trimmedText(text: string): string {
  const last = text.length - 1
  if (last < 0 || (isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(last)))) return text
  return text.replace(leading, '').replace(trailing, '')
}

/** Removes the spaces around a cell. Returns whether there were any. */
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
function isInk(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f
}

export function isBlankCell(cells: Cells, column: number): boolean {
  if (cells.isEmpty(column)) return true
  return (
    !isInk(cells.bytes[cells.starts[column] as number] as number) && trimmedText(cells.text(column)) === ''
  )
}
