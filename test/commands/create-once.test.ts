import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOnce } from '../../src/commands/users/create-once.ts'
import { idleClock } from '../helpers/clock.ts'
import { createMachine } from '../helpers/facescan.ts'
import { type RawRequest, reply, reset, type Script, serve } from '../helpers/hostile-server.ts'
import { seededRandom } from '../helpers/seeded.ts'
import { testApi } from '../http/client.ts'

/**
 * A service that accepts several users with the same external user ID. If `lose` returns `before` or `after`, the service resets the
 * connection before or after it creates the user.
 */
function permissive(lose: (request: RawRequest) => 'before' | 'after' | undefined) {
  const created: string[] = []
  const script = (request: RawRequest) => {
    const fields = {
      customer: 'ACME',
      birth_date: null,
      sex: null,
      language: 'en',
      preferred_unit_system: null,
    }
    const user = (id: string) => ({ user_id: `id-${id}`, external_user_id: null, ...fields })
    if (request.method === 'GET') {
      const id = new URL(request.target, 'http://x').searchParams.get('external_user_id') ?? ''
      return created.includes(id) ? reply(200, user(id)) : reply(404, { detail: 'not found' })
    }
    const loss = lose(request)
    if (loss === 'before') return reset()
    const { external_user_id } = JSON.parse(request.body)
    created.push(external_user_id)
    return loss === 'after' ? reset() : reply(201, user(external_user_id))
  }
  return { created, script }
}

test('"users import" creates each user once, even if the service accepts duplicate external user IDs', async () => {
  const random = seededRandom(3)
  const { created, script } = permissive(() => {
    const chance = random()
    return chance < 0.15 ? 'before' : chance < 0.3 ? 'after' : undefined
  })
  const server = await serve(script)
  const machine = createMachine()
  const file = join(machine.home, 'staff.csv')
  const ids = Array.from({ length: 60 }, (_, n) => `u-${n}`)
  writeFileSync(file, `external_user_id\n${ids.join('\n')}\n`)
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const words = `users import ${file} --confirm development`
  const { exitCode, stderr } = await machine.facescan(words, { env, clock: idleClock() })
  expect(exitCode, stderr).toBe(0)
  expect(created.toSorted()).toEqual(ids.toSorted())
})

test('if the response for the first user is lost, "users import" creates the other users before it sends the first user again', async () => {
  let isLost = false
  const { created, script } = permissive(() => {
    if (isLost) return undefined
    isLost = true
    return 'before'
  })
  const server = await serve(script)
  const machine = createMachine()
  const file = join(machine.home, 'staff.csv')
  writeFileSync(file, 'external_user_id\nu-1\nu-2\nu-3\n')
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const words = `users import ${file} --confirm development`
  expect((await machine.facescan(words, { env, clock: idleClock() })).exitCode).toBe(0)
  expect(created.at(-1)).toBe('u-1')
  expect(created).toHaveLength(3)
})

test('if the service accepts duplicate IDs, "users import" creates an existing user a second time', async () => {
  const { created, script } = permissive(() => undefined)
  created.push('u-1')
  const server = await serve(script)
  const machine = createMachine()
  const file = join(machine.home, 'staff.csv')
  writeFileSync(file, 'external_user_id\nu-1\n')
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const found = await machine.facescan(`users get --users ${file} -o csv`, { env })
  expect(found.stdout).toContain('\r\nu-1,id-u-1,')
  const words = `users import ${file} --confirm development`
  expect((await machine.facescan(words, { env })).exitCode).toBe(0)
  expect(readFileSync(join(machine.home, 'staff.users.csv'), 'utf8')).toContain('u-1,id-u-1,created')
  expect(created).toEqual(['u-1', 'u-1'])
})

/**
 * A service that returns an existing user with status 200 instead of an error. `statusOfNew` is the status for a new user. If
 * `refusesLookups` is set, the service refuses to return users.
 */
function obliging(existing: readonly string[], statusOfNew: 200 | 201, refusesLookups = false): Script {
  const known = new Set(existing)
  return ({ method, target, body }) => {
    const isLookup = method === 'GET'
    if (method === 'PUT') return reply(200, { ...stored, user_id: target.split('/').at(-1) })
    if (isLookup && refusesLookups) return reply(403, { detail: 'not allowed' })
    const { searchParams } = new URL(target, 'http://x')
    const id: string = isLookup ? searchParams.get('external_user_id') : JSON.parse(body).external_user_id
    const user = { ...stored, external_user_id: null, user_id: `id-${id}` }
    if (known.has(id)) return reply(200, user)
    if (isLookup) return reply(404, { detail: 'not found' })
    known.add(id)
    return reply(statusOfNew, user)
  }
}

/** The last two of 100 users exist. The others are new. */
const ids = Array.from({ length: 100 }, (_, n) => `u-${n}`)
const existing = ['u-98', 'u-99']

/** Imports the users. Returns the exit code, the failures, and the IDs for each status in the output file. */
async function importUsers(script: Script, flags = '') {
  const server = await serve(script)
  const machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
  const file = join(machine.home, 'staff.csv')
  writeFileSync(file, `external_user_id\n${ids.join('\n')}\n`)
  const words = `users import ${file} --confirm development ${flags}`
  const { exitCode, stderr } = await machine.facescan(words, { clock: idleClock() })
  const statuses: Record<string, string[]> = {}
  for (const row of readFileSync(join(machine.home, 'staff.users.csv'), 'utf8').trim().split('\r\n')) {
    const [id = '', , status = ''] = row.split(',')
    statuses[status] = [...(statuses[status] ?? []), id]
  }
  const failed = join(machine.home, 'staff.users.errors.csv')
  const failures = existsSync(failed) ? readFileSync(failed, 'utf8') : ''
  return { exitCode, stderr, statuses, failures }
}

test('if the service returns 201 for new users and 200 for existing users, "users import" reports the users with 200 as existing', async () => {
  const { exitCode, stderr, statuses } = await importUsers(obliging(existing, 201))
  expect(exitCode, stderr).toBe(0)
  expect(statuses).toMatchObject({ existing, created: ids.slice(0, 98) })
})

test('if the service answers all creations with 200, "users import" reports the first user as unknown, and looks up all later users before it creates them', async () => {
  const { exitCode, stderr, statuses } = await importUsers(obliging(existing, 200))
  expect(exitCode, stderr).toBe(0)
  expect(statuses).toMatchObject({ unknown: ['u-0'], created: ids.slice(1, 98), existing })
})

test('if all creations return 200 and lookups are refused, "users import" reports all users as unknown', async () => {
  const { exitCode, statuses } = await importUsers(obliging(existing, 200, true))
  expect(exitCode).toBe(0)
  expect(statuses['unknown']).toEqual(ids)
})

test.each([200, 201] as const)(
  'if new users return %i and existing users 200, "users import --existing fail" fails for existing users',
  async (statusOfNew) => {
    const { exitCode, failures } = await importUsers(obliging(existing, statusOfNew), '--existing fail')
    expect(exitCode).toBe(10)
    expect(failures.match(/already exists/g)).toHaveLength(2)
  },
)

test.each([200, 201] as const)(
  'if new users return %i and existing users 200, "users import --existing update" reports existing users as updated',
  async (statusOfNew) => {
    const { statuses } = await importUsers(obliging(existing, statusOfNew), '--existing update')
    expect(statuses['updated']).toEqual(existing)
  },
)

test.each([
  [200, 'user 4711 may have existed before: the service returned status 200, not 201'],
  [201, 'Created user 4711'],
])('if the service returns status %i, "users create" prints "%s"', async (status, text) => {
  const server = await serve(() => reply(status, { ...stored, external_user_id: null }))
  const machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
  const { exitCode, stderr } = await machine.facescan('users create 4711 --confirm development')
  expect(exitCode).toBe(0)
  expect(stderr).toContain(text)
})

test('if an earlier run may have created a user, "users import" looks up the user twice and reports the user as unknown', async () => {
  const { created, script } = permissive(() => undefined)
  const server = await serve(script)
  const waits: number[] = []
  const ctx = {
    api: async () => testApi(server.url),
    clock: {
      ...idleClock(),
      sleep: async (ms: number) => {
        waits.push(ms)
        // The request of the earlier run creates the user between the two lookups.
        if (waits.length === 2) created.push('u-1')
      },
    },
    signal: new AbortController().signal,
    flags: { timeout: 30_000 },
  }
  const step = { announced: '', send: <Result>(_: string, request: () => Promise<Result>) => request() }
  const user = await createOnce(ctx, { user: { external_user_id: 'u-1' } }, { replies: {}, step })
  expect(user.status).toBe('unknown')
  expect(waits).toEqual([30_000, 2_000])
  expect(created).toEqual(['u-1'])
})

const stored = {
  user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  customer: 'ACME',
  external_user_id: '4711',
  birth_date: null,
  sex: 'F',
  language: 'en',
  preferred_unit_system: null,
}

test.each([
  ['created', 'the sent values', 'F'],
  ['unknown', 'other values', 'M'],
])(
  'after an incomplete response, "users import" reports the user as %s if the stored user has %s',
  async (status, _, sex) => {
    const server = await serve(({ method }) =>
      method === 'GET' ? reply(200, stored) : reply(201, { ...stored, user_id: undefined }),
    )
    const machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
    const file = join(machine.home, 'staff.csv')
    writeFileSync(file, `external_user_id,sex\n4711,${sex}\n`)
    const { exitCode, stderr } = await machine.facescan(`users import ${file} --confirm development`, {
      clock: idleClock(),
    })
    expect(exitCode, stderr).toBe(0)
    expect(readFileSync(join(machine.home, 'staff.users.csv'), 'utf8')).toContain(
      `4711,${stored.user_id},${status}`,
    )
  },
)
