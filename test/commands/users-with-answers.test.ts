import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { confirmed } from '../bulk/send/fixture.ts'
import { clockIn, idleClock } from '../helpers/clock.ts'
import { createMachine, type Machine, type RunOptions } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

let machine: Machine

const staff = [
  'External User ID,Geboortedatum,Sex,height,weight,Department',
  '4711,01-02-1990,f,171,64,Sales',
  '4712,03-04-1985,m,,80,IT',
]

beforeEach(() => {
  machine = createMachine()
})

async function importing(lines: readonly string[], flags: readonly string[] = [], options?: RunOptions) {
  const file = join(machine.home, 'staff.csv')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const dates = ['--map', 'Geboortedatum=birth_date', '--date-format', 'DD-MM-YYYY']
  const reading = [...(lines[0]?.includes('Geboortedatum') ? dates : []), '--timezone', 'UTC']
  const words = ['users', 'import', file, '--with-answers', ...reading, '--json', '--yes', ...flags]
  const { exitCode, stdout, stderr } = await machine.facescan(words, options)
  return { exitCode, stderr, result: JSON.parse(stdout || 'null') }
}

async function read(line: string) {
  return JSON.parse((await machine.facescan(`${line} --json`)).stdout || 'null')
}

test('"users import --with-answers" creates the users and then saves the answers from the same file', async () => {
  const { exitCode, stderr, result } = await importing(staff)
  expect(exitCode, stderr).toBe(0)
  expect(result).toMatchObject({
    users: { users: 2, done: 2, failed: 0, file: join(machine.home, 'staff.users.csv') },
    answers: { status: 'finished', rows: 3, accepted: 3, rejected: 0 },
  })
  expect(await read('users get 4712')).toMatchObject({ birth_date: '1985-04-03', sex: 'M' })
  const answers = await read('answers list 4711 --all')
  const saved = answers.map((item: Record<string, unknown>) => [item['question_lookup_key'], item['answer']])
  expect(saved).toEqual([
    ['height', 171],
    ['weight', 64],
  ])
  expect(stderr).toContain('columns that are not read: Department')
  expect(stderr).not.toMatch(/not read: .*(height|Geboortedatum)/)
})

test.each([
  ['long', ['External User ID,Lookup Key,Value', '4711,height,171', '4711,weight,64', '4712,weight,80']],
  ['wide', ['External User ID,height,weight', '4711,171,', '4711,,64', '4712,,80']],
])('"users import --with-answers" creates a user only once for several rows (%s form)', async (_, lines) => {
  const { exitCode, stderr, result } = await importing(lines)
  expect(exitCode, stderr).toBe(0)
  expect(result).toMatchObject({ users: { done: 2, failed: 0 }, answers: { accepted: 3 } })
  expect(await read('answers list 4711 --all')).toHaveLength(2)
})

test('if an answer is invalid, "users import --with-answers" creates no user', async () => {
  const { exitCode, stderr } = await importing([...staff, '4713,05-06-1970,F,1e3,70,HR'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('got \\"1e3\\"')
  expect((await machine.facescan('users get 4711')).exitCode).toBe(4)
})

test('if a date is invalid, "users import --with-answers" saves no answer', async () => {
  const { exitCode } = await importing([...staff, '4713,31-31-1970,F,170,70,HR'])
  expect(exitCode).toBe(2)
  expect((await machine.facescan('users get 4711')).exitCode).toBe(4)
  expect(await read('imports list')).toEqual([])
})

test('a dry run of "users import --with-answers" shows the plans for users and answers and changes nothing', async () => {
  const { exitCode, stderr, result } = await importing(staff, ['--dry-run'])
  expect(exitCode, stderr).toBe(0)
  expect(result).toMatchObject({ users: { users: 2, done: 0 }, answers: { users: 2, answers: 3 } })
  expect(stderr).toContain('would import 2 users')
  expect(stderr).toContain('3 answers for 2 users')
  expect(existsSync(join(machine.home, 'staff.users.csv'))).toBe(false)
  expect((await machine.facescan('users get 4711')).exitCode).toBe(4)
})

test('repeating a stopped "users import --with-answers" saves the remaining answers and creates no user again', async () => {
  const posts: string[] = []
  let refuses = true
  const server = await serve(async (request) => {
    const date = { date: new Date().toUTCString() }
    const { method, target } = request
    if (target.startsWith('/v2/questions/all')) return reply(200, ['height', 'weight'], date)
    if (method === 'GET') return reply(200, { items: [], pagination: { page: 1, next_page: null } }, date)
    posts.push(target.split('?')[0] ?? '')
    if (target.startsWith('/v2/users')) {
      const user_id = `5151d12e-2f9a-4d7a-962f-fd85d23bd6${posts.length}0`
      return reply(201, { user_id, customer: 'c' }, date)
    }
    return refuses ? reply(401, { detail: 'no' }, date) : confirmed(request, date)
  })
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const confirm = ['--confirm', 'development']
  const first = await importing(staff, confirm, { env })
  expect(first.exitCode, first.stderr).toBe(3)
  refuses = false
  const second = await importing(staff, confirm, { env })
  expect(second.exitCode, second.stderr).toBe(0)
  expect(second.result).toMatchObject({ users: null, answers: { accepted: 3 } })
  expect(posts.filter((path) => path.startsWith('/v2/users'))).toHaveLength(2)
  const { stdout } = await machine.facescan('history list --json', { env })
  const details = JSON.parse(stdout).map(({ detail }: { detail: string | null }) => detail)
  expect(details).toContain('finished: 3 accepted, 0 rejected, 0 unknown')
  expect(details).toContain('2 done, 0 failed')
  expect(readFileSync(join(machine.home, 'staff.users.csv'), 'utf8').split('\n')).toHaveLength(4)
})

test('"users import --with-answers" saves the answers of new users even if the service finds these users some seconds late', async () => {
  const clock = idleClock()
  const server = await serve((request) => {
    const { method, target } = request
    const date = { date: new Date(clock.now()).toUTCString() }
    if (target.startsWith('/v2/questions/all')) return reply(200, ['height', 'weight'], date)
    if (method === 'POST' && target === '/v2/users') {
      const { external_user_id: _, ...fields } = JSON.parse(request.body)
      return reply(201, { user_id: crypto.randomUUID(), customer: 'ACME', ...fields }, date)
    }
    if (!clock.sleeps.includes(10_000)) return reply(404, { detail: 'user not found' }, date)
    return method === 'POST' ? confirmed(request, date) : reply(404, { detail: 'no answers' }, date)
  })
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const { exitCode, stderr, result } = await importing(staff, ['--confirm', 'development'], { env, clock })
  expect(exitCode, stderr).toBe(0)
  expect(result.answers).toMatchObject({ accepted: 3, rejected: 0 })
})

test('a finished "users import --with-answers" is repeated only with --again', async () => {
  await importing(staff)
  const again = await importing(staff)
  expect(again.exitCode).toBe(12)
  expect(again.stderr).toContain('already imported')
  expect(existsSync(join(machine.home, 'staff.users-2.csv'))).toBe(false)
  const reported = await importing(staff, ['--repeat-result'])
  expect(reported.result).toMatchObject({ users: null, answers: { accepted: 3, sent_now: 0 } })
  expect(reported.stderr).toContain('Imported 3 answers')
  const repeated = await importing(staff, ['--again'], { clock: clockIn(60_000) })
  expect(repeated.exitCode, repeated.stderr).toBe(0)
  expect(repeated.result.answers.accepted).toBe(3)
})

test('"users import --with-answers --save-mapping" saves the settings, even if the file was already imported and only the earlier result is reported', async () => {
  const path = (name: string) => join(machine.home, name)
  await importing(staff, ['--save-mapping', path('one.json')])
  for (const name of ['one.json', 'two.json']) {
    const { exitCode, stderr } = await importing(staff, ['--repeat-result', '--save-mapping', path(name)])
    expect(exitCode, stderr).toBe(0)
  }
  expect(readFileSync(path('two.json'), 'utf8')).toBe(readFileSync(path('one.json'), 'utf8'))
  expect(readFileSync(path('one.json'), 'utf8')).toContain('"DD-MM-YYYY"')
})

test('"users import" accepts --timezone only with --with-answers', async () => {
  const { exitCode, stderr } = await machine.facescan('users import staff.csv --timezone UTC')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('--timezone needs --with-answers')
})
