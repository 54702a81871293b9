import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { formats, outputFormats } from '../../../src/output/settings.ts'
import { clockIn } from '../../helpers/clock.ts'
import { createMachine, type Machine } from '../../helpers/facescan.ts'
import { reply, serve, wait } from '../../helpers/hostile-server.ts'

const ids = ['ann', 'bo', 'cy', 'dee']
let machine: Machine
let list: string
/** External user IDs for which the service returns 404. */
let missing: Set<string>
/** External user IDs for which the service returns 401, which stops the command. */
let locked: Set<string>
let requested: string[]
let env: Record<string, string>
/** Expiry times of the next links, by external user ID. */
let expiries: Map<string, number>

const tomorrow = () => Date.now() / 1000 + 86_400

function tokenUntil(exp: number | undefined): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({})}.${encode(exp === undefined ? {} : { exp })}.c2ln`
}

beforeEach(async () => {
  machine = createMachine()
  list = join(machine.home, 'staff.csv')
  writeFileSync(list, `external_user_id,team\n${ids.map((id) => `${id},red\n`).join('')}`)
  missing = new Set(['bo', 'dee'])
  locked = new Set()
  requested = []
  expiries = new Map()
  let serial = 0
  const server = await serve(({ target }) => {
    const id = new URL(target, 'http://x').searchParams.get('external_user_id') ?? ''
    if (id === '') return reply(200, [])
    requested.push(id)
    if (locked.has(id)) return reply(401, { detail: 'locked' })
    if (missing.has(id)) return reply(404, { detail: 'no' })
    if (!target.includes('/scan'))
      return reply(200, { user_id: `u-${id}-${serial++}`, customer: 'ACME', external_user_id: id })
    const exp = expiries.has(id) ? expiries.get(id) : tomorrow()
    return reply(
      200,
      JSON.stringify(`https://scan.test/?serial=${serial++}&action_token=${tokenUntil(exp)}`),
      { 'content-type': 'application/json' },
    )
  })
  env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
})

const run = (words: string) => machine.facescan(words, { env })

test.each(outputFormats.filter((format) => formats[format].endings.length > 0))(
  'a repeated "users get" with %s output requests only failed users, and keeps the other rows',
  async (format) => {
    const out = join(machine.home, `users.${format}`)
    const line = `users get --users ${list} --keep team -o ${format} --out ${out}`
    const first = await run(line)
    expect(first.exitCode, first.stderr).toBe(10)
    const rows = (text: string) => text.split('\n').filter((row) => /u-(ann|cy)-/.test(row))
    const kept = rows(readFileSync(out, 'utf8'))
    missing.delete('bo')
    requested.length = 0
    const second = await run(line)
    expect(second.exitCode, second.stderr).toBe(10)
    expect(second.stderr).toContain(`${out} is complete; retrying 2 failed users`)
    expect(requested).toEqual(['bo', 'dee'])
    expect(rows(readFileSync(out, 'utf8'))).toEqual(kept)
    expect(readFileSync(join(machine.home, 'users.errors.csv'), 'utf8')).toMatch(/^dee,red,5,/m)
    missing.clear()
    expect((await run(line)).exitCode).toBe(0)
    const again = readFileSync(out, 'utf8')
    expect(existsSync(join(machine.home, 'users.errors.csv'))).toBe(false)
    rmSync(out)
    expect((await run(line)).exitCode).toBe(0)
    const whole = readFileSync(out, 'utf8')
    const anonymous = (text: string) => text.replace(/u-(\w+)-\d+/g, '$1')
    expect(anonymous(again)).toBe(anonymous(whole))
  },
)

test.each(['csv', 'json', 'yaml'])(
  'if a repeated "users get" with %s output was interrupted, the next run requests only the remaining failed users',
  async (format) => {
    const out = join(machine.home, 'users.out')
    const line = `users get --users ${list} -o ${format} --out ${out} --max-concurrency 1`
    missing = new Set(['ann', 'cy'])
    expect((await run(line)).exitCode).toBe(10)
    missing.clear()
    locked.add('cy')
    const stopped = await run(line)
    expect(stopped.exitCode, stopped.stderr).toBe(3)
    expect(stopped.stderr).toContain('2 done, 0 failed, 2 not tried')
    locked.clear()
    requested.length = 0
    const resumed = await run(line)
    expect(resumed.exitCode, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain(`resuming ${out}: 2 users already processed`)
    expect(requested).toEqual(['cy'])
    expect(readFileSync(out, 'utf8').match(/u-[a-z]+-/g)).toEqual(ids.map((id) => `u-${id}-`))
  },
)

test('"scan-url" renews only expired links when it is repeated for a list that is already complete', async () => {
  missing.clear()
  expiries.set('bo', Date.now() / 1000 + 3_600).set('cy', Number.NaN)
  const out = join(machine.home, 'links.csv')
  const line = `scan-url --users ${list} --out ${out}`
  const first = await run(line)
  expect(first.exitCode, first.stderr).toBe(0)
  const before = readFileSync(out, 'utf8').split('\r\n')
  expiries.clear()
  requested.length = 0
  const clock = clockIn(2 * 3_600_000)
  const renewed = await machine.facescan(line, { env, clock })
  expect(renewed.exitCode, renewed.stderr).toBe(0)
  expect(renewed.stderr).toContain(`${out} is complete; renewing expired links`)
  expect(requested).toEqual(['bo'])
  const after = readFileSync(out, 'utf8').split('\r\n')
  expect(after.map((row, at) => row === before[at])).toEqual([true, true, false, true, true, true])
  requested.length = 0
  const again = await run(line)
  expect(again.exitCode, again.stderr).toBe(0)
  expect(again.stderr).toContain(`nothing was sent: ${out} is already complete`)
  expect(requested).toEqual([])
  expect((await run(`${line} --renew`)).exitCode).toBe(0)
  expect(requested.toSorted()).toEqual(ids)
})

test('if link tokens contain no expiry, a second "scan-url" renews the links after the time in --expire-at', async () => {
  missing.clear()
  for (const id of ids) expiries.set(id, Number.NaN)
  const until = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)
  const line = `scan-url --users ${list} --expire-at ${until} --out ${join(machine.home, 'links.csv')}`
  expect((await run(line)).exitCode).toBe(0)
  requested.length = 0
  expect((await run(line)).exitCode).toBe(0)
  expect(requested).toEqual([])
  const clock = clockIn(2 * 3_600_000)
  const renewed = await machine.facescan(line, { env, clock })
  expect(renewed.exitCode, renewed.stderr).toBe(0)
  expect(requested.toSorted()).toEqual(ids)
})

test.each(['users get --users LIST', 'users import LIST'])(
  'if the list is complete, "%s --out" sends nothing for 12 hours, is refused after 13 hours, and runs again with --renew',
  async (line) => {
    missing.clear()
    const words = `${line.replace('LIST', list)} --out ${join(machine.home, 'out.csv')} --confirm development`
    expect((await run(words)).exitCode).toBe(0)
    requested = []
    for (const hours of [0, 11]) {
      const again = await machine.facescan(words, { env, clock: clockIn(hours * 3_600_000) })
      expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing was sent') })
    }
    expect(requested).toEqual([])
    const later = { env, clock: clockIn(13 * 3_600_000) }
    expect((await machine.facescan(words, later)).exitCode).toBe(2)
    expect(requested).toEqual([])
    expect((await machine.facescan(`${words} --renew`, later)).exitCode).toBe(0)
    expect(new Set(requested)).toEqual(new Set(ids))
  },
)

test('"users get" refuses to repeat a finished list if its output file was changed', async () => {
  const out = join(machine.home, 'users.csv')
  const line = `users get --users ${list} --out ${out}`
  expect((await run(line)).exitCode).toBe(10)
  writeFileSync(out, `${readFileSync(out, 'utf8')}note\r\n`)
  const refused = await run(line)
  expect(refused.exitCode, refused.stderr).toBe(2)
  expect(refused.stderr).toContain('already exists')
})

test('if "users import" is repeated and all users exist, it does not write a second results file', async () => {
  const sandbox = createMachine()
  const path = join(sandbox.home, 'new.csv')
  writeFileSync(path, 'external_user_id\neve\nflo\n')
  expect((await sandbox.facescan(`users import ${path}`)).exitCode).toBe(0)
  const created = readFileSync(join(sandbox.home, 'new.users.csv'), 'utf8')
  for (let round = 0; round < 2; round++) {
    const again = await sandbox.facescan(`users import ${path}`)
    expect(again.exitCode, again.stderr).toBe(0)
    expect(again.stderr).toContain('nothing to import: 2 existing')
    expect(again.stderr).toContain('new.users.csv')
    expect(existsSync(join(sandbox.home, 'new.users-2.csv'))).toBe(false)
  }
  expect(readFileSync(join(sandbox.home, 'new.users.csv'), 'utf8')).toBe(created)
  await sandbox.facescan('users delete eve --confirm=eve')
  const third = await sandbox.facescan(`users import ${path}`)
  expect(third.stderr).toContain('Imported 1 user (1 created, 1 existing)')
  expect(existsSync(join(sandbox.home, 'new.users-2.csv'))).toBe(true)
})

test('"users get" does not resume a list from version 0.1, and names the file to delete', async () => {
  const out = join(machine.home, 'users.csv')
  const line = `users get --users ${list} --out ${out}`
  expect((await run(line)).exitCode).toBe(10)
  const lists = join(machine.home, 'state', 'lists')
  const [folder = ''] = readdirSync(lists)
  renameSync(join(lists, folder, 'journal.ndjson'), join(lists, folder, 'checkpoint.json'))
  renameSync(out, `${out}.partial`)
  rmSync(join(machine.home, 'users.errors.csv'))
  requested.length = 0
  const refused = await run(line)
  expect(refused.exitCode, refused.stderr).toBe(2)
  expect(refused.stderr).toContain(`${out}.partial belongs to a run with`)
  expect(refused.stderr).toContain('version of facescan. To start over, delete that file')
  expect(requested).toEqual([])
  rmSync(`${out}.partial`)
  expect((await run(line)).exitCode).toBe(10)
})

test('"users get --renew" requests all users again, even if no user failed', async () => {
  missing.clear()
  const line = `users get --users ${list} --out ${join(machine.home, 'users.csv')}`
  expect((await run(line)).exitCode).toBe(0)
  requested.length = 0
  const renewed = await run(`${line} --renew`)
  expect(renewed.exitCode, renewed.stderr).toBe(0)
  expect(renewed.stderr).not.toContain('is complete')
  expect(requested.toSorted()).toEqual(ids)
})

test.each([
  ['changed', (errors: string) => writeFileSync(errors, 'checked by Ann'), 'checked by Ann'],
  ['deleted', (errors: string) => rmSync(errors), undefined],
])(
  'if the file with the failed users was %s, a repeated "users get" without failures leaves it as it is',
  async (_, change, left) => {
    const line = `users get --users ${list} --out ${join(machine.home, 'users.csv')}`
    const errors = join(machine.home, 'users.errors.csv')
    expect((await run(line)).exitCode).toBe(10)
    change(errors)
    missing.clear()
    const again = await run(line)
    expect(again.exitCode, again.stderr).toBe(0)
    expect(existsSync(errors) ? readFileSync(errors, 'utf8') : undefined).toBe(left)
  },
)

test.each(['csv --no-header', 'ndjson'])(
  'if no user succeeded in the first run, a resumed "users get" with %s output keeps the failed users',
  async (format) => {
    missing = new Set(['ann'])
    let isForbidden = true
    const server = await serve(({ target }) => {
      const id = new URL(target, 'http://x').searchParams.get('external_user_id') ?? ''
      if (id === '') return reply(200, [])
      requested.push(id)
      if (missing.has(id)) return reply(404, { detail: 'user not found' })
      return isForbidden ? [wait(300), reply(403, {})] : reply(200, { user_id: `u-${id}`, customer: 'ACME' })
    })
    env['FACESCAN_BASE_URL'] = server.url
    const out = join(machine.home, 'users.txt')
    const line = `users get --users ${list} -o ${format} --out ${out}`
    const stopped = await run(line)
    expect(stopped.exitCode, stopped.stderr).toBe(5)
    expect(stopped.stderr).toContain('0 done, 1 failed, 3 not tried')
    isForbidden = false
    requested.length = 0
    const resumed = await run(line)
    expect(resumed.exitCode, resumed.stderr).toBe(10)
    expect(resumed.stderr).toContain(`resuming ${out}: 1 user already processed`)
    expect(requested.toSorted()).toEqual(['bo', 'cy', 'dee'])
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(3)
    expect(readFileSync(join(machine.home, 'users.errors.csv'), 'utf8')).toMatch(/^ann,red,2,/m)
  },
)
