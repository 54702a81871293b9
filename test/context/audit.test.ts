import { readFileSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/audit/changes.ts'
import { hastyClock } from '../helpers/clock.ts'
import { findLog } from '../helpers/history.ts'
import { reply, reset, serve } from '../helpers/hostile-server.ts'
import { useProduction } from '../helpers/production.ts'

const production = useProduction()
const { createUser } = production
let serial = 0

const readLog = () => readFileSync(findLog(join(production.machine.home, 'state')), 'utf8')
const readLines = () =>
  readLog()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

async function list(options = ''): Promise<Change[]> {
  return JSON.parse((await production.machine.facescan(`history list --json ${options}`)).stdout)
}

/** Adds a production profile for a service on loopback. It stands for a service on another machine. */
async function addProduction(url: string): Promise<void> {
  await production.machine.facescan(
    `profiles add REMOTE --key-stdin --store file --no-verify --base-url ${url}`,
    {
      stdin: 'k'.repeat(40),
    },
  )
}

const deletion = `api DELETE /v2/users/ -f user_id=${'0'.repeat(32)} -p REMOTE --confirm=${'0'.repeat(32)}`

describe('the intent of a change', () => {
  test('a change is written to the audit log on disk before the service receives the request', async () => {
    let arrived: { outcome?: string }[] = []
    const server = await serve(() => {
      arrived = readLines()
      return reply(204)
    })
    await addProduction(server.url)
    expect((await production.machine.facescan(deletion)).exitCode).toBe(0)
    expect(arrived.at(-1)).toMatchObject({ command: 'api', path: '/v2/users/', profile: 'REMOTE' })
    expect(arrived.at(-1)).not.toHaveProperty('outcome')
    expect(readLines().at(-1)).toMatchObject({ command: 'api', outcome: 'done', status: 204 })
  })

  test('a change is not sent if it cannot be written to the audit log', async () => {
    const server = await serve(() => reply(204))
    await addProduction(server.url)
    for (const [path, mode] of [
      [findLog(join(production.machine.home, 'state')), 0o644],
      [join(production.machine.home, 'state'), 0o777],
    ] as const) {
      await chmod(path, mode)
      expect(await production.machine.facescan(deletion)).toMatchObject({ exitCode: 13, stdout: '' })
      await chmod(path, mode === 0o777 ? 0o700 : 0o600)
    }
    expect(server.requests).toHaveLength(0)
  })
})

describe('the entry of a change', () => {
  test('the log entry of a change contains the user, the change, the time, the host, and the outcome', async () => {
    const { userId } = await createUser()
    const [entry] = await list()
    expect(entry).toMatchObject({
      os_user: userInfo().username,
      profile: 'ACME',
      host: new URL(production.service.url).host,
      command: 'users create',
      method: 'POST',
      path: '/v2/users',
      outcome: 'done',
      status: 201,
      user_id: userId,
      external_id_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(Math.abs(Date.parse(entry?.time ?? '') - Date.now())).toBeLessThan(60_000)
  })

  test('a change that needs several requests has one log entry', async () => {
    const server = await serve(({ index }) => reply(index === 0 ? 503 : 204))
    await addProduction(server.url)
    const { exitCode, stderr } = await production.machine.facescan(deletion, {
      clock: hastyClock(Date.UTC(2026, 0, 1)),
    })
    expect(exitCode, stderr).toBe(0)
    expect(server.requests).toHaveLength(2)
    expect((await list()).filter(({ command }) => command === 'api')).toMatchObject([
      { time: '2026-01-01T00:00:00.000Z', outcome: 'done', status: 204 },
    ])
  })

  test.each([
    ['failed', reply(409, {}), { outcome: 'failed', status: 409 }],
    ['unknown if the service reports an error', reply(500, {}), { outcome: 'unknown', status: 500 }],
    ['unknown without a response', reset(), { outcome: 'unknown', status: null }],
  ])('the log entry of a change has the outcome %s', async (_, script, expected) => {
    const server = await serve(() => script)
    await addProduction(server.url)
    await production.machine.facescan(
      'api PUT /v2/users/x -f language=nl -p REMOTE --confirm=REMOTE --retries 0',
    )
    expect((await list())[0]).toMatchObject(expected)
  })

  test('the log entry of a change has the outcome "not sent" if the service cannot be reached', async () => {
    await addProduction('http://127.0.0.1:9')
    const failed = await production.machine.facescan(
      'api PUT /v2/users/x -p REMOTE --confirm=REMOTE --retries 0',
    )
    expect(failed.exitCode).toBe(9)
    expect((await list())[0]).toMatchObject({ outcome: 'not sent', status: null })
  })

  test('the log entry of a change has the correlation ID if the response has no request ID', async () => {
    const server = await serve(() => reply(200, {}, { 'x-correlation-id': 'c-1' }))
    await addProduction(server.url)
    await production.machine.facescan('api PUT /v2/users/x -p REMOTE --confirm=REMOTE')
    expect((await list())[0]?.request_id).toBe('c-1')
  })

  test.each([
    ['long', 'r'.repeat(15_000)],
    ['an email address', 'jan.jansen@example.com'],
    ['equal to the external user ID', 'req-audited-4711-1'],
  ])('if the service returns a request ID that is %s, the ID is not logged', async (_, id) => {
    const server = await serve(() => reply(200, {}, { 'x-request-id': id }))
    await addProduction(server.url)
    const words = 'api PUT /v2/users/x?external_user_id=audited-4711 -p REMOTE --confirm=REMOTE'
    for (const _ of ['first', 'second']) expect((await production.machine.facescan(words)).exitCode).toBe(0)
    expect((await list())[0]).toMatchObject({ command: 'api', request_id: null })
    expect(readLog()).not.toContain(id)
  })
})

describe('history list', () => {
  test('"history list" finds changes by either kind of user ID, and the log contains no external user ID', async () => {
    const { external, userId } = await createUser()
    const other = await createUser()
    await production.machine.facescan(`users update ${external} --language nl -p ACME --confirm=ACME`)
    await production.machine.facescan(
      `answers save weight=80 --external-user-id ${external} --timezone UTC -p ACME --confirm=ACME`,
    )
    await production.machine.facescan(`users delete ${external} -p ACME --confirm=${external}`)
    const expected = ['users delete', 'answers save', 'users update', 'users create']
    for (const filter of [`--external-user-id ${external}`, `--user-id ${userId}`]) {
      expect((await list(filter)).map(({ command }) => command)).toEqual(expected)
    }
    expect(await list(`--user-id ${other.userId}`)).toHaveLength(1)
    expect(await list('--external-user-id nobody')).toEqual([])
    expect(readLog()).not.toContain(external)
  })

  test('"history list -p" prints only the entries of the profile, newest first, with one row for each entry', async () => {
    await createUser()
    const server = await serve(() => reply(204))
    await addProduction(server.url)
    await production.machine.facescan(deletion)
    expect((await list('-p REMOTE')).map(({ command }) => command)).toEqual(['api', 'profiles add'])
    const { stdout } = await production.machine.facescan('history list --color never', {
      terminal: true,
      columns: 80,
    })
    const rows = stdout.split('\n').filter((line) => /users create|profiles add| api /.test(line))
    expect(stdout).toMatch(/User ID/)
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatch(/ api .*done/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('"history list" includes changes to profiles and keys', async () => {
    await production.machine.facescan('profiles set ACME --protect read-only')
    await production.machine.facescan([
      'profiles',
      'unlock',
      'ACME',
      '--for',
      '15m',
      '--reason',
      'ticket 7',
      '--confirm=ACME',
    ])
    await production.machine.facescan('profiles use ACME --yes')
    await production.machine.facescan('profiles remove ACME --confirm=ACME')
    await production.machine.facescan('profiles remove NOBODY --confirm=NOBODY')
    expect(
      (await list()).map(({ command, detail, reason, outcome }) => [command, detail, reason, outcome]),
    ).toEqual([
      ['profiles remove', 'profile and key', null, 'done'],
      ['profiles use', 'default profile', null, 'done'],
      ['profiles unlock', expect.stringMatching(/^unlock until 20/), 'ticket 7', 'done'],
      ['profiles set', 'protection read-only', null, 'done'],
      ['profiles add', 'key store: file', null, 'done'],
    ])
    expect(readLog()).not.toContain('NOBODY')
  })

  test('"history list" prints the start and the end of an import as two entries', async () => {
    const users = [await createUser(), await createUser(), await createUser()]
    const file = join(production.machine.home, 'answers.csv')
    const rows = users.map(({ external }) => `${external},weight,80,UTC\n`).join('')
    await writeFile(file, `external_user_id,lookup_key,value,timezone\n${rows}`)
    const imported = await production.machine.facescan([
      'answers',
      'import',
      file,
      '-p',
      'ACME',
      '--confirm=ACME',
    ])
    expect(imported.exitCode, imported.stderr).toBe(0)
    const entries = (await list()).filter(({ command }) => command === 'answers import')
    expect(entries).toMatchObject([
      { outcome: 'done', detail: 'finished: 3 accepted, 0 rejected, 0 unknown', profile: 'ACME' },
      { outcome: 'started', detail: 'import 3 answers for 3 users', profile: 'ACME' },
    ])
  })
})

describe('a change in production', () => {
  test('in a script, a change in production prints the profile and the host, except with --quiet', async () => {
    serial += 1
    const words = `users create added-${serial} -p ACME --confirm=ACME --json`
    const shown = await production.machine.facescan(words)
    expect(shown.stderr).toContain(`production: ACME at ${new URL(production.service.url).host}`)
    expect(JSON.parse(shown.stdout)).toHaveProperty('user_id')
    const quiet = await production.machine.facescan(
      `users create added-${serial}-q -p ACME --confirm=ACME --quiet`,
    )
    expect(quiet).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
