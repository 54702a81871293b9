import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { needs } from '../helpers/needs.ts'
import { openPty, type Pty } from '../helpers/pty.ts'
import { type Desktop, missingXterm, startDesktop } from '../helpers/xterm.ts'

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

test('"scan-url --qr --wait" prints the QR code and the next scan, and stops at Ctrl-C', async () => {
  const machine = await createCaller()
  const call = open(machine, 'scan-url 4711 --qr --wait', 100, 60)
  const waiting = await call.waitFor(/waiting for the scan… \d/)
  expect(waiting).toMatch(/[▀▄█]{10}/)
  expect(waiting).toContain('to record a scan, run in another terminal: facescan sandbox scan 4711')
  await machine.facescan('sandbox scan 4711 --seed 7')
  await call.waitFor(/Diastolic pressure +[\d.]+ +mmHg/)
  expect(await call.ended).toBe(0)
  expect(call.raw()).not.toMatch(/https?:\/\/|eyJ/)
  const screen = call.screen().join('\n')
  expect(screen).not.toContain('waiting for the scan… ')
  expect(screen).toMatch(/Face scans of user 4711\n\nFace scan ID +[0-9a-f-]{36}\nScanned +just now/)
  call.close()

  const given = open(machine, 'scan-url 4711 --qr --wait', 100, 60)
  await given.waitFor(/waiting for the scan… \d/)
  given.type('\x03')
  expect(await given.ended).toBe(130)
})

test.each(['scan-url 4711 --qr', 'scan-url 4711 --qr --wait'])(
  '"%s" on a terminal of 80x24 prints the required size and other ways to show the QR code',
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
    expect(screen).not.toContain('add --qr;')
    expect(call.screen().length).toBeLessThan(24)
  },
)

test('"token --qr" on a small terminal suggests the clipboard or a file', async () => {
  const call = open(await createCaller(), 'token 4711 --qr', 80, 24)
  await call.ended
  expect(call.screen().join(' ').replaceAll(/\s+/g, ' ')).toContain(
    'use the token below, enlarge the terminal, or add --copy or --qr-file qr.png',
  )
})

const decoder = needs('zbarimg')

describe.skipIf(missingXterm || decoder.missing)('a picture of xterm', () => {
  let desktop: Desktop
  afterEach(() => desktop.close())

  /** The text of the QR code on a screenshot of the desktop. Empty if there is none. */
  function readCode(options: readonly string[] = []): string {
    const picture = join(mkdtempSync(join(tmpdir(), 'facescan-picture-')), 'screen.png')
    desktop.photograph(picture)
    const args = ['--quiet', '--raw', ...options, picture]
    return spawnSync(decoder.path.zbarimg, args, { encoding: 'utf8' }).stdout.trim()
  }

  async function until<T>(read: () => T): Promise<T> {
    let result = read()
    for (; !result; result = read()) await new Promise((resolve) => setTimeout(resolve, 200))
    return result
  }

  const command = `exec '${process.execPath}' bin/facescan.js scan-url 4711 --qr`

  const dark = { background: 'black', text: 'white' }
  const light = { background: 'white', text: 'black' }
  const noColor: Record<string, string> = { NO_COLOR: '1' }

  test.each([
    ['in color on a dark background', {}, dark, []],
    ['in color on a light background', {}, light, []],
    ['without color on a dark background', noColor, dark, []],
    ['without color on a light background, inverted', noColor, light, ['-Stest-inverted']],
  ])('a screenshot of xterm contains a QR code whose link opens: %s', async (_, env, colors, options) => {
    const machine = await createCaller(env)
    const database = join(machine.home, 'state/sandbox.db')
    const sandbox = await startSandbox({ strict: true, database, announce: true })
    try {
      const look = { columns: 100, rows: 45, ...colors, env: machine.env }
      desktop = await startDesktop()
      desktop.openTerminal(command, look)
      const link = await until(() => readCode(options))
      expect(link).toMatch(/^http:\/\/scan-\w+\.localhost:\d+\/.*action_token=eyJ/)
      const page = await fetch(link.replace(/[\w-]+\.localhost/, '127.0.0.1'))
      expect(page.status).toBe(200)
    } finally {
      await sandbox.close()
    }
  })
  test('on xterm at 80x24, the link is written to the redirected stdout, and no QR code is shown', async () => {
    const machine = await createCaller({})
    const file = join(machine.home, 'link.txt')
    desktop = await startDesktop()
    desktop.openTerminal(`${command} > ${file}`, { columns: 80, rows: 24, ...dark, env: machine.env })
    const link = await until(() => existsSync(file) && readFileSync(file, 'utf8'))
    expect(link).toMatch(/^http:\/\/scan-\w+\.localhost:\d+\/.*action_token=eyJ\S+\n$/)
    expect(readCode()).toBe('')
  })
})
