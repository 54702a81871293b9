import { encode } from 'uqr'
import type { Terminal } from '../view.ts'

/** Widths of the empty border in modules. The standard requires four, but phones also read codes with two. */
const quietZones = [4, 2] as const

/** Number of lines below the QR code: two notes and the shell prompt. With this space, the QR code does not scroll off the screen. */
const rowsBelow = 3

/** Pixels for one square (module) of a QR code in an image file. */
const imageScale = 8

/** Selects black on white, from the part of the 256-color palette that terminal themes do not change. */
const blackOnWhite = '\x1b[38;5;16;48;5;231m'
const swapColors = '\x1b[7m'
const restoreColors = '\x1b[27m'
const reset = '\x1b[0m'

/** A drawing if it fits the terminal, and the size of the smallest terminal that can show it and the lines below it. */
export function layOutQr(text: string, terminal: Terminal) {
  const codes = quietZones.map((border) => encode(text, { ecc: 'L', border }))
  const rowsOf = (size: number) => Math.ceil(size / 2) + rowsBelow
  // A pipe has no height, so only the width of the QR code is checked.
  const fitting = codes.find(
    ({ size }) => size <= terminal.width && (!terminal.isTTY || rowsOf(size) <= terminal.height),
  )
  const columns = Math.min(...codes.map(({ size }) => size))
  return { drawing: fitting && draw(fitting.data, terminal), columns, rows: rowsOf(columns) }
}

/** Draws two rows of modules per line. If the number of rows is odd, the lower half of the last line is empty. */
function draw(modules: readonly (readonly boolean[])[], terminal: Terminal): string {
  const drawLine = terminal.color ? drawInColor : drawInTextColor
  return Array.from({ length: Math.ceil(modules.length / 2) }, (_, line) => {
    const [top = [], bottom = []] = modules.slice(line * 2)
    return `${drawLine(top, bottom)}\n`
  }).join('')
}

/** Draws the lower module with the background color, because block characters do not reach the lower edge of the line in most fonts. */
function drawInColor(top: readonly boolean[], bottom: readonly boolean[]): string {
  const cells = top.map((isDark, column) => {
    const isDarkBelow = bottom[column] ?? false
    const isNew = isDarkBelow !== (bottom[column - 1] ?? false)
    const style = isNew ? (isDarkBelow ? swapColors : restoreColors) : ''
    return style + (isDark === isDarkBelow ? ' ' : '▀')
  })
  return blackOnWhite + cells.join('') + reset
}

/** Draws the light modules in the text color. Phones can also read the inverted code of a light terminal. */
function drawInTextColor(top: readonly boolean[], bottom: readonly boolean[]): string {
  const blocks = ['█', '▀', '▄', ' ']
  return top.map((isDark, column) => blocks[(isDark ? 2 : 0) + (bottom[column] ? 1 : 0)]).join('')
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
