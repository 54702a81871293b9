import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

let machine: Machine
const user = '--external-user-id 4711'

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan(`users create ${user}`)
})

test('"answers list" prints the answer that was saved with "answers save"', async () => {
  const saved = await machine.facescan(
    `answers save average_sleep_hours=4 ${user} --timezone Europe/Amsterdam --json`,
  )
  expect(JSON.parse(saved.stdout)).toMatchObject([{ lookup_key: 'average_sleep_hours', value: 4 }])
  const listed = await machine.facescan(`answers list ${user} --json`)
  expect(JSON.parse(listed.stdout)).toMatchObject([{ question_lookup_key: 'average_sleep_hours', answer: 4 }])
})

test('if two "answers save" commands have the same process ID, each command leaves a record for later imports', async () => {
  const save = (value: number) => machine.facescan(`answers save weight=${value} ${user} --timezone UTC`)
  expect((await save(70)).exitCode).toBe(0)
  expect((await save(71)).exitCode).toBe(0)
  const writers = join(machine.home, 'state', 'writers')
  const marks = readdirSync(writers, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  expect(marks).toHaveLength(2)
})

// spec 4.5:6
test('"answers save" with an action token saves the answer for the user of the token (spec 4.5)', async () => {
  const token = (await machine.facescan(`token ${user}`)).stdout.trim()
  const line = 'answers save smoking=0 --timezone UTC --json'
  const saved = await machine.facescan(`${line} --action-token -`, { stdin: token })
  expect(saved.exitCode, saved.stderr).toBe(0)
  expect(JSON.parse(saved.stdout)).toMatchObject([{ lookup_key: 'smoking', value: 0 }])
  const fromEnvironment = await machine.facescan(line, { env: { FACESCAN_ACTION_TOKEN: token } })
  expect(JSON.parse(fromEnvironment.stdout)).toEqual(JSON.parse(saved.stdout))
  const listed = await machine.facescan(`answers list ${user} --json`)
  expect(JSON.parse(listed.stdout)).toHaveLength(2)
})

test.each(['4711 weight=72 height=181', 'weight=72 height=181 --external-user-id 4711'])(
  '"answers save %s" saves the weight and the height with one request',
  async (words) => {
    const { stdout, stderr } = await machine.facescan(`answers save ${words} --timezone UTC -o csv --debug`)
    expect(stdout).toMatch(/^lookup_key,value,user_id\r\nweight,72,.*\r\nheight,181,/)
    expect(stderr.match(/POST /g)).toHaveLength(1)
    expect(stderr).toContain('Saved weight 72, height 181 for user 4711')
  },
)

test('"answers save" refuses several values for one lookup key', async () => {
  const ran = await machine.facescan('answers save 4711 weight=72 height=181 weight=73 --timezone UTC')
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ran.stderr).toContain('error: weight has several values; pass one value\n')
  expect((await machine.facescan('answers list 4711 --all --json')).stdout.trim()).toBe('[]')
})

test('"answers save" accepts an external user ID that contains an equals sign only after --external-user-id', async () => {
  await machine.facescan('users create a=1')
  const { exitCode } = await machine.facescan('answers save weight=72 --external-user-id a=1 --timezone UTC')
  expect(exitCode).toBe(0)
  const refused = await machine.facescan('answers save a=1 weight=72 --timezone UTC')
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('user ID is missing')
})

test.each([
  ['weight 80 4711', '4711 weight=80 --timezone=UTC'],
  ['4711 weight 80', '4711 weight=80 --timezone=UTC'],
  ['weight 80 --external-user-id 4711', 'weight=80 --external-user-id=4711 --timezone=UTC'],
  ['weight 80', 'weight=80 --timezone=UTC'],
  ['weight=80 height=181 4711', '4711 weight=80 height=181 --timezone=UTC'],
])('"answers save %s" exits with 2 and suggests the arguments in the correct order', async (words, next) => {
  const { exitCode, stderr } = await machine.facescan(`answers save ${words} --timezone UTC`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`the arguments are in the wrong order; use: facescan answers save ${next}\n`)
})

test('"answers list --all" reads all pages', async () => {
  const answers = Array.from({ length: 120 }, (_, index) => ({
    lookup_key: 'weight',
    value: index,
    timezone: 'UTC',
  }))
  const stdin = JSON.stringify(answers)
  const sent = await machine.facescan('api POST /v2/questions/answer/many?external_user_id=4711 --body -', {
    stdin,
  })
  expect(sent.exitCode).toBe(0)
  const first = await machine.facescan(`answers list ${user} --json`)
  expect(JSON.parse(first.stdout).length).toBeLessThan(120)
  expect(first.stderr).toContain('--all')
  const all = await machine.facescan(`answers list ${user} --all --json`)
  const values = JSON.parse(all.stdout).map(({ answer }: { answer: number }) => answer)
  expect(values.toSorted((a: number, b: number) => a - b)).toEqual(answers.map(({ value }) => value))
})

// spec 4.5:7
test('"answers list" exits with 10 if the service returns the same page twice', async () => {
  const answers = Array.from({ length: 120 }, (_, index) => ({
    lookup_key: 'weight',
    value: index,
    timezone: 'UTC',
  }))
  await machine.facescan('api POST /v2/questions/answer/many?external_user_id=4711 --body -', {
    stdin: JSON.stringify(answers),
  })
  const all = await machine.facescan(`answers list ${user} --all --page-parameter seite --json`)
  expect(all.exitCode).toBe(10)
  expect(JSON.parse(all.stdout).length).toBeGreaterThan(0)
  expect(all.stderr).toContain('the same page again')
})

test('"answers list --all" requests no further page after a page without answers', async () => {
  let page = 1
  const service = await serve(() => {
    const pagination = { page, page_size: 50, total_pages: 9, total_items: 0, next_page: ++page }
    return reply(200, { items: [], pagination })
  })
  const remote = createMachine({ FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: service.url })
  const all = await remote.facescan(`answers list ${user} --all --json`)
  expect(all).toMatchObject({ exitCode: 0, stdout: '[]\n' })
  expect(service.requests).toHaveLength(1)
})

test('"answers save" reports an invalid value and an invalid time zone in one error', async () => {
  const result = await machine.facescan(`answers save weight=1.5 ${user} --timezone Europe/Amsterdm`)
  expect(result.exitCode).toBe(2)
  expect(result.stderr).toContain('lookup-key=value: weight must be a whole number, got "1.5"')
  expect(result.stderr).toContain(
    '"Europe/Amsterdm" is not an IANA time zone name; did you mean "Europe/Amsterdam"?',
  )
})

test.each([
  ['Asia/Kolkatta', 'Asia/Kolkata'],
  ['Europe/Kyivv', 'Europe/Kyiv'],
  ['UTCC', 'UTC'],
])('the error for the misspelled time zone %s suggests %s', async (typed, name) => {
  const { stderr } = await machine.facescan(`answers save weight=80 ${user} --timezone ${typed}`)
  expect(stderr).toContain(`"${typed}" is not an IANA time zone name; did you mean "${name}"?`)
})

test('the error for an unknown lookup key suggests a similar key', async () => {
  const result = await machine.facescan(`answers save wieght=80 ${user} --timezone UTC`)
  expect(result.exitCode).toBe(6)
  expect(result.stderr).toContain('error: unknown lookup key "wieght"; did you mean "weight"?\n')
})
