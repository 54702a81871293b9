import { encode } from 'uqr'
import { UsageError } from '../../base/errors.ts'
import type { Pen } from '../view.ts'

/** Modules of quiet space around the code: the standard asks for four, phones make do with two. */
const quietZones = [4, 2] as const

/** Black on white from the part of the 256 colours that no theme changes. */
const blackOnWhite = '\x1b[38;5;16;48;5;231m'
const reset = '\x1b[0m'

const halves = { both: '█', top: '▀', bottom: '▄', neither: ' ' } as const

function half(top: boolean, bottom: boolean): string {
  if (top) return bottom ? halves.both : halves.top
  return bottom ? halves.bottom : halves.neither
}

/**
 * A QR code in half blocks, two modules a character: black on white where there is colour. Without colour the light
 * modules are drawn in the text colour, right on a dark background and inverted on a light one, which phones read too.
 * Throws a UsageError where the terminal is too narrow.
 */
export function drawQr(text: string, pen: Pen): string {
  const codes = quietZones.map((border) => encode(text, { ecc: 'L', border }))
  const code = codes.find(({ size }) => size <= pen.width)
  if (!code) {
    const least = Math.min(...codes.map(({ size }) => size))
    throw new UsageError(`--qr: the code is ${least} columns wide and this terminal has ${pen.width}`, {
      hint: 'Make the terminal wider or its text smaller.',
    })
  }
  const { data, size } = code
  // An odd number of rows ends in half a line, which belongs to the quiet zone.
  const isDark = (row: number, column: number) => data[row]?.[column] ?? false
  const isDrawn = (row: number, column: number) => isDark(row, column) === pen.color
  const line = (row: number) =>
    Array.from({ length: size }, (_, column) => half(isDrawn(row, column), isDrawn(row + 1, column))).join('')
  const lines = Array.from({ length: Math.ceil(size / 2) }, (_, index) => line(index * 2))
  return lines.map((text) => (pen.color ? `${blackOnWhite}${text}${reset}\n` : `${text}\n`)).join('')
}
