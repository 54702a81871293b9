import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clockThatEnds, idleClock } from '../../helpers/clock.ts'
import { createMachine, type Machine } from '../../helpers/facescan.ts'
import { close, cutReply, refusingUrl, reply, reset, serve } from '../../helpers/hostile-server.ts'
import { type Service, startService } from '../../helpers/service.ts'

let service: Service
let machine: Machine
let serial = 0
let ids: string[]

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

beforeEach(async () => {
  machine = createMachine()
  const { production, development } = service.keys
  for (const [name, key] of [
    ['ACME', production.key],
    ['ACME-DEV', development.key],
  ]) {
    const line = `profiles add ${name} --key-stdin --store file --base-url ${service.url}`
    expect((await machine.facescan(line, { stdin: key! })).exitCode).toBe(0)
  }
  serial++
  ids = ['a', 'b', 'c'].map((letter) => `${letter}${serial}`)
})

async function create(profile = 'ACME-DEV', confirm = 'ACME-DEV'): Promise<void> {
  for (const id of ids) await machine.facescan(`users create ${id} -p ${profile} --confirm=${confirm}`)
}

function listOf(content: string, name = 'leavers.csv'): string {
  const path = join(machine.home, name)
  writeFileSync(path, content)
  return path
}

const list = (others: readonly string[] = []) =>
  listOf(['external_user_id', ...ids, ...others, ''].join('\n'))

async function existing(profile = 'ACME-DEV'): Promise<string[]> {
  const found: string[] = []
  for (const id of ids)
    if ((await machine.facescan(`users get ${id} -p ${profile}`)).exitCode === 0) found.push(id)
  return found
}

test.each([
  ['ACME-DEV', ''],
  ['ACME-DEV', '--yes'],
  ['ACME-DEV', '--confirm=ACME-DEV'],
  ['ACME-DEV', '--confirm=2'],
  ['ACME', '--yes'],
  ['ACME', '--confirm=ACME'],
  ['SANDBOX-DEV', '--yes'],
])(
  '"users delete" refuses to delete the three users of a list in %s with the flags "%s"',
  async (profile, flag) => {
    await create(profile, profile)
    const line = `users delete --users ${list()} -p ${profile} ${flag}`
    const { exitCode, stderr } = await machine.facescan(line)
    expect(exitCode, stderr).toBe(12)
    expect(stderr).toContain('--confirm=3')
    expect(await existing(profile)).toEqual(ids)
    expect(existsSync(join(machine.home, 'leavers.deleted.csv'))).toBe(false)
  },
)

test.each(['ACME-DEV', 'ACME'])(
  'if --confirm is the number of users, "users delete" deletes the users of a list in %s',
  async (profile) => {
    await create(profile, profile)
    const internal = await Promise.all(
      ids.map(async (id) =>
        (await machine.facescan(`users get ${id} -p ${profile} --jq .user_id`)).stdout.trim(),
      ),
    )
    const path = list()
    const { exitCode, stderr } = await machine.facescan(
      `users delete --users ${path} -p ${profile} --confirm=3`,
    )
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain(`Deleted 3 users in ${profile}`)
    expect(await existing(profile)).toEqual([])
    const out = join(machine.home, 'leavers.deleted.csv')
    expect(statSync(out).mode & 0o777).toBe(0o600)
    const rows = ids.map((id, index) => `${id},${internal[index]},true`)
    expect(readFileSync(out, 'utf8').trim().split('\r\n')).toEqual([
      'external_user_id,user_id,deleted',
      ...rows,
    ])
  },
)

test('the prompt of "users delete --users" shows profile and host, and accepts only the number of users', async () => {
  await create('ACME', 'ACME')
  const { host } = new URL(service.url)
  const run = (answer: string) =>
    machine.facescan(`users delete --users ${list()} -p ACME`, {
      terminal: true,
      columns: 120,
      stdin: `${answer}\n`,
    })
  const declined = await run('yes')
  expect(declined.exitCode).toBe(12)
  expect(declined.stderr).toContain(
    `About to delete 3 users and all of their data in ACME (production) at ${host}. This cannot be undone. Type 3`,
  )
  expect(declined.stderr).toContain('to confirm:')
  expect(await existing('ACME')).toEqual(ids)
  expect((await run('3')).exitCode).toBe(0)
  expect(await existing('ACME')).toEqual([])
})

test('"users delete" and "users import" refuse a list if the profile is read-only', async () => {
  await create()
  const line = `profiles set ACME-DEV --protect read-only`
  expect((await machine.facescan(line)).exitCode).toBe(0)
  for (const command of [`users delete --users ${list()} --confirm=3`, `users import ${list()}`]) {
    const { exitCode, stderr } = await machine.facescan(`${command} -p ACME-DEV`)
    expect(exitCode, stderr).toBe(12)
    expect(stderr).toContain('read-only')
  }
})

test('"users delete" with a list writes to the audit log when it starts, which users it deletes, and when it ends', async () => {
  await create()
  const history = async () => JSON.parse((await machine.facescan('history list --json --all')).stdout)
  const before = (await history()).length
  await machine.facescan(`users delete --users ${list(['nope'])} -p ACME-DEV --confirm=4`)
  const entries = (await history()) as Record<string, unknown>[]
  expect(entries).toHaveLength(before + 5)
  expect(entries.slice(0, 5)).toMatchObject([
    { command: 'users delete', outcome: 'done', detail: '3 done, 1 failed' },
    ...ids.map(() => ({ command: 'users delete', outcome: 'done', user_id: expect.any(String) })),
    { command: 'users delete', outcome: 'started', detail: 'delete 4 users and all of their data' },
  ])
})

test('"users delete" reports an unknown user in a list as not found, and deletes the other users', async () => {
  await create()
  const path = list(['nope'])
  const { exitCode, stderr } = await machine.facescan(`users delete --users ${path} -p ACME-DEV --confirm=4`)
  expect(exitCode, stderr).toBe(10)
  expect(await existing()).toEqual([])
  const errors = readFileSync(join(machine.home, 'leavers.deleted.errors.csv'), 'utf8')
  expect(errors).toContain('nope,5,,not_found,"user ""nope"" not found in ACME-DEV (404)"')
})

test('if requests of an interrupted "users import" may still arrive, the resumed command prints how long it waits', async () => {
  const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
  let isStopped = true
  const server = await serve(({ method }) => {
    if (!isStopped) return reply(200, user)
    return method === 'POST' ? reset() : reply(401, {})
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const line = `users import ${listOf(`external_user_id\n${ids[0]}\n`)} --confirm=development`
  expect((await machine.facescan(line, { env })).exitCode).toBe(3)
  isStopped = false
  const resumed = await machine.facescan(line, { env, clock: idleClock() })
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  expect(resumed.stderr).toContain('waiting 30 s, because the interrupted run may still create 1 user')
})

test.each([
  ['user_id', 404],
  ['external_user_id', 404],
  ['external_user_id', 401],
])(
  'if a "users delete" with the column %s stopped at status %i, the repeated command reports missing users',
  async (column, status) => {
    const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
    const missing = crypto.randomUUID()
    let isStopped = true
    const server = await serve(({ method, target }) => {
      if (isStopped || target.includes(missing)) return reply(isStopped ? status : 404, {})
      return method === 'DELETE' ? reply(204, '') : reply(200, user)
    })
    const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
    const path = listOf(`${column}\n${user.user_id}\n${missing}\n`)
    const line = `users delete --users ${path} --confirm=2`
    const stopped = await machine.facescan(line, { env })
    expect(stopped.stderr).toContain('0 done, 0 failed, 2 not tried')
    isStopped = false
    const { exitCode, stderr } = await machine.facescan(line, { env })
    expect(exitCode, stderr).toBe(10)
    expect(stderr).toContain('1 of 2 users failed; 1 done')
  },
)

test.each([404, 401])(
  'if a "users import" stopped at status %i, the repeated command reports existing users and does not wait',
  async (status) => {
    const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
    let isStopped = true
    const server = await serve(({ method }) => {
      if (isStopped) return reply(status, {})
      return method === 'POST' ? reply(409, {}) : reply(200, user)
    })
    const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
    const line = `users import ${listOf(`external_user_id\n${ids.join('\n')}\n`)} --confirm=development`
    const stopped = await machine.facescan(line, { env })
    expect(stopped.stderr).toContain('0 done, 0 failed, 3 not tried')
    isStopped = false
    const clock = idleClock()
    const { exitCode, stderr } = await machine.facescan(line, { env, clock })
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('nothing to import: 3 existing')
    expect(stderr).not.toContain('waiting')
    expect(clock.sleeps.filter((ms) => ms >= 1000)).toEqual([])
  },
)

test('if it is unknown whether a user was deleted, a repeated "users delete" deletes the user by user ID', async () => {
  const idOf = (target: string) => /[abc](?=\d+$)/.exec(target)?.[0]
  let isBroken = true
  const server = await serve(({ method, target }) => {
    if (target.includes('questions')) return reply(200, [])
    if (method === 'GET') return reply(200, { user_id: `id-${idOf(target)}`, customer: 'ACME' })
    return isBroken && target.includes('id-b') ? reply(500, {}) : reply(204, '')
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const line = `users delete --users ${list()} --confirm=3 --retries 0`
  expect((await machine.facescan(line, { env, clock: idleClock() })).exitCode).toBe(10)
  isBroken = false
  const before = server.requests.length
  const repeated = await machine.facescan(line, { env, clock: idleClock() })
  expect(repeated.exitCode, repeated.stderr).toBe(0)
  expect(repeated.stderr).toContain('Deleted 1 user (2 kept from the earlier run)')
  const sent = server.requests.slice(before).map(({ method, target }) => `${method} ${target}`)
  expect(sent).toEqual(['DELETE /v2/users/?user_id=id-b'])
  const rows = readFileSync(join(machine.home, 'leavers.deleted.csv'), 'utf8').split('\r\n')
  expect(rows[2]).toBe(`${ids[1]},id-b,true`)
})

test('if the response to a creation is incomplete, "users import" reads the user and does not create the user again', async () => {
  const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
  const text = JSON.stringify(user)
  const server = await serve(({ method }) =>
    method === 'POST' ? [cutReply(201, text, 20), close()] : reply(200, user),
  )
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const line = `users import ${listOf(`external_user_id\n${ids[0]}\n`)} --confirm=development`
  const { exitCode, stderr } = await machine.facescan(line, { env })
  expect(exitCode, stderr).toBe(0)
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  expect(readFileSync(join(machine.home, 'leavers.users.csv'), 'utf8')).toContain(
    `${ids[0]},${user.user_id},created`,
  )
})

test.each([
  ['skip', 'a refusal', reply(400, {}), 'existing', ['POST', 'GET']],
  ['update', 'a refusal', reply(400, {}), 'updated', ['POST', 'GET', 'PUT']],
  ['skip', 'a reset', reset(), 'unknown', ['POST', 'GET']],
  ['fail', 'a reset', reset(), 'unknown', ['POST', 'GET']],
  ['skip', 'a 408', reply(408, {}), 'unknown', ['POST', 'GET']],
  ['update', 'a 500', reply(500, {}), 'unknown', ['POST', 'GET', 'PUT']],
] as const)(
  '"users import --existing %s" looks for an existing user after %s',
  async (existing, _, end, status, methods) => {
    const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
    const server = await serve(({ method }) => (method === 'POST' ? end : reply(200, user)))
    const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
    const path = listOf(`external_user_id\n${ids[0]}\n`)
    const line = `users import ${path} --existing ${existing} --confirm=development`
    const { exitCode, stderr } = await machine.facescan(line, { env })
    expect(exitCode, stderr).toBe(0)
    expect(server.requests.map(({ method }) => method)).toEqual(methods)
    const rows = readFileSync(join(machine.home, 'leavers.users.csv'), 'utf8').split('\r\n')
    expect(rows[1]).toBe(`${ids[0]},${user.user_id},${status}`)
  },
)

test('40 waiting requests of "users import" cause no warning from Node', async () => {
  const url = await refusingUrl()
  const warnings: Error[] = []
  const listen = (warning: Error) => void warnings.push(warning)
  process.on('warning', listen)
  const path = listOf(`external_user_id\n${Array.from({ length: 40 }, (_, n) => `w${n}\n`).join('')}`)
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: url }
  const line = `users import ${path} --max-time 1h --retries 1 --confirm=development`
  const { exitCode } = await machine.facescan(line, { env, clock: clockThatEnds(20) })
  process.off('warning', listen)
  expect(exitCode).toBe(11)
  expect(warnings).toEqual([])
})

test('a dry run of "users delete" prints the number of users in a list and deletes no user', async () => {
  await create()
  const { exitCode, stderr, stdout } = await machine.facescan(
    `users delete --users ${list()} -p ACME-DEV --dry-run --json`,
  )
  expect(exitCode, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ users: 3, done: 0, not_tried: 3, file: null })
  expect(await existing()).toEqual(ids)
  expect(existsSync(join(machine.home, 'leavers.deleted.csv'))).toBe(false)
})

test.each([
  ['skip', 0, 'with the status "existing"', 'existing', 'en'],
  ['update', 0, 'with the status "updated"', 'updated', 'fr'],
  ['fail', 10, 'only as failed', undefined, 'en'],
])(
  '"users import --existing %s" exits with code %i for an existing user, and reports the user %s',
  async (action, code, _, status, language) => {
    await machine.facescan(`users create ${ids[0]} -p ACME-DEV --language en`)
    const path = listOf(`external_user_id,language\n${ids[0]},fr\n${ids[1]},fr\n`, 'staff.csv')
    const line = `users import ${path} -p ACME-DEV --existing ${action}`
    const { exitCode, stderr } = await machine.facescan(line)
    expect(exitCode, stderr).toBe(code)
    const shown = await machine.facescan(`users get ${ids[0]} -p ACME-DEV --jq .language`)
    expect(shown.stdout.trim()).toBe(language)
    const rows = readFileSync(join(machine.home, 'staff.users.csv'), 'utf8').trim().split('\r\n').slice(1)
    const statuses = rows.map((row) => [row.split(',')[0], row.split(',')[2]])
    expect(statuses).toEqual([...(status ? [[ids[0], status]] : []), [ids[1], 'created']])
  },
)

test('"users import" prints the names of the columns that it does not read', async () => {
  const path = listOf('external_user_id,birthdate,sex,email\nu1,1984-02-29,F,a@example.com\n', 'staff.csv')
  const { stderr } = await machine.facescan(`users import ${path} -p ACME-DEV --dry-run`)
  expect(stderr).toContain('columns that are not read: email\n')
  expect(stderr).not.toContain('read: sex')
})

test('"users import" in production checks the complete file before it shows its only prompt', async () => {
  const { host } = new URL(service.url)
  const invalid = listOf(`external_user_id,birth_date\n${ids[0]},1984-02-30\n`, 'staff.csv')
  const refused = await machine.facescan(`users import ${invalid} -p ACME --confirm=ACME`)
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('line 2: birth_date')
  const asked = await machine.facescan(`users import ${list()} -p ACME`, {
    terminal: true,
    columns: 120,
    stdin: '3\n',
  })
  expect(asked.exitCode, asked.stderr).toBe(0)
  expect(asked.stderr).toContain(`PRODUCTION: ACME at ${host}`)
  expect(asked.stderr).toContain(`${ids.join(', ')}\n`)
  expect(asked.stderr).toContain(
    `About to import 3 users into ACME (production) at ${host}. Type 3 to confirm:`,
  )
  expect(await existing('ACME')).toEqual(ids)
})

test('the prompt of "users delete" in production shows the host, the number of users, and five IDs', async () => {
  const path = listOf(['external_user_id', ...'abcdefg', ''].join('\n'))
  const { host } = new URL(service.url)
  const asked = await machine.facescan(`users delete --users ${path} -p ACME`, {
    terminal: true,
    columns: 120,
    env: { NO_COLOR: '1' },
    stdin: 'ACME\n',
  })
  expect(asked.exitCode).toBe(12)
  expect(asked.stderr).toContain(`PRODUCTION: ACME at ${host}\nfirst users: a, b, c, d, e, and 2 more\n`)
  expect(asked.stderr).toContain(
    `About to delete 7 users and all of their data in ACME (production) at ${host}. This cannot be undone. Type 7`,
  )
  expect(asked.stderr).toContain('to confirm:')
})

test('if a list has more users than --max-users allows, "users import" refuses the list, even with --confirm', async () => {
  const line = `users import ${list()} -p ACME --confirm=ACME`
  const refused = await machine.facescan(`${line} --max-users 2`)
  expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
  expect(refused.stderr).toContain('the file has 3 users, more than --max-users 2')
  expect(await existing('ACME')).toEqual([])
  expect(await machine.facescan(`${line} --max-users 3`)).toMatchObject({ exitCode: 0 })
})

test('if a list is empty, "users delete" writes no file, but "users get" writes the file in --out', async () => {
  const deletion = await machine.facescan(
    `users delete --users ${listOf('external_user_id\n')} -p ACME-DEV --confirm=0`,
  )
  expect(deletion.exitCode, deletion.stderr).toBe(0)
  expect(readdirSync(machine.home).filter((name) => name.includes('leavers'))).toEqual(['leavers.csv'])
  const out = join(machine.home, 'out.csv')
  await machine.facescan(`users get --users ${join(machine.home, 'leavers.csv')} -p ACME-DEV --out ${out}`)
  expect(existsSync(out)).toBe(true)
})

test('"users delete" needs no confirmation for an empty list, even in production', async () => {
  const { exitCode, stderr } = await machine.facescan(
    `users delete --users ${listOf('external_user_id\n')} -p ACME`,
  )
  expect(exitCode, stderr).toBe(0)
  expect(stderr).toContain('nothing to delete')
})
