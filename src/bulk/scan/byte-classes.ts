export interface Dialect {
  /** Byte between cells (default: a record is one cell). */
  delimiter?: number | undefined
  quotes: boolean
}

export const lineFeed = 0x0a
export const carriageReturn = 0x0d
export const quote = 0x22

export const ordinary = 0
export const isDelimiter = 1
const isLineFeed = 2
export const isCarriageReturn = 3
export const isQuote = 4
export const isNul = 5

const fourBytes = 0x01010101
const topBits = 0x80808080

export function fourTimes(byte: number): number {
  return byte * fourBytes
}

/**
 * Position of the next delimiter or byte below the limit. Compares four bytes at once; only the lowest flagged byte
 * is certain, because a borrow can flag the bytes above it.
 */
export function findSpecial(view: DataView, from: number, delimiters: number, limits: number): number {
  for (let at = from; ; at += 4) {
    const word = view.getInt32(at, true)
    const other = word ^ delimiters
    const special = (((word - limits) & ~word) | ((other - fourBytes) & ~other)) & topBits
    if (special !== 0) return at + ((31 - Math.clz32(special & -special)) >> 3)
  }
}

export function classesOf(dialect: Dialect): Uint8Array {
  const classes = new Uint8Array(256)
  classes[lineFeed] = isLineFeed
  classes[carriageReturn] = isCarriageReturn
  classes[0] = isNul
  if (dialect.quotes) classes[quote] = isQuote
  if (dialect.delimiter !== undefined) classes[dialect.delimiter] = isDelimiter
  return classes
}
