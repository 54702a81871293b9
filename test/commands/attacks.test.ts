import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadCommands } from '../../src/routes/routes.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { logName } from '../helpers/history.ts'
import { type HostileServer, reply, serve } from '../helpers/hostile-server.ts'
import { sample } from '../helpers/sample.ts'

const key = 'sentinel!key.of_ada-with_40@characters01'

let machine: Machine
let server: HostileServer

const sentChanges = () => server.requests.filter(({ method }) => method !== 'GET')

beforeEach(async () => {
  server = await serve(() => reply(200, { user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b' }))
  machine = createMachine()
  const line = `profiles add ACME --key-stdin --store file --no-verify --base-url ${server.url}`
  expect((await machine.facescan(line, { stdin: key })).exitCode).toBe(0)
})

describe('the confirmation of a change in production', () => {
  test.each([
    ['the name in lower case', 'acme'],
    ['a Cyrillic letter', '\u0410CME'],
    ['a full-width letter', '\uff21CME'],
    ['a zero-width space', 'ACME\u200b'],
    ['a space', 'ACME '],
    ['a line feed', 'ACME\n'],
    ['the word production', 'production'],
    ['the name of a development profile', 'ACME-DEV'],
    ['the word yes', 'yes'],
    ['no text', ''],
  ])('a change is refused if --confirm contains %s instead of the profile name', async (_, word) => {
    const refused = await machine.facescan(['users', 'create', '1', '-p', 'ACME', `--confirm=${word}`])
    expect([2, 12], refused.stderr).toContain(refused.exitCode)
    expect(sentChanges()).toEqual([])
  })

  test.each<Record<string, string>>([
    { FACESCAN_CONFIRM: 'ACME' },
    { FACESCAN_YES: '1' },
    { FACESCAN_NO_INPUT: '0', CI: '' },
    { FACESCAN_API_KEY: key },
    { FACESCAN_API_KEY: ` ${key}\n` },
  ])('a production change with only --yes is refused, even if the environment is %j', async (env) => {
    const refused = await machine.facescan('users create 1 -p ACME --yes', { env })
    expect(refused.exitCode, refused.stderr).not.toBe(0)
    expect(sentChanges()).toEqual([])
  })

  test.each([
    '/v2%2fusers/?user_id=1',
    '/v2/x/%252e%252e/users/?user_id=1',
    '/v2//users/?user_id=1',
    '/v2/users;x=1/?user_id=1',
    '/V2/USERS/?user_id=1',
    '/v2/users/?USER_ID=1',
    '/v2/users/?user%5Fid=1&external_user_id=2',
    '/v2/users/?user_id[]=1',
    '/v2/users/?user_id=',
    '///other.example/v2/users?user_id=1',
    '/\\other.example/v2/users?user_id=1',
  ])(
    '"api DELETE %s" deletes no user if it is confirmed with --yes or the profile name alone',
    async (path) => {
      const words = ['api', 'DELETE', path, '-p', 'ACME']
      expect((await machine.facescan([...words, '--yes'])).exitCode).not.toBe(0)
      expect(sentChanges()).toEqual([])
      await machine.facescan([...words, '--confirm=ACME'])
      for (const { target } of sentChanges())
        expect(decodeURIComponent(target)).not.toMatch(/users\/?(\?|$)/i)
    },
  )
})

describe('an API key in the wrong place of a command line', () => {
  test.each([
    'users delete 1 -p ACME --confirm=KEY',
    'users get --users list.csv --map KEY=external_user_id',
    'users get --users list.csv --keep KEY',
    'users get --users list.csv --rate KEY',
    'users get --users list.csv --ids KEY',
    'profiles add B --base-url https://KEY@api.example.com',
    'profiles add B --base-url https://api.example.com/?key=KEY',
    'profiles set ACME --timezone KEY',
    'profiles unlock KEY --for 5m --reason x',
    'scan-url 1 --expire-at KEY',
    'api GET /v2/users -f KEY',
    'users get 1 -pKEY',
    'users get 1 --jq .KEY',
    'sandbox serve --fail KEY',
    'history list --since KEY',
  ])('"facescan %s" with an API key instead of KEY does not print or store the key', async (line) => {
    writeFileSync(join(machine.home, 'list.csv'), 'external_user_id\n1\n')
    const typed = 'another!key.of_ada-with_40@characters.02'
    const words = line.replace('list.csv', join(machine.home, 'list.csv')).replace('KEY', typed)
    const { stdout, stderr } = await machine.facescan(words)
    expect(stdout + stderr).not.toContain(typed)
    for (const entry of readdirSync(machine.home, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(entry.parentPath, entry.name), 'utf8'), entry.name).not.toContain(typed)
  })
})

describe('the columns of a list', () => {
  const variants: Record<string, (name: string) => string> = {
    'in upper case': (name) => name.toUpperCase(),
    'with spaces': (name) => ` ${name.replaceAll('-', ' ')} `,
    'with dashes': (name) => `--${name}`,
    'in camel case': (name) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    'with a zero-width space': (name) => `${name}\u200b`,
  }

  test.each(Object.keys(variants))(
    'if columns of a list are named after flags (%s), commands change no file and do not send the cells',
    async (variant) => {
      const precious = join(machine.home, 'precious')
      writeFileSync(precious, 'precious')
      const list = join(machine.home, 'list.csv')
      const before = readdirSync(machine.home).toSorted()
      const commands = (await loadCommands()).filter(({ command }) => command.many)
      for (const { name, command } of sample(commands, 4, Object.keys(variants).indexOf(variant))) {
        const allowed = command.many?.rowFlags ?? []
        const names = Object.entries(command.options)
          .filter(([flag]) => !allowed.includes(flag) && !['userId', 'externalUserId'].includes(flag))
          .map(([, { long }]) => variants[variant]?.(long.slice(2)) ?? '')
        const columns = [...names, ...['out', 'errors', 'confirm', 'profile'].map(variants[variant] as never)]
        writeFileSync(list, `external_user_id,${columns.join()}\n1,${columns.map(() => precious).join()}\n`)
        const confirm = command.effect === 'destroy' ? '1' : 'ACME'
        const words = [...name.split(' '), '--users', list, '-p', 'ACME', '-o', 'csv', `--confirm=${confirm}`]
        const ran = await machine.facescan([...words, '--out', join(machine.home, 'state', `${name}.csv`)])
        expect([0, 8, 9, 10, 11], name + ran.stderr).toContain(ran.exitCode)
      }
      expect(readFileSync(precious, 'utf8')).toBe('precious')
      expect(readdirSync(machine.home).toSorted()).toEqual([...new Set([...before, 'list.csv'])].toSorted())
      expect(JSON.stringify(server.requests)).not.toContain('precious')
    },
  )
})

test.each([
  ['a link to /dev/null', (path: string) => symlinkSync('/dev/null', path)],
  ['a link to a missing file', (path: string) => symlinkSync(`${path}.missing`, path)],
  ['a link to stdout', (path: string) => symlinkSync('/proc/self/fd/1', path)],
  ['a link to itself', (path: string) => symlinkSync(path, path)],
  ['a directory', (path: string) => mkdirSync(path, { mode: 0o700 })],
])('a change is not sent if the audit log is %s', async (_, plant) => {
  const state = join(machine.home, 'other')
  mkdirSync(state, { mode: 0o700 })
  plant(join(state, logName()))
  const env = { FACESCAN_STATE_DIR: state }
  const refused = await machine.facescan('users create 1 -p ACME --confirm=ACME', { env })
  expect(refused.exitCode, refused.stderr).toBe(13)
  expect(sentChanges()).toEqual([])
})
