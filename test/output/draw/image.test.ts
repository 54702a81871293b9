import { PNG } from 'pngjs'
import { Decoder } from 'sixel'
import { expect, test } from 'vitest'
import { drawPng, imageProtocol } from '../../../src/output/draw/image.ts'
import { decodePng, resize } from '../../../src/output/draw/pixels.ts'
import { penFor } from '../screen.ts'
import { showOn } from '../terminal.ts'

/** Left half black, right half white, a transparent line at the top. */
function sample(width = 40, height = 40): Buffer {
  const png = new PNG({ width, height })
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grey = x < width / 2 ? 0 : 255
      png.data.set([grey, grey, grey, y === 0 ? 0 : 255], (y * width + x) * 4)
    }
  }
  return PNG.sync.write(png)
}

test.each([
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, 'kitty'],
  [{ TERM: 'xterm-ghostty' }, 'kitty'],
  [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
  [{ TERM: 'foot' }, 'sixel'],
  [{ TERM: 'xterm-256color' }, 'blocks'],
  [{ TERM_PROGRAM: 'Apple_Terminal' }, 'blocks'],
  [{ TERM: 'tmux-256color', TMUX: '/tmp/tmux', KITTY_WINDOW_ID: '1' }, 'blocks'],
  [{ TERM: 'screen.xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'blocks'],
] as const)('with %j pictures are drawn with %s', (env, protocol) => {
  expect(imageProtocol(env)).toBe(protocol)
})

test('transparent pixels are white, and a smaller picture is the mean of what it covers', () => {
  const pixels = decodePng(sample())
  expect([...pixels.rgb.subarray(0, 3)]).toEqual([255, 255, 255])
  expect([...pixels.rgb.subarray(40 * 3, 40 * 3 + 3)]).toEqual([0, 0, 0])
  expect([...resize(pixels, 1, 1).rgb]).toEqual([131, 131, 131])
  expect([...resize(pixels, 2, 1).rgb]).toEqual([6, 6, 6, 255, 255, 255])
})

test('half blocks show the picture upright and in its colours', async () => {
  const pen = await penFor({ width: 80, color: true })
  const text = await drawPng(sample(), {}, pen)
  const { cells, wrapped } = await showOn(text!, 80)
  expect(wrapped).toBe(false)
  expect(cells[5]![3]).toEqual({ text: '▀', foreground: 16, background: 16 })
  expect(cells[5]![35]).toEqual({ text: '▀', foreground: 231, background: 231 })
  expect(cells[20]![0]!.background).toBeUndefined()
})

test('without colour the bright part is drawn', async () => {
  const text = await drawPng(sample(), {}, await penFor({ width: 80 }))
  expect(text!.split('\n')[10]).toBe(' '.repeat(20) + '█'.repeat(20))
})

test('a terminal of the kitty protocol gets the file itself, in pieces', async () => {
  const noise = new PNG({ width: 64, height: 64 })
  noise.data.forEach((_, index) => {
    noise.data[index] = (index * 7919) % 251
  })
  const png = PNG.sync.write(noise)
  const text = await drawPng(png, { TERM: 'xterm-kitty' }, await penFor({ width: 80 }))
  const pieces = [...text!.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)]
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.every(([, control]) => control!.includes('q=2'))).toBe(true)
  expect(pieces.map(([, control]) => control!.endsWith('m=1'))).toEqual(
    pieces.map((_, i) => i < pieces.length - 1),
  )
  expect(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64').equals(png)).toBe(true)
})

test('a terminal of the iTerm2 protocol gets the file itself', async () => {
  const png = sample()
  const text = await drawPng(png, { TERM_PROGRAM: 'iTerm.app' }, await penFor({ width: 80 }))
  const [, options, data] = /^\x1b]1337;File=([^:]*):([^\x07]*)\x07\n$/.exec(text!)!
  expect(options).toContain(`size=${png.length}`)
  expect(Buffer.from(data!, 'base64').equals(png)).toBe(true)
})

test('a sixel terminal gets a picture that decodes to the same pixels', async () => {
  const text = await drawPng(sample(), { TERM: 'foot' }, await penFor({ width: 80 }))
  const [, body] = /^\x1bP[\d;]*q([\s\S]*)\x1b\\\n$/.exec(text!)!
  const decoder = new Decoder()
  decoder.init()
  decoder.decodeString(body!)
  expect([decoder.width, decoder.height]).toEqual([40, 40])
  expect(decoder.data32[40 * 20 + 3]! & 0xffffff).toBe(0)
  expect(decoder.data32[40 * 20 + 35]! & 0xffffff).toBe(0xffffff)
})

test('nothing is drawn where drawings are not welcome', async () => {
  expect(await drawPng(sample(), {}, await penFor({}))).toBeUndefined()
  expect(await drawPng(sample(), {}, await penFor({ width: 80, env: { ACCESSIBLE: '1' } }))).toBeUndefined()
})

test.each([
  ['text', Buffer.from('<html>not an image at all, really</html>'), /it is no PNG/],
  ['an empty reply', Buffer.alloc(0), /it is no PNG/],
  ['a cut file', sample().subarray(0, 60), /damaged/],
])('%s instead of a picture is an error that says so', async (_, bytes, message) => {
  await expect(drawPng(bytes, {}, await penFor({ width: 80 }))).rejects.toMatchObject({
    code: 'server',
    message,
  })
})

test('a small file that claims a huge picture is refused before it is decoded', async () => {
  const bomb = Buffer.from(sample())
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  await expect(drawPng(bomb, {}, await penFor({ width: 80 }))).rejects.toThrow(/too large/)
})
