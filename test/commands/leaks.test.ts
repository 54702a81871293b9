import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { idleClock } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, reset, serve } from '../helpers/hostile-server.ts'

const key = 'sentinel!wrong-key.of_40@characters.0123'
const plainKey = 'abcdefghij0123456789ABCDEFGHIJ9876543210'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

describe('a key in the wrong place of a command line', () => {
  test.each([
    'api GET KEY',
    'api KEY /v2/users',
    'users get --user-id KEY',
    'users get --user-id=KEY',
    'biomarkers get KEY',
    'completion KEY',
    'imports show KEY',
    'answers import KEY',
    'status -o KEY',
    'status --output=KEY',
    'history list --user-id KEY',
    'profiles show KEY',
    'answers save 4711 KEY=1',
    'users get 4711 --har KEY/x',
    'KEY',
    '--KEY',
    'users get KEY',
    'api POST /v2/users -F sex=@KEY',
    'ce-label --out /missing/KEY',
  ])('an API key in the wrong place of a command line is not printed: %s', async (line) => {
    for (const typed of [key, plainKey, key.slice(1), `${plainKey}x`]) {
      for (const format of ['', ' --json']) {
        const { stdout, stderr } = await machine.facescan(line.replace('KEY', typed) + format)
        expect(stdout + stderr).not.toContain(typed)
      }
    }
  })

  test('the error for an API key in the wrong place contains a note instead of the key', async () => {
    const { exitCode, stderr } = await machine.facescan(`answers import ${plainKey}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('(hidden: possible key or token)')
  })
})

describe('a key in a file', () => {
  const answers = 'external_user_id,lookup_key,value,timezone'
  const importing = 'answers import FILE --yes'
  const creating = 'users import FILE --yes'

  test.each([
    [importing, `${answers}\na,KEY,1,UTC\n`],
    [importing, `${answers}\na,weight,KEY,UTC\n`],
    [importing, `${answers}\nKEY,weight,x,UTC\n`],
    [importing, 'external_user_id,weight,KEY\na,72,7\n'],
    [importing, 'KEY,weight\nA B,72\n'],
    [importing, '{"external_user_id":"a","lookup_key":"KEY","value":1}\n'],
    [creating, 'external_user_id,sex\na,KEY\nb,M\n'],
    [creating, 'external_user_id,birth_date\na,KEY\n'],
    [creating, 'external_user_id,birth_date,KEY\na,1990-13-13,7\n'],
    [creating, 'KEY,sex\nA B,M\n'],
    ['users get --users FILE', 'KEY,email\na,b\n'],
  ])('the error for a file that contains the API key does not print the key: %s %j', async (line, text) => {
    const file = join(machine.home, 'keys.csv')
    for (const typed of [key, plainKey]) {
      await writeFile(file, text.replace('KEY', typed))
      for (const format of ['', ' --json']) {
        const { exitCode, stdout, stderr } = await machine.facescan(line.replace('FILE', file) + format)
        expect(exitCode, stdout + stderr).not.toBe(0)
        expect(stdout + stderr).not.toContain(typed)
      }
    }
  })

  test('the error for a file does not mask a hexadecimal ID or a long file name without digits', async () => {
    const name = 'average_number_of_hours_of_sleep_weekend'
    const id = '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed'
    const file = join(machine.home, 'names.csv')
    await writeFile(file, `${answers}\n${id},${name},1,UTC\n`)
    const { stderr } = await machine.facescan(`answers import ${file} --yes`)
    expect(stderr).toContain(name)
    expect(stderr).toContain(id)
  })
})

describe('a key in the wrong environment variable', () => {
  test.each([
    'SSL_CERT_FILE',
    'FACESCAN_API_KEY_FILE',
    'FACESCAN_PROFILE',
    'FACESCAN_OUTPUT',
    'FACESCAN_BASE_URL',
    'HTTPS_PROXY',
  ])('if the value of %s looks like a key, errors and "doctor" hide the value', async (name) => {
    for (const value of [key, plainKey]) {
      const given: Record<string, string> = name === 'FACESCAN_API_KEY_FILE' ? {} : { FACESCAN_API_KEY: 'k' }
      const env = { ...given, FACESCAN_BASE_URL: 'https://127.0.0.1:1', [name]: value }
      for (const line of ['users get 4711 --retries 0', 'doctor']) {
        const { exitCode, stdout, stderr } = await machine.facescan(line, { env })
        expect(exitCode > 0 || line === 'doctor').toBe(true)
        expect(stdout + stderr).not.toContain(value)
      }
    }
  })
})

describe('a response that contains the key of its request', () => {
  const env = (url: string) => ({ FACESCAN_API_KEY: key, FACESCAN_BASE_URL: url })

  test.each([
    ['unchanged', JSON.stringify({ user_id: 'u', echo: [`key=${key}`], [key]: 1 })],
    ['with JSON escapes', JSON.stringify({ echo: key }).replace('!', '\\u0021')],
  ])('if a response contains the API key of the request, the key is not printed: %s', async (_, body) => {
    const server = await serve(() => reply(200, body, { 'content-type': 'application/json' }))
    const { exitCode, stdout, stderr } = await machine.facescan('api GET /v2/other --debug', {
      env: env(server.url),
    })
    expect(exitCode, stderr).toBe(0)
    expect(stdout).toContain('***')
    expect(stdout + stderr).not.toContain(key)
  })

  test('a curl command in the trace does not contain an API key from the previous response', async () => {
    const server = await serve(() => reply(200, { user_id: key }))
    const words = 'users delete 4711 --yes --curl'
    const { stdout, stderr } = await machine.facescan(words, { env: env(server.url) })
    expect(stderr).toContain('curl')
    expect(stdout + stderr).not.toContain(key)
  })
})

test.each(['FACESCAN_CONFIG_DIR', 'FACESCAN_STATE_DIR'])(
  'if %s contains a key, "status" and "doctor" hide the key, even if a directory with this name exists',
  async (variable) => {
    const env = { [variable]: join(machine.home, key) }
    await mkdir(join(machine.home, key), { mode: 0o700 })
    for (const line of ['status', 'status --json', 'doctor', 'doctor --json']) {
      const { stdout, stderr } = await machine.facescan(line, { env })
      expect(stdout + stderr).not.toContain(key)
      expect(stdout).toContain('(hidden: possible key or token)')
    }
  },
)

test('NODE_TLS_REJECT_UNAUTHORIZED=0 causes a warning', async () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const { stderr } = await machine.facescan('answers keys', { env })
  expect(stderr).toContain('certificates are not verified')
  expect((await machine.facescan('answers keys')).stderr).not.toContain('certificates')
})

test('a command for a list of users prints the warning about unverified certificates only once', async () => {
  let requests = 0
  const server = await serve(() => (++requests <= 60 ? reset() : reply(200, {})))
  const env = {
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    FACESCAN_API_KEY: key,
    FACESCAN_BASE_URL: server.url,
  }
  const stdin = Array.from({ length: 40 }, (_, index) => `user-${index}\n`).join('')
  const line = 'users get --users - -o ndjson --retries 0'
  const { stderr } = await machine.facescan(line, { env, stdin, clock: idleClock() })
  expect(stderr.match(/certificates are not verified/g)).toHaveLength(1)
})

test('an error in JSON contains no control characters', async () => {
  const message = 'evil\u009b31m \u202e \u200b \u{e0041} text'
  const server = await serve(() => reply(400, { detail: message }))
  const env = { FACESCAN_API_KEY: key, FACESCAN_BASE_URL: server.url }
  const { stderr } = await machine.facescan('api GET /v2/other --json', { env })
  expect(stderr).not.toMatch(/[\u009b\u202e\u200b]|\u{e0041}/u)
  const line = stderr.split('\n').find((text) => text.startsWith('{')) ?? ''
  expect(JSON.parse(line).error.message).toContain('evil')
})

describe('a key command', () => {
  const add = (name: string, command: string) =>
    machine.facescan([
      ...['profiles', 'add', name, '--base-url', 'https://api.example', '--no-verify'],
      ...['--key-command', command],
    ])

  test('"profiles add" refuses a key command that contains the API key itself', async () => {
    const commands = [`echo '${key}'`, `printf %s ${plainKey}`, 'echo short-key', `curl -H x-api-key:${key}`]
    for (const command of commands) {
      const refused = await add('ACME', command)
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain('--key-command contains the key itself')
    }
    const words = [
      'profiles',
      'set',
      'ACME',
      '--audit-command',
      `curl -H x-api-key:${key} https://log.example`,
    ]
    expect((await machine.facescan(words)).stderr).toContain('--audit-command contains the key itself')
    const list = await machine.facescan('profiles list --json=name')
    expect(JSON.parse(list.stdout)).toEqual([{ name: 'SANDBOX-DEV' }])
  })

  test('a key command does not inherit the API key and the action token from the environment', async () => {
    const file = join(machine.home, 'environment')
    await writeFile(join(machine.home, 'key'), key)
    const env = {
      FACESCAN_API_KEY: plainKey,
      FACESCAN_ACTION_TOKEN: 'eyJ.eyJ.x',
      PATH: process.env['PATH'] ?? '',
    }
    const words = [
      'profiles',
      'add',
      'ACME',
      '--base-url',
      'https://api.example',
      '--no-verify',
      '--key-command',
    ]
    const added = await machine.facescan([...words, `env > '${file}'; cat '${machine.home}/key'`], { env })
    expect(added.exitCode, added.stderr).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('PATH=')
    expect(await readFile(file, 'utf8')).not.toMatch(/FACESCAN_(API_KEY|ACTION_TOKEN)/)
    expect(JSON.parse((await machine.facescan('profiles show ACME --json')).stdout).fingerprint).toMatch(
      /^\w{12}$/,
    )
  })
})

test('"profiles add" warns that a profile named foo-dev is protected like production', async () => {
  const add = (name: string) =>
    machine.facescan(
      `profiles add ${name} --key-stdin --store file --no-verify --base-url https://api.example`,
      {
        stdin: `${name}-key`,
      },
    )
  expect((await add('foo-dev')).stderr).toContain('foo-dev is a production profile')
  expect((await add('foo-DEV')).stderr).not.toContain('production')
})
