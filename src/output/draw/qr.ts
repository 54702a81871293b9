import { encode } from 'uqr'
import type { Pen } from '../view.ts'

export interface QrCode {
  /** Undefined if the terminal is too small. */
  drawing: string | undefined
  /** The smallest terminal that shows the code and the lines below it. */
  columns: number
  rows: number
}

/** Modules of empty space around the code: the standard requires four, but phones read two. */
const quietZones = [4, 2] as const

/** Two notes and the prompt of the shell, which must not scroll the code off the screen. */
const rowsBelow = 3

/** Pixels per module of an image. */
const imageScale = 8

/** Black on white, from the part of the 256 colors that themes do not change. */
const blackOnWhite = '\x1b[38;5;16;48;5;231m'
const reset = '\x1b[0m'

const halves = { both: '█', top: '▀', bottom: '▄', neither: ' ' } as const

/**
 * A QR code in half blocks, two modules per character: black on white with color. Without color, the light modules are drawn
 * in the text color. The code is then inverted on a light background, which phones read too.
 */
export function layOutQr(text: string, pen: Pen): QrCode {
  const codes = quietZones.map((border) => encode(text, { ecc: 'L', border }))
  const rowsOf = (size: number) => Math.ceil(size / 2) + rowsBelow
  // The height of a pipe is unknown.
  const fitting = codes.find(({ size }) => size <= pen.width && (!pen.terminal || rowsOf(size) <= pen.height))
  const columns = Math.min(...codes.map(({ size }) => size))
  return { drawing: fitting && draw(fitting.data, pen), columns, rows: rowsOf(columns) }
}

function draw(modules: readonly (readonly boolean[])[], pen: Pen): string {
  // A code with an odd number of rows ends with half a line of empty space.
  const isDrawn = (row: number, column: number) => (modules[row]?.[column] ?? false) === pen.color
  const line = (row: number) =>
    modules.map((_, column) => half(isDrawn(row, column), isDrawn(row + 1, column))).join('')
  const lines = Array.from({ length: Math.ceil(modules.length / 2) }, (_, index) => line(index * 2))
  return lines.map((text) => (pen.color ? `${blackOnWhite}${text}${reset}\n` : `${text}\n`)).join('')
}

function half(top: boolean, bottom: boolean): string {
  if (top) return bottom ? halves.both : halves.top
  return bottom ? halves.bottom : halves.neither
}

/** A QR code as a black and white PNG image. */
export async function qrImage(text: string): Promise<Buffer> {
  const { PNG } = await import('pngjs')
  const { data, size } = encode(text, { ecc: 'L', border: quietZones[0] })
  const width = size * imageScale
  const png = new PNG({ width, height: width, colorType: 0, inputColorType: 0, inputHasAlpha: false })
  png.data = Buffer.from(
    Array.from({ length: width * width }, (_, index) => {
      const [x, y] = [index % width, Math.floor(index / width)].map((at) => Math.floor(at / imageScale))
      return data[y ?? 0]?.[x ?? 0] ? 0 : 255
    }),
  )
  return PNG.sync.write(png)
}
