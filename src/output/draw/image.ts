import type { Environment } from '../../base/io.ts'
import type { Pen } from '../view.ts'
import { decodePng, type Pixels, resize } from './pixels.ts'

export type ImageProtocol = 'kitty' | 'iterm2' | 'sixel' | 'blocks'

/** Columns an image takes at most, whichever way it is drawn. */
const mostColumns = 60

const kittyTerminals = /^(xterm-kitty|xterm-ghostty)$/
const itermPrograms = /^(iTerm\.app|WezTerm|mintty)$/
const sixelTerminals = /sixel|^(foot|foot-extra|mlterm|contour|yaft-256color)$/

/** What the terminal says about itself in the environment; a multiplexer swallows pictures, whatever it runs in. */
export function imageProtocol(env: Environment): ImageProtocol {
  const term = env['TERM'] ?? ''
  if (env['TMUX'] || env['STY'] || /^(tmux|screen)/.test(term)) return 'blocks'
  if (env['KITTY_WINDOW_ID'] || kittyTerminals.test(term)) return 'kitty'
  if (itermPrograms.test(env['TERM_PROGRAM'] ?? '')) return 'iterm2'
  return sixelTerminals.test(term) ? 'sixel' : 'blocks'
}

/** The graphics protocol of kitty: the file in base64, in pieces of 4096 bytes, with answers switched off (q=2). */
function kitty(png: Uint8Array, columns: number): string {
  const pieces =
    Buffer.from(png)
      .toString('base64')
      .match(/.{1,4096}/g) ?? []
  return `${pieces
    .map((piece, index) => {
      const more = index < pieces.length - 1 ? 1 : 0
      const control = index === 0 ? `a=T,f=100,q=2,c=${columns},m=${more}` : `q=2,m=${more}`
      return `\x1b_G${control};${piece}\x1b\\`
    })
    .join('')}\n`
}

function iterm2(png: Uint8Array, columns: number): string {
  const options = `inline=1;size=${png.length};width=${columns};preserveAspectRatio=1`
  return `\x1b]1337;File=${options}:${Buffer.from(png).toString('base64')}\x07\n`
}

async function sixel(picture: Pixels, columns: number): Promise<string> {
  const { image2sixel } = await import('sixel')
  const usualCellWidth = 8
  const width = Math.min(picture.width, columns * usualCellWidth)
  const { rgb, height } = resize(
    picture,
    width,
    Math.max(1, Math.round((picture.height * width) / picture.width)),
  )
  const rgba = new Uint8Array(width * height * 4).fill(255)
  for (let pixel = 0; pixel < width * height; pixel++)
    rgba.set(rgb.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
  return `${image2sixel(rgba, width, height, 64)}\n`
}

/** The nearest of the 256 colours that no theme changes: 24 greys, or a cube of six levels. */
function paletteIndex(red: number, green: number, blue: number): number {
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 12) {
    const grey = Math.round((red + green + blue) / 3)
    if (grey < 4) return 16
    return grey > 246 ? 231 : 232 + Math.min(23, Math.max(0, Math.round((grey - 8) / 10)))
  }
  const level = (value: number) => Math.round((value / 255) * 5)
  return 16 + 36 * level(red) + 6 * level(green) + level(blue)
}

/** Two pixels a character, the upper one as text and the lower one as background. */
function coloredBlocks({ width, height, rgb }: Pixels): string {
  const color = (x: number, y: number) => {
    const [red = 255, green = 255, blue = 255] = rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)
    return paletteIndex(red, green, blue)
  }
  const line = (y: number) =>
    Array.from({ length: width }, (_, x) => `\x1b[38;5;${color(x, y)};48;5;${color(x, y + 1)}m▀`).join('')
  return Array.from({ length: height / 2 }, (_, index) => `${line(index * 2)}\x1b[0m\n`).join('')
}

/** Without colour the bright half of the picture is drawn in the text colour. */
function plainBlocks({ width, height, rgb }: Pixels): string {
  const isBright = (x: number, y: number) => (rgb[(y * width + x) * 3 + 1] ?? 255) > 127
  const line = (y: number) =>
    Array.from(
      { length: width },
      (_, x) => [' ', '▄', '▀', '█'][Number(isBright(x, y)) * 2 + Number(isBright(x, y + 1))],
    )
  return Array.from({ length: height / 2 }, (_, index) => `${line(index * 2).join('')}\n`).join('')
}

function blocks(picture: Pixels, columns: number, pen: Pen): string {
  const rows = Math.max(1, Math.round((picture.height * columns) / picture.width / 2)) * 2
  const small = resize(picture, columns, rows)
  return pen.color ? coloredBlocks(small) : plainBlocks(small)
}

/** A PNG as this terminal can show it; undefined where drawings are not welcome. Throws for what is no PNG. */
export async function drawPng(png: Uint8Array, env: Environment, pen: Pen): Promise<string | undefined> {
  if (!pen.pictures) return undefined
  const picture = decodePng(png)
  const columns = Math.min(mostColumns, pen.width, picture.width)
  const protocol = imageProtocol(env)
  if (protocol === 'kitty') return kitty(png, columns)
  if (protocol === 'iterm2') return iterm2(png, columns)
  return protocol === 'sixel' ? sixel(picture, columns) : blocks(picture, columns, pen)
}
