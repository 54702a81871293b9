import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, describe, expect, test } from 'vitest'
import { layOutQr } from '../../../src/output/draw/qr.ts'
import { needs } from '../../helpers/needs.ts'
import { penFor } from '../screen.ts'
import { type Cell, type Shown, showOn } from '../terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'facescan-qr-'))
afterAll(() => rmSync(folder, { recursive: true }))

const decoder = needs('zbarimg')
const cellWidth = 6
const cellHeight = 12

/** A link like the links of the service: a host and a signed token. */
const link = `https://scan.example.com/start?language=nl&action_token=${'eyJhbGciOiJIUzI1NiJ9.'.padEnd(190, 'aB3-_')}`

interface Look {
  text: number
  background: number
}

const fixedColors = new Map([
  [16, 0],
  [231, 255],
])

function shade(cell: Cell, upper: boolean, look: Look): number {
  const drawn = cell.text === '█' || cell.text === (upper ? '▀' : '▄')
  const color = drawn ? cell.foreground : cell.background
  if (color === undefined) return drawn ? look.text : look.background
  return fixedColors.get(color)!
}

/** A picture of the screen as a PNG. */
function photograph({ cells }: Shown, rows: number, look: Look): Buffer {
  const width = cells[0]!.length * cellWidth
  const png = new PNG({ width, height: rows * cellHeight })
  for (let y = 0; y < png.height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = cells[Math.floor(y / cellHeight)]![Math.floor(x / cellWidth)]!
      const grey = shade(cell, y % cellHeight < cellHeight / 2, look)
      png.data.set([grey, grey, grey, 255], (y * width + x) * 4)
    }
  }
  return PNG.sync.write(png)
}

function decode(image: Buffer, inverted: boolean): string {
  const file = join(folder, 'screen.png')
  writeFileSync(file, image)
  const options = inverted ? ['-Stest-inverted'] : []
  const result = spawnSync(decoder.path.zbarimg, ['--quiet', '--raw', ...options, file], { encoding: 'utf8' })
  return result.stdout.trim()
}

const dark = { text: 235, background: 20 }
const light = { text: 20, background: 250 }

describe.skipIf(decoder.missing)('a QR code, read from the screen by zbarimg (Debian: zbar-tools)', () => {
  test.each([
    ['in color on a dark background', true, dark],
    ['in color on a light background', true, light],
    ['without color on a dark background', false, dark],
    ['without color on a light background', false, light],
  ])('zbarimg reads the link of a QR code on the screen: %s', async (_, color, look) => {
    const width = 100
    const text = layOutQr(link, await penFor({ width, height: 60, color })).drawing!
    const rows = text.split('\n').length + 1
    // Two empty lines above the code, as after a prompt.
    const screen = await showOn(`\n\n${text}`, width, rows + 4)
    const inverted = !color && look === light
    expect(decode(photograph(screen, rows + 4, look), inverted)).toBe(link)
  })
})

test.each([
  [60, 60],
  [80, 32],
])(
  'a QR code is not drawn on %i columns and %i rows, and the minimum size is reported',
  async (width, height) => {
    const terminal = await penFor({ width, height })
    expect(layOutQr(link, terminal)).toEqual({ drawing: undefined, columns: 61, rows: 34 })
  },
)

test('a QR code has a quiet zone of four modules, or of two modules on a small terminal', async () => {
  const sizeOn = async (width: number, height: number) => {
    const lines = layOutQr(link, await penFor({ width, height }))
      .drawing!.trimEnd()
      .split('\n')
    return [lines[0]!.length, lines.length]
  }
  expect(await sizeOn(80, 36)).toEqual([65, 33])
  expect(await sizeOn(80, 35)).toEqual([61, 31])
  expect(await sizeOn(62, 60)).toEqual([61, 31])
})

test('the lines of a QR code fit the terminal, and the colors are reset after the code', async () => {
  const text = layOutQr(link, await penFor({ width: 80, height: 60, color: true })).drawing!
  const screen = await showOn(`${text}after`, 80)
  expect(screen.wrapped).toBe(false)
  expect(screen.lines.at(-1)).toBe('after')
  expect(screen.cells[screen.cursor.row]![0]).toMatchObject({
    text: 'a',
    foreground: undefined,
    background: undefined,
  })
})
