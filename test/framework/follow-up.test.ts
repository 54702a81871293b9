import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clockThatEnds } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { type Service, startService } from '../helpers/service.ts'

let service: Service
let machine: Machine

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

/** Each test has a development profile that is not the default profile. */
beforeEach(async () => {
  machine = createMachine({ NO_COLOR: '1' })
  const words = `profiles add ACME-DEV --key-stdin --base-url ${service.url}`
  await machine.facescan(words, { stdin: service.keys.development.key })
})

/** The words of the command at the end of a text, split as in a shell. */
function namedIn(text: string): string {
  const commands = [...text.replaceAll('\\\n', ' ').matchAll(/:\s+facescan (.+)$/gm)]
  return commands.at(-1)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
}

const userId = 'u-1'

async function createUser(...more: string[]) {
  const created = await machine.facescan(
    ['users', 'create', '--external-user-id', `${userId}-${Math.random()}`, ...more],
    { terminal: true },
  )
  expect(created.exitCode, created.stderr).toBe(0)
  return created
}

test('"users create --profile" suggests a next command with the same profile', async () => {
  const next = namedIn((await createUser('--profile', 'ACME-DEV')).stderr)
  expect(next).toMatch(/^scan-url .*--profile ACME-DEV$/)
  expect(await machine.facescan(next)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('http') })
})

test('a suggested command contains --key-file if the failed command used --key-file', async () => {
  const file = join(machine.home, 'the key')
  writeFileSync(file, service.keys.development.key, { mode: 0o600 })
  const env = { FACESCAN_BASE_URL: service.url }
  const words = ['users', 'create', '--external-user-id', 'u-2', '--key-file', file]
  const { stderr } = await machine.facescan(words, { terminal: true, env })
  expect(namedIn(stderr)).toBe(`scan-url u-2 --key-file '${file}'`)
})

test('if an action token is rejected, the hint suggests "status" with the file of the token', async () => {
  const file = join(machine.home, 'token')
  writeFileSync(file, 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA', { mode: 0o600 })
  const refused = await machine.facescan(['wellbeing', '--action-token', file, '--profile', 'ACME-DEV'])
  expect(refused.exitCode, refused.stderr).toBe(3)
  const status = await machine.facescan(namedIn(refused.stderr))
  expect(status).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('action token: --action-token'),
  })
})

test.each([
  ['users get 4711 --key-stdin', 'The API key came from standard input (--key-stdin).'],
  ['users get 4711 --key-file -', 'The API key came from standard input (--key-file -).'],
  ['biomarkers list --action-token -', 'The action token came from standard input (--action-token -).'],
])(
  'the hint for a rejected key or token from a pipe names the pipe as its source: %s',
  async (line, hint) => {
    const { exitCode, stderr } = await machine.facescan(line, {
      stdin: 'wrong',
      env: { FACESCAN_BASE_URL: service.url },
    })
    expect(exitCode, stderr).toBe(3)
    expect(stderr).toContain(`hint: ${hint} Check the output of the command before the pipe.\n`)
  },
)

test.each(['--key-stdin', '--key-file -'])(
  'a suggested command contains %s and a pipe if the key was read from a pipe',
  async (flag) => {
    const { stderr } = await machine.facescan(`scan-url missing ${flag}`, {
      stdin: service.keys.development.key,
      env: { FACESCAN_BASE_URL: service.url },
    })
    expect(stderr).toContain(`create the user: … | facescan users create missing ${flag}\n`)
  },
)

test('the command that "sandbox scan" suggests uses the sandbox, even if another profile is the default', async () => {
  await createUser()
  await machine.facescan('profiles use ACME-DEV')
  await machine.facescan('users create --external-user-id 4711 --profile SANDBOX-DEV')
  const { stderr } = await machine.facescan('sandbox scan --external-user-id 4711', { terminal: true })
  const found = await machine.facescan(namedIn(stderr))
  expect(found, found.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Heart bpm') })
})

test('if a key is rejected, the hint suggests "status" with the profile of the key', async () => {
  const words = `profiles add OTHER-DEV --key-stdin --no-verify --base-url ${service.url}`
  await machine.facescan(words, { stdin: 'wrong-key' })
  const { stderr } = await machine.facescan('answers keys --profile OTHER-DEV', { terminal: true })
  expect(namedIn(stderr)).toBe('status --profile OTHER-DEV')
})

test('the resume command of a stopped import contains the flags of the import', async () => {
  const file = join(machine.home, 'answers.csv')
  const rows = Array.from({ length: 20 }, (_, n) => `import-${n},weight,80,UTC\n`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${rows.join('')}`)
  const results = join(machine.home, 'the results')
  const sending = ['--results', results, '--rate', '4', '--on-ambiguous', 'resend']
  for (const n of rows.keys())
    await machine.facescan(`users create -p ACME-DEV --external-user-id import-${n}`)
  const words = ['answers', 'import', file, '-p', 'ACME-DEV', '--max-time', '1h', ...sending]
  const stopped = await machine.facescan(words, { terminal: true, clock: clockThatEnds() })
  expect(stopped.exitCode, stopped.stderr).toBe(11)
  const next = namedIn(stopped.stderr)
  expect(next).toMatch(
    new RegExp(
      `^imports resume \\w+ --results '${results}' --rate 4 --on-ambiguous resend --profile ACME-DEV$`,
    ),
  )
  const id = next.split(' ')[2]
  const shown = await machine.facescan(`imports show ${id}`, { terminal: true, columns: 200 })
  expect(namedIn(shown.stdout)).toBe(`imports resume ${id} --profile ACME-DEV`)

  const resumed = await machine.facescan(namedIn(shown.stdout))
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  const again = await machine.facescan(['answers', 'import', file, '-p', 'ACME-DEV'])
  expect(namedIn(again.stderr)).toBe(`imports show ${id}`)
  rmSync(results, { recursive: true, force: true })
})

test('if "sandbox status" runs with --db, its suggested command contains the same --db', async () => {
  const { stdout } = await machine.facescan(['sandbox', 'status', '--db', service.database])
  expect(stdout).toContain(`facescan sandbox serve --db ${service.database}`)
})

test('a suggested command with a user ID that starts with a dash can be pasted', async () => {
  const missing = await machine.facescan(['scan-url', '--', '-x'], { terminal: true })
  expect(missing.exitCode).toBe(4)
  const created = await machine.facescan(namedIn(missing.stderr), { terminal: true })
  expect(created.exitCode, created.stderr).toBe(0)
  expect(await machine.facescan(namedIn(created.stderr))).toMatchObject({ exitCode: 0 })
  const taken = await machine.facescan(['users', 'create', '--external-user-id=-x'])
  expect(await machine.facescan(namedIn(taken.stderr))).toMatchObject({ exitCode: 0 })
})

describe('hints after status 404', () => {
  const send = async (line: string) => {
    const server = await serve(() => reply(404, { detail: 'No tenant  of this name' }))
    const env = { FACESCAN_BASE_URL: `${server.url}/wrong`, FACESCAN_API_KEY: 'k'.repeat(40) }
    return { host: `127.0.0.1:${server.port}`, ...(await createMachine(env).facescan(line)) }
  }

  test('a 404 for "users create" suggests checking the base URL', async () => {
    const { host, exitCode, stderr } = await send('users create 4711 --yes')
    expect([exitCode, stderr]).toEqual([
      4,
      `error: POST /v2/users not found on ${host} (404): No tenant  of this name\nhint: Check the base URL http://${host}/wrong: facescan status\n`,
    ])
  })

  test.each([
    ['a list of problems', '{"detail":[{"loc":["query","external_user_id"],"msg":"unknown"}]}'],
    ['an object', '{"detail":{"code":"U1"}}'],
    ['a text after a byte order mark', '\ufeff{"detail":"unknown"}'],
  ])('if the detail of a 404 for "users get" is %s, the user is reported as unknown', async (_, body) => {
    const server = await serve(({ target }) =>
      target.startsWith('/v2/users') ? reply(404, body) : reply(200, []),
    )
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const { exitCode, stderr } = await createMachine(env).facescan('users get 4711')
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('error: user "4711" not found')])
  })

  test.each([[''], ['<title>Not Found</title>'], ['{"message":"no route"}']])(
    'the error for a 404 with the undocumented body %o suggests checking the base URL',
    async (body) => {
      const server = await serve(() => reply(404, body))
      const env = { FACESCAN_BASE_URL: `${server.url}/wrong`, FACESCAN_API_KEY: 'k'.repeat(40) }
      const { exitCode, stderr } = await createMachine(env).facescan('metrics 4711')
      expect(exitCode).toBe(4)
      expect(stderr).toContain(`hint: Check the base URL ${server.url}/wrong: facescan status\n`)
      expect(stderr).not.toContain('users create')
    },
  )

  test('the error of "api" for status 404 contains the error text from the service without the path', async () => {
    const { exitCode, stderr } = await send('api GET /v2/secret-4711')
    expect([exitCode, stderr]).toEqual([4, expect.stringMatching(/^error: not found \(404\): No tenant/)])
    expect(stderr).toContain('List all paths of the API')
    expect(stderr).not.toContain('4711')
  })
})

test.each([
  ['users get 4711', 'endpoint not found'],
  ['users update 4711 --language nl', 'Not Found'],
  ['metrics 4711', 'No tenant  of this name'],
])(
  'the error of "%s" contains the base URL if each path returns 404 with the text "%s"',
  async (line, detail) => {
    const server = await serve(() => reply(404, { detail }))
    const env = { FACESCAN_API_KEY: 'key', FACESCAN_BASE_URL: `${server.url}/wrong` }
    const { exitCode, stderr } = await machine.facescan(line, { env })
    expect(exitCode).toBe(4)
    expect(stderr).toBe(
      `error: the service was not found at ${server.url}/wrong (404): ${detail}\nhint: Check the base URL ${server.url}/wrong: facescan status\n`,
    )
    await server.close()
  },
)

test.each(['user not found', 'unbekannte Person'])(
  'the error for a 404 with the text "%s" reports an unknown user if another path responds',
  async (detail) => {
    const server = await serve(({ target }) =>
      target.includes('questions/all') ? reply(200, []) : reply(404, { detail }),
    )
    const env = { FACESCAN_API_KEY: 'key', FACESCAN_BASE_URL: server.url }
    const { stderr } = await machine.facescan('users get 4711', { env })
    expect(stderr).toMatch(/^error: user "4711" not found in /)
    expect(server.requests).toHaveLength(detail.includes('user') ? 1 : 2)
    await server.close()
  },
)
