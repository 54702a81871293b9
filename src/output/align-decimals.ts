import { widthOf } from './text.ts'

/** Everything after the whole number: the fraction and a unit such as `%`. */
const afterWholeNumber = /\d(\.\d+\D*|[^\d.][^\d]*)?$/

function tailWidth(text: string): number {
  const plain = text.replace(/\x1b\[\d+m/g, '')
  return widthOf(afterWholeNumber.exec(plain)?.[1] ?? '')
}

/** The texts of a right-aligned column, padded so that their decimal points are below each other. */
export function alignDecimals(texts: readonly string[]): string[] {
  const tails = texts.map(tailWidth)
  const widest = Math.max(0, ...tails)
  return texts.map((text, index) => text + ' '.repeat(widest - (tails[index] ?? 0)))
}
