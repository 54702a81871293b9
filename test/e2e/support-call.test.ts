import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import xterm from '@xterm/headless'
import { chromium } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { drawScreen } from '../../scripts/screens/draw.js'
import { startSandbox } from '../../src/sandbox/index.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { openPty, type Pty } from '../helpers/pty.ts'

let pty: Pty | undefined
afterEach(() => pty?.close())

async function createCaller(env: Record<string, string> = { NO_COLOR: '1' }): Promise<Machine> {
  const machine = createMachine({ TZ: 'UTC', ...env })
  await machine.facescan('users create 4711')
  return machine
}

function open(machine: Machine, line: string, columns: number, rows: number): Pty {
  pty = openPty(process.execPath, ['bin/facescan.js', ...line.split(' ')], {
    columns,
    rows,
    env: machine.env,
  })
  return pty
}

test('scan-url --qr --wait shows the QR code, waits, and describes the scan in sentences; Ctrl-C ends the wait', async () => {
  const machine = await createCaller()
  const call = open(machine, 'scan-url 4711 --qr --wait', 100, 60)
  const waiting = await call.waitFor(/waiting for the scan… \d/)
  expect(waiting).toMatch(/[▀▄█]{10}/)
  await machine.facescan('sandbox scan 4711 --seed 7')
  await call.waitFor(/Heart rate: [\d.]+ beats per minute\.\n/, 25_000)
  expect(await call.ended).toBe(0)
  expect(call.raw()).not.toMatch(/https?:\/\/|eyJ/)
  const screen = call.screen().join('\n')
  expect(screen).not.toContain('waiting for the scan… ')
  expect(screen).toMatch(/\nScan finished at \d\d:\d\d\.\nHeart rate: /)
  expect(screen).toMatch(/Systolic pressure: \d+ millimeters of mercury\.\n/)
  call.close()

  const given = open(machine, 'scan-url 4711 --qr --wait', 100, 60)
  await given.waitFor(/waiting for the scan… \d/)
  given.type('\x03')
  expect(await given.ended).toBe(130)
})

test.each(['scan-url 4711 --qr', 'scan-url 4711 --qr --wait'])(
  '%s on a terminal of 80x24 shows the size that the QR code needs, the link, and other ways to deliver it',
  async (line) => {
    const call = open(await createCaller(), line, 80, 24)
    await call.waitFor(/language=en|waiting for the scan… \d/)
    const screen = call.screen().join('\n')
    const text = screen.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(
      /the QR code needs \d+ columns and \d+ rows, but this terminal has 80 columns and 24 rows/,
    )
    expect(text).toContain(
      'use the link below, enlarge the terminal, or add --copy, --open, or --qr-file qr.png',
    )
    expect(screen.replaceAll('\n', '')).toMatch(/http:\/\/scan-\w+\.localhost\S+action_token=eyJ/)
    expect(screen).not.toMatch(/[▀▄█]/)
    expect(call.screen().length).toBeLessThan(24)
  },
)

const browserPath = '/usr/bin/chromium'
const canPhotograph = existsSync(browserPath) && spawnSync('zbarimg', ['--version']).status === 0

async function photograph(svg: string): Promise<Buffer> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']
  const browser = await chromium.launch({ executablePath: browserPath, args })
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1200 } })
    await page.setContent(svg)
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

function readCode(file: string): string {
  return spawnSync('zbarimg', ['--quiet', '--raw', file], { encoding: 'utf8' }).stdout.trim()
}

describe.skipIf(!canPhotograph)('with Chromium and zbarimg', () => {
  test('a picture of the terminal contains a QR code whose link opens', async () => {
    const machine = await createCaller({})
    const sandbox = await startSandbox({
      database: join(machine.home, 'state/sandbox.db'),
      announce: true,
    })
    const call = open(machine, 'scan-url 4711 --qr', 100, 45)
    expect(await call.ended).toBe(0)
    const terminal = new xterm.Terminal({ cols: 100, rows: 45, allowProposedApi: true })
    await new Promise<void>((done) => terminal.write(call.raw(), done))
    const picture = join(machine.home, 'screen.png')
    writeFileSync(picture, await photograph(drawScreen('scan-url', terminal)))
    const link = readCode(picture)
    expect(link).toMatch(/^http:\/\/scan-\w+\.localhost:\d+\/.*action_token=eyJ/)
    const page = await fetch(link.replace(/[\w-]+\.localhost/, '127.0.0.1'))
    await sandbox.close()
    expect(page.status).toBe(200)
  })
})
