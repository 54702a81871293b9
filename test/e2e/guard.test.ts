import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { needs } from '../helpers/needs.ts'
import { openPty, type Pty } from '../helpers/pty.ts'
import { type Service, startService } from '../helpers/service.ts'

const program = join(import.meta.dirname, '../../bin/facescan.js')
const shell = needs('bash')

let service: Service
let machine: Machine
let userId: string

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

beforeEach(async () => {
  machine = createMachine({ PATH: process.env['PATH']! })
  await machine.facescan(`profiles add ACME --key-stdin --base-url ${service.url} --store file`, {
    stdin: service.keys.production.key,
  })
  const created = await machine.facescan(
    'users create --external-user-id 4711 --sex F --birth-date 1984-02-29 -p ACME --confirm=ACME --if-not-exists --json=user_id',
  )
  userId = JSON.parse(created.stdout).user_id
})

function inTerminal(...words: string[]): Pty {
  return openPty(process.execPath, [program, ...words], { env: machine.env, columns: 120 })
}

test('with ACCESSIBLE, the prompt before a deletion wraps between words on a narrow terminal', async () => {
  const env = { ...machine.env, ACCESSIBLE: '1' }
  const words = ['users', 'delete', '4711', '-p', 'ACME']
  const pty = openPty(process.execPath, [program, ...words], { env, columns: 48 })
  expect(await pty.waitFor(/: $/)).toContain(
    `About to delete user 4711 (Acme Wellness, F,
born 1984-02-29) and all of their data in ACME
(production). This cannot be undone. Type 4711
to confirm:`,
  )
  pty.type('no\r')
  expect(await pty.ended).toBe(12)
})

async function exists(): Promise<boolean> {
  return (await machine.facescan(`users get --user-id ${userId} -p ACME`)).exitCode === 0
}

test('Esc at the confirmation of "users update" returns to the prompts and keeps the answers', async () => {
  const pty = inTerminal('users', 'update', '4711', '-p', 'ACME')
  const answer = async (label: RegExp, keys: string) => {
    await pty.waitFor(label)
    pty.type(keys)
  }
  await answer(/\? Date of birth/, '1990-01-01\r')
  await answer(/\? Sex at birth/, '\r')
  await answer(/\? Default language/, '\r')
  await answer(/\? Preferred unit system/, '\r')
  await answer(/Date of birth +1984-02-29 → 1990-01-01[\s\S]*\? About to update user 4711/, '\x1b')
  const back = '· back to the questions; nothing was changed\n'
  const answers = `${back}✓ Date of birth (YYYY-MM-DD, Enter keeps 1984-02-29) 1990-01-01\n✓ Sex at birth (Enter keeps female) Keep\n`
  expect(await pty.waitFor(/back to the questions[\s\S]*\? Preferred unit system/)).toContain(answers)
  await answer(/\? Preferred unit system/, '\x1b')
  await answer(/\? Default language/, '\x1b')
  await answer(/\? Sex at birth/, '\x1b')
  const screen = await pty.waitFor(/\? Date of birth .* 1990-01-01$/)
  expect(screen).toContain(`${back}? Date of birth`)
  await answer(/\? Date of birth/, '\x7f2\r')
  for (const label of [/\? Sex at birth/, /\? Default language/, /\? Preferred unit system/])
    await answer(label, '\r')
  await answer(/→ 1990-01-02[\s\S]*\? About to update user 4711/, 'n\r')
  await pty.waitFor(/canceled; nothing was changed/)
  expect(pty.raw()).not.toContain('✔')
  expect(await pty.ended).toBe(12)
})

describe('deleting a production user on a terminal', () => {
  async function ask(): Promise<Pty> {
    const pty = inTerminal('users', 'delete', '--external-user-id', '4711', '-p', 'ACME')
    const screen = await pty.waitFor(/to\s+confirm:/)
    expect(screen).toContain(`PRODUCTION: ACME at ${new URL(service.url).host}`)
    expect(pty.raw()).toContain('\x1b[31m\x1b[1mPRODUCTION: ACME at ')
    expect(screen.replace(/\s+/g, ' ')).toContain(
      'About to delete user 4711 (Acme Wellness, F, born 1984-02-29) and all of their data in ACME (production). This cannot be undone. Type 4711 to confirm:',
    )
    return pty
  }

  test('deleting a production user on a terminal requires the external user ID', async () => {
    const pty = await ask()
    pty.type('4711\r')
    expect(await pty.ended).toBe(0)
    expect(await exists()).toBe(false)
  })

  test.each([
    ['a wrong ID', 'yes\r', 12],
    ['nothing', '\r', 12],
    ['Ctrl-C', '\x03', 130],
    ['Ctrl-D', '\x04', 12],
  ])(
    'deleting a production user on a terminal is canceled if the input at the prompt is %s',
    async (_, keys, exitCode) => {
      const pty = await ask()
      pty.type(keys)
      expect(await pty.ended).toBe(exitCode)
      expect(await exists()).toBe(true)
    },
  )
})

test.skipIf(shell.missing)(
  'a prompt works after Ctrl-Z suspended the program and fg continued it',
  async () => {
    const pty = openPty(shell.path.bash, ['--norc', '-i'], { env: machine.env, columns: 200 })
    pty.type(`'${process.execPath}' ${program} users create 4712 -p ACME\r`)
    await pty.waitFor(/Continue\? \(y\/N\)$/)
    pty.type('\x1a')
    await pty.waitFor(/Stopped/)
    pty.type('fg\r')
    // The prompt reacts to pressed keys again after fg has printed the command line.
    await pty.waitFor(/Stopped[\s\S]*\n.*users create 4712 -p ACME$/)
    pty.type('n\r')
    await pty.waitFor(/canceled; nothing was changed/)
    pty.type('exit $?\r')
    expect(await pty.ended).toBe(12)
  },
)

describe('adding a key on a terminal', () => {
  beforeEach(() => machine.facescan('profiles remove ACME --confirm=ACME'))

  test('"profiles add" on a terminal hides the key and prompts before it stores the key in a file', async () => {
    const { key } = service.keys.production
    const env = { ...machine.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
    const words = ['profiles', 'add', 'SECOND', '--base-url', service.url]
    const pty = openPty(process.execPath, [program, ...words], { env, columns: 120 })
    await pty.waitFor(/API key for SECOND/)
    pty.type(`${key}\r`)
    await pty.waitFor(/Store the production key in a file that only you can read\?/)
    pty.type('y\r')
    expect(await pty.ended).toBe(0)
    expect(pty.raw()).not.toContain(key)
    expect(pty.screen().join('\n')).toMatch(
      /✓ API key for SECOND[\s\S]*✓ Store the production key[\s\S]*✓ Added/,
    )
    expect(readFileSync(join(machine.home, 'config', 'keys-production.json'), 'utf8')).toContain(key)
  })

  test('if the user answers no, "profiles add" on a terminal stores nothing', async () => {
    const env = { ...machine.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
    const words = ['profiles', 'add', 'SECOND', '--base-url', service.url]
    const pty = openPty(process.execPath, [program, ...words], { env, columns: 120 })
    await pty.waitFor(/API key for SECOND/)
    pty.type(`${service.keys.production.key}\r`)
    await pty.waitFor(/Store the production key/)
    pty.type('n\r')
    expect(await pty.ended).toBe(12)
    expect((await machine.facescan('profiles show SECOND')).exitCode).toBe(13)
  })
})

test('after prompts about a file, "users import" in production asks for one confirmation', async () => {
  const list = join(machine.home, 'staff.csv')
  writeFileSync(list, 'external_user_id,sex\na1,w\n')
  const pty = inTerminal('users', 'import', list, '-p', 'ACME')
  await pty.waitFor(/\? Meaning of "w"/)
  pty.type('\x1b[B\r')
  await pty.waitFor(/\? File for these settings/)
  pty.type('\r')
  const screen = await pty.waitFor(/\? About to import 1 user into ACME[\s\S]*Type 1 to confirm/)
  expect(screen).not.toContain('Run this command?')
  pty.type('no\r')
  expect(await pty.ended).toBe(12)
})

test('"users import --confirm" in production shows the equivalent command before it sends users', async () => {
  const list = join(machine.home, 'staff.csv')
  writeFileSync(list, 'external_user_id,sex\na1,w\n')
  const pty = inTerminal('users', 'import', list, '-p', 'ACME', '--confirm=ACME')
  await pty.waitFor(/\? Meaning of "w"/)
  pty.type('\x1b[B\x1b[B\r')
  await pty.waitFor(/\? File for these settings/)
  pty.type('\r')
  await pty.waitFor(/--values sex:w=F[\s\S]*\? Run this command/)
  pty.type('n\r')
  expect(await pty.ended).toBe(12)
})

test('"users update --confirm" in production shows the equivalent command before it sends values', async () => {
  const pty = inTerminal('users', 'update', '4711', '-p', 'ACME', '--confirm=ACME')
  const answers = ['1990-01-01\r', '\r', '\r', '\r', 'n\r']
  const labels = [/Date of birth/, /Sex at birth/, /Default language/, /Preferred unit/, /Run this command/]
  for (const [index, label] of labels.entries()) {
    await pty.waitFor(new RegExp(`\\? ${label.source}`))
    pty.type(answers[index] ?? '')
  }
  expect(await pty.ended).toBe(12)
})

test('in a read-only profile, "users import" fails before it prompts about the file', async () => {
  const list = join(machine.home, 'staff.csv')
  writeFileSync(list, 'external_user_id,sex\na1,w\n')
  await machine.facescan('profiles set ACME --protect read-only')
  const pty = inTerminal('users', 'import', list, '-p', 'ACME')
  expect(await pty.ended).toBe(12)
  expect(pty.screen().join('\n')).toContain('profile ACME is read-only')
  expect(pty.screen().join('\n')).not.toContain('Meaning of')
})
