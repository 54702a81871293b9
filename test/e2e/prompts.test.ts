import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPty, type Pty } from '../helpers/pty.ts'

let home: string
let pty: Pty | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'facescan-prompts-'))
})
afterEach(() => pty?.close())

const down = '\x1b[B'

function facescan(line: string, env: Record<string, string> = { NO_COLOR: '1' }): Pty {
  pty = openPty(process.execPath, ['bin/facescan.js', ...line.split(' ')], {
    columns: 100,
    env: {
      HOME: home,
      ...env,
      TZ: 'Europe/Amsterdam',
      FACESCAN_CONFIG_DIR: join(home, 'config'),
      FACESCAN_STATE_DIR: join(home, 'state'),
    },
  })
  return pty
}

test('users create without flags asks for each value, checks each answer, and shows the equivalent command', async () => {
  const terminal = facescan('users create --profile SANDBOX-DEV')
  await terminal.waitFor(/Your own id of the user/)
  terminal.type('\r')
  await terminal.waitFor(/is empty/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth/)
  terminal.type('1984-02-30\r')
  await terminal.waitFor(/is not a date/)
  terminal.type('\x7f\x7f29\r')
  await terminal.waitFor(/Sex at birth/)
  terminal.type('\r')
  await terminal.waitFor(/Language/)
  terminal.type(`${down}\r`)
  await terminal.waitFor(/Units/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/next: facescan sandbox scan/)
  expect(screen.replace(/ \\\n\s*/g, ' ')).toContain(
    'facescan users create --external-user-id 4711 --birth-date 1984-02-29 --sex F --language nl --unit-system metric --profile SANDBOX-DEV',
  )
  expect(screen).toMatch(/Birth date +1984-02-29/)
  expect(await terminal.ended).toBe(0)
})

test('Ctrl-C at a prompt exits with 130 and changes nothing', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/Your own id of the user/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
})

// Sequences that set a style, except the reset that can end a prompt.
const styled = /\x1b\[[1-9]\d*m/

test.each([
  ['never', false],
  ['always', true],
])('with --color %s a prompt has color: %s', async (mode, expected) => {
  const terminal = facescan(`users create --color ${mode}`, {})
  await terminal.waitFor(/Your own id of the user/)
  terminal.type('\r')
  await terminal.waitFor(/is empty/)
  expect(styled.test(terminal.raw())).toBe(expected)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
})

test('SIGTERM at a prompt exits with 143', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/Your own id of the user/)
  terminal.signal('SIGTERM')
  expect(await terminal.ended).toBe(143)
  expect(terminal.screen().join('\n')).toMatch(/✗ terminated$/)
})

test('typing searches a long list of choices', async () => {
  const create = facescan('users create --external-user-id 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('answers save')
  await terminal.waitFor(/Your own id of the user/)
  terminal.type('4711\r')
  await terminal.waitFor(/Question/)
  terminal.type('sleep')
  await terminal.waitFor(/average_sleep_hours/)
  terminal.type('\r')
  await terminal.waitFor(/Answer, a whole number/)
  terminal.type('4\r')
  await terminal.waitFor(/Time zone/)
  terminal.type('Lisb')
  await terminal.waitFor(/Europe\/Lisbon/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/Lookup key +average_sleep_hours/)
  expect(screen.replace(/\n\s*/g, ' ')).toContain(
    'facescan answers save average_sleep_hours 4 --external-user-id 4711 --timezone Europe/Lisbon',
  )
})

test('profiles add without flags asks for name, address, and key, and never shows the key', async () => {
  const key = 'not-a-real-key-0123456789-0123456789-abcd'
  const terminal = facescan('profiles add --yes')
  expect(await terminal.ended).toBe(2)
  terminal.close()
  const asking = facescan('profiles add')
  await asking.waitFor(/Name of the profile/)
  asking.type('ACME DEV\r')
  await asking.waitFor(/letters, digits/)
  asking.type('\x7f\x7f\x7f\x7f-DEV\r')
  await asking.waitFor(/Base URL/)
  asking.type('http://api.example.com\r')
  await asking.waitFor(/https/i)
  asking.type('\x15http://127.0.0.1:9\r')
  await asking.waitFor(/API key of ACME-DEV/)
  asking.type(`${key}\r`)
  // No server listens there, so the key cannot be verified and is not stored.
  await asking.waitFor(/the key was not stored/)
  expect(await asking.ended).toBe(9)
  expect(asking.raw()).not.toContain(key)
  expect(asking.screen().join('\n')).toContain('profiles add ACME-DEV --base-url http://127.0.0.1:9')
})

test.each(['CI', 'FACESCAN_NO_INPUT'])('no prompt appears if %s is set', async (variable) => {
  pty = openPty(process.execPath, ['bin/facescan.js', 'users', 'create'], {
    env: { HOME: home, [variable]: '1' },
  })
  await pty.waitFor(/--external-user-id is missing/)
  expect(await pty.ended).toBe(2)
})

test('no prompt appears without a terminal', async () => {
  pty = openPty(
    'sh',
    ['-c', `"${process.execPath}" bin/facescan.js users create </dev/null; echo "exit $?"`],
    {
      env: { HOME: home, FACESCAN_CONFIG_DIR: join(home, 'config'), FACESCAN_STATE_DIR: join(home, 'state') },
    },
  )
  const screen = await pty.waitFor(/exit \d/)
  expect(screen).toContain('--external-user-id is missing')
  expect(screen).toContain('exit 2')
})
