import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idleClock } from '../helpers/clock.ts'
import { createMachine } from '../helpers/facescan.ts'
import { reply, type Script, serve } from '../helpers/hostile-server.ts'

const uuidOf = (id: string) =>
  `5151d12e-2f9a-4d7a-962f-fd85d23bd6${Buffer.from(id).toString('hex').slice(0, 2)}`
const link = 'https://scan.example/?token=abc'

/** A service that finds a new user only `lateMs` after the creation. It refuses a second creation. */
function lateService(now: () => number, lateMs: number, refusal = 'user already exists'): Script {
  const createdAt = new Map<string, number>()
  return ({ method, target, body }) => {
    const { pathname, searchParams } = new URL(target, 'http://x')
    if (pathname === '/v2/questions/all') return reply(200, ['weight'])
    const id = String(
      method === 'POST' ? JSON.parse(body).external_user_id : searchParams.get('external_user_id'),
    )
    const user = { user_id: uuidOf(id), customer: 'ACME', external_user_id: null }
    const at = createdAt.get(id)
    if (method === 'POST' && at !== undefined) return reply(400, { detail: refusal })
    if (method === 'POST') {
      createdAt.set(id, now())
      return reply(201, { ...user, birth_date: null, sex: null, language: 'en', preferred_unit_system: null })
    }
    if (at === undefined || now() < at + lateMs) return reply(404, { detail: 'User not found.' })
    return reply(200, pathname.endsWith('/scan') ? JSON.stringify(link) : user)
  }
}

test.each([
  [8_000, 0, 'invited'],
  [60_000, 10, 'failed'],
])(
  'if the service finds new users after %i ms, "invite" exits with %i and reports the users as %s',
  async (lateMs, code, status) => {
    const clock = idleClock()
    const server = await serve(lateService(clock.now, lateMs))
    const machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
    const file = join(machine.home, 'staff.csv')
    writeFileSync(file, 'external_user_id\na\nb\n')
    const { exitCode, stderr } = await machine.facescan(`invite ${file} --confirm development`, { clock })
    expect(exitCode, stderr).toBe(code)
    const rows = readFileSync(join(machine.home, 'staff.links.csv'), 'utf8')
    expect(rows).toContain(`a,${uuidOf('a')},${status}`)
    expect(rows).toContain(`b,${uuidOf('b')},${status}`)
  },
)

test('if an existing user is not found, "invite" sends the link request only once', async () => {
  const clock = idleClock()
  const service = lateService(clock.now, 0)
  const server = await serve((request) =>
    request.target.includes('/scan') ? reply(404, { detail: 'User not found.' }) : service(request),
  )
  const machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
  const file = join(machine.home, 'staff.csv')
  writeFileSync(file, 'external_user_id\na\n')
  const words = `invite ${file} --confirm development`
  expect((await machine.facescan(words, { clock })).exitCode).toBe(10)
  server.requests.length = 0
  expect((await machine.facescan(words, { clock })).exitCode).toBe(10)
  expect(server.requests.filter(({ target }) => target.includes('/scan'))).toHaveLength(1)
})

test.each([
  ['user already exists', 6_000, 0],
  ['user already exists', 60_000, 6],
  ['language is not valid', 6_000, 6],
])(
  'if a creation is refused with "%s" and the user is found after %i ms, "users create --if-not-exists" exits with %i',
  async (refusal, lateMs, code) => {
    const clock = idleClock()
    const server = await serve(lateService(clock.now, lateMs, refusal))
    const machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
    const line = 'users create 4711 --confirm development --if-not-exists'
    expect((await machine.facescan(line, { clock })).exitCode).toBe(0)
    const { exitCode, stderr } = await machine.facescan(line, { clock })
    expect(exitCode, stderr).toBe(code)
  },
)
