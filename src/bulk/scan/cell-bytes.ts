import type { Cells } from './cells.ts'

/** Value of bytes that match `^-?(0|[1-9]\d*)$`, otherwise NaN. Not exact for unsafe integers. */
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

/** Marker byte before a cell of a workbook whose displayed text is not its stored value, such as a date. An ID never contains this byte. */
export const shownMark = 0x01

const apostrophe = 0x27

/** The start of a formula. Spaces, quotes, and apostrophes can precede it. */
const formulaStart = /^['"\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^'*[\t\r]/
const wordByte = /[\w.]/

function isFormulaLike(bytes: Uint8Array, from: number, to: number): boolean {
  // A cell that starts with a letter, a digit, an underscore, or a dot is not a formula. Only the few other cells are decoded.
  if (from >= to || wordByte.test(String.fromCharCode(bytes[from] as number))) return false
  return formulaStart.test(Buffer.from(bytes.subarray(from, to)).toString())
}

/** Whether a cell needs an apostrophe. Negative numbers are harmless. */
export function needsApostrophe(bytes: Buffer, from: number, to: number): boolean {
  return isFormulaLike(bytes, from, to) && !/^[+-]?\d+([.,]\d+)?$/.test(bytes.toString('latin1', from, to))
}

/** Removes the apostrophes that a result file added. */
export function skipApostrophes(cells: Cells): void {
  for (let index = 0; index < cells.count; index++) {
    const from = cells.starts[index] as number
    if (cells.bytes[from] !== apostrophe) continue
    if (isFormulaLike(cells.bytes, from, cells.ends[index] as number)) cells.starts[index] = from + 1
  }
}
