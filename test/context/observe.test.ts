import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { fakeClock, hastyClock } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { type HostileServer, hang, hostileServer, reply, type Script } from '../helpers/hostile-server.ts'
import { asText } from '../helpers/messages.ts'
import { needs } from '../helpers/needs.ts'

const key = 'key.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
const userId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const user = { user_id: userId, customer: 'Acme', sex: 'F' }

let server: HostileServer
let machine: Machine
afterEach(() => server.close())

async function serve(script: Script): Promise<void> {
  server = await hostileServer(script)
  machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: key })
}

beforeEach(() => serve(() => reply(200, user)))

test('--debug prints each request and response without key, IDs, or bodies', async () => {
  const { stderr, stdout } = await machine.facescan(`users get --external-user-id 4711 --debug --json`)
  expect(stderr).toMatch(/→ GET http:\/\/127\.0\.0\.1:\d+\/v2\/users\?external_user_id=\*\*\*\n/)
  expect(stderr).toContain('  x-api-key: ***\n')
  expect(stderr).toMatch(/← 200, \d+ bytes in \d+ ms\n/)
  for (const secret of [key, '4711', 'Acme', userId]) expect(stderr).not.toContain(secret)
  expect(JSON.parse(stdout)).toEqual(user)
})

test.each([
  ['1', 'prints'],
  ['0', 'does not print'],
  ['false', 'does not print'],
  ['', 'does not print'],
])('if FACESCAN_DEBUG is "%s", a command %s its requests', async (value, verb) => {
  const options = { env: { FACESCAN_DEBUG: value } }
  const { stderr } = await machine.facescan('users get --external-user-id 4711', options)
  expect(stderr.includes('→ GET')).toBe(verb === 'prints')
})

test('--debug escapes control characters in a response', async () => {
  await server.close()
  await serve(() => reply(200, user, { 'x-request-id': 'a\x9b31mred\x85' }))
  const { stderr } = await machine.facescan('users get --external-user-id 4711 --debug')
  expect(stderr).toMatch(/x-request-id: a.*\\x9b31mred.*\\x85\n/)
})

const curl = needs('curl')

test.skipIf(curl.missing)(
  '--curl prints each request once as a curl command that sends the same request from a shell',
  async () => {
    await server.close()
    await serve((request) => (request.index === 0 ? reply(503) : reply(200, user)))
    const line = ['users', 'get', '--external-user-id', `o'neil & "söns" $HOME`, '--curl', '--retries', '1']
    const { stderr } = await machine.facescan(line, { clock: hastyClock() })
    const commands = stderr.split('\n').filter((text) => text.startsWith('curl '))
    expect(commands).toHaveLength(1)
    expect(stderr).not.toContain(key)
    const env = { PATH: curl.PATH, FACESCAN_API_KEY: key }
    await promisify(execFile)('sh', ['-c', commands[0] ?? ''], { env })
    const sent = server.requests.map(({ method, target, headers }) => {
      const { 'user-agent': agent, accept, 'x-api-key': sentKey } = headers
      return { method, target, agent, accept, sentKey }
    })
    expect(sent).toHaveLength(3)
    expect(sent[2]).toEqual(sent[0])
  },
)

test.skipIf(curl.missing)(
  '--curl with the built-in sandbox prints a curl command for the address of "sandbox serve"',
  async () => {
    const other = createMachine()
    await other.facescan('users create 4711')
    const alone = await other.facescan('users get 4711 --curl')
    expect(alone.stderr).toContain('start the server first: facescan sandbox serve')
    expect(alone.stderr).toContain(`'http://sandbox.localhost:4010/v2/users?external_user_id=4711'`)
    const served = await startSandbox({
      strict: true,
      database: join(other.home, 'state/sandbox.db'),
      announce: true,
    })
    onTestFinished(() => served.close())
    const { stderr, stdout } = await other.facescan('users get 4711 --curl --json')
    const command = stderr.split('\n').find((text) => text.startsWith('curl ')) ?? ''
    const env = { PATH: curl.PATH, FACESCAN_API_KEY: served.keys.development.key }
    const ran = await promisify(execFile)('sh', ['-c', command], { env })
    expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(stdout))
  },
)

test('a command prints the wait before a retry as text, or as JSON with --json', async () => {
  await server.close()
  const limited: Script = (request) =>
    request.index % 2 === 0 ? reply(429, {}, { 'retry-after': '7' }) : reply(200, user)
  await serve(limited)
  const clock = hastyClock(Date.now())
  const people = await machine.facescan('users get --external-user-id 4711', { clock })
  expect(people.stderr).toContain('rate limited: retrying in 7 s')
  const script = await machine.facescan('users get --external-user-id 4711 --json', { clock })
  expect([script.exitCode, script.stderr]).toEqual([
    0,
    '{"note":{"message":"rate limited: retrying in 7 s"}}\n',
  ])
  const quiet = await machine.facescan('users get --external-user-id 4711 --quiet', { clock })
  expect([quiet.exitCode, quiet.stderr]).toEqual([0, ''])
  expect(clock.sleeps).toEqual([7_000, 7_000, 7_000])
})

test('on a terminal, one line shows the wait before a retry and is removed afterward', async () => {
  await server.close()
  await serve((request) => (request.index === 0 ? reply(429, {}, { 'retry-after': '7' }) : reply(200, user)))
  const options = { terminal: true, clock: hastyClock(Date.now()), env: { NO_COLOR: '1' } }
  const { stderr } = await machine.facescan('users get --external-user-id 4711', options)
  expect(stderr).toContain('\r\x1b[2Krate limited: retrying in 7 s (Ctrl-C to stop)\r\x1b[2K')
})

test.each([
  ['in a pipe', false, {}, ''],
  ['with ACCESSIBLE', true, { ACCESSIBLE: '1' }, ''],
  ['with --quiet', true, {}, ' --quiet'],
])('a command %s does not overwrite a line on stderr', async (_, terminal, env, flag) => {
  await server.close()
  await serve((request) => (request.index === 0 ? reply(429, {}, { 'retry-after': '7' }) : reply(200, user)))
  const options = { terminal, clock: hastyClock(Date.now()), env }
  const { stderr } = await machine.facescan(`users get --external-user-id 4711${flag}`, options)
  expect(stderr).not.toContain('\r')
})

test('a command exits with 7 after a Retry-After of more than a minute, and prints when to retry', async () => {
  await server.close()
  await serve(() => reply(429, { detail: 'slow down' }, { 'retry-after': '120' }))
  const { exitCode, stderr } = await machine.facescan('users get --external-user-id 4711 --json')
  expect(exitCode).toBe(7)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'rate_limited', retry_after: 120, retryable: true })
})

test('Ctrl-C immediately ends the wait before a retry', async () => {
  await server.close()
  await serve(() => reply(429, {}, { 'retry-after': '50' }))
  const [clock, interrupts] = [fakeClock(Date.now()), createInterrupts()]
  const running = machine.facescan('users get --external-user-id 4711', { clock, interrupts })
  await expect.poll(() => clock.sleeps).toEqual([50_000])
  interrupts.receive('SIGINT')
  expect((await running).exitCode).toBe(130)
  expect(server.requests).toHaveLength(1)
})

test('Ctrl-C during a change ends the command and warns that the change may have been made', async () => {
  await server.close()
  await serve(() => hang())
  const interrupts = createInterrupts()
  const running = machine.facescan('users create --external-user-id 4711 --yes', { interrupts })
  await expect.poll(() => server.requests.length).toBe(1)
  interrupts.receive('SIGINT')
  const { exitCode, stderr } = await running
  expect(exitCode).toBe(130)
  expect(stderr).toContain('The change may have been applied')
})

test('--max-time ends a command even if none of its requests times out', async () => {
  await server.close()
  await serve(() => hang())
  const clock = fakeClock(Date.now())
  const running = machine.facescan('users get --external-user-id 4711 --max-time 5m --timeout 1h', { clock })
  await expect.poll(() => server.requests.length).toBe(1)
  await clock.advance(300_000)
  const { exitCode, stderr } = await running
  expect(exitCode).toBe(9)
  expect(stderr).toContain('the command did not finish within 300 s')
})

test('--timeout ends the first attempt of a request, and the command retries the request', async () => {
  await server.close()
  await serve((request) => (request.index === 0 ? hang() : reply(200, user)))
  const { exitCode } = await machine.facescan('users get --external-user-id 4711 --timeout 100ms', {
    clock: hastyClock(Date.now()),
  })
  expect(exitCode).toBe(0)
  // On a busy machine, the second attempt can also time out, so the test accepts more than two requests.
  expect(server.requests.length).toBeGreaterThan(1)
})

test('a response with an unexpected field type causes a warning, and an error with --strict', async () => {
  await server.close()
  await serve(() => reply(200, '{"user_id":12345678901234567890,"customer":"Acme"}'))
  const lenient = await machine.facescan('users get --external-user-id 4711 --json')
  expect([lenient.exitCode, lenient.stdout.includes('12345678901234567890')]).toEqual([0, true])
  expect(asText(lenient.stderr)).toContain('warning: unexpected response format from')
  const strict = await machine.facescan('users get --external-user-id 4711 --json --strict')
  expect([strict.exitCode, strict.stdout]).toEqual([8, ''])
})

test('a command without a home directory works with settings from the environment', async () => {
  const { exitCode, stderr } = await machine.facescan('users get --external-user-id 4711', {
    env: { HOME: '', FACESCAN_CONFIG_DIR: '', FACESCAN_STATE_DIR: '' },
  })
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(existsSync('undefined')).toBe(false)
})
