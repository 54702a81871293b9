import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let sandbox: Sandbox
let machine: Machine
/** Responses that replace the responses of the sandbox, by path. */
const replaced = new Map<string, () => Promise<Response> | Response>()
const requested: string[] = []

beforeAll(async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'facescan-overview-')), 'service.sqlite')
  sandbox = await startSandbox({
    strict: true,
    database,
    faults: (handle) => async (request) => {
      const { pathname } = new URL(request.url)
      requested.push(pathname)
      return (await replaced.get(pathname)?.()) ?? handle(request)
    },
  })
  const env = { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key }
  machine = createMachine(env)
  await machine.facescan('users create 4711 --sex F --birth-date 1984-02-29 --language nl')
  await machine.facescan('answers save weight=72 --external-user-id 4711 --timezone UTC')
  await machine.facescan(`sandbox scan 4711 --db ${database} --count 5 --days 5 --seed 7`)
  await machine.facescan('users create empty')
})

afterAll(() => sandbox.close())
beforeEach(() => {
  replaced.clear()
  requested.length = 0
})

test('"overview --json" contains the response of each endpoint unchanged', async () => {
  const { user, biomarkers, metrics, wellbeing, questions, answers, recommendations, problems } = JSON.parse(
    (await machine.facescan('overview 4711 --json')).stdout,
  )
  const json = async (line: string) => JSON.parse((await machine.facescan(`${line} --json`)).stdout)
  expect(user).toEqual(await json('users get 4711'))
  expect(biomarkers).toEqual(await json('api GET /v2/face-scans/?external_user_id=4711&order=desc&count=100'))
  expect(metrics).toEqual(await json('metrics 4711'))
  expect(wellbeing).toEqual(await json('wellbeing 4711'))
  expect(questions).toEqual(await json('answers keys'))
  expect(answers).toEqual(await json('answers list 4711'))
  expect(recommendations).toEqual(await json('recommendations 4711'))
  expect(problems).toEqual([])
})

test('"overview" accepts --json=metrics.NAME as a short form of --json=metrics.metrics.NAME', async () => {
  const read = async (path: string) =>
    JSON.parse((await machine.facescan(`overview 4711 --json=${path}`)).stdout)
  const { metrics } = JSON.parse((await machine.facescan('metrics 4711 --json')).stdout)
  const { score } = metrics.sleep_quality
  expect(await read('metrics.sleep_quality.score')).toEqual({ metrics: { sleep_quality: { score } } })
  expect(await read('metrics.metrics.sleep_quality.score')).toEqual({
    metrics: { metrics: { sleep_quality: { score } } },
  })
})

test('"overview" shows the user, scan, metrics, and missing answers on a screen of 80 by 24', async () => {
  const { stdout, exitCode } = await machine.facescan('overview 4711', { terminal: true })
  const lines = stdout.split('\n')
  expect(exitCode).toBe(0)
  expect(lines.length).toBeLessThan(24)
  expect(Math.max(...lines.map((line) => line.replace(/\x1b\[\d+m/g, '').length))).toBeLessThanOrEqual(80)
  expect(stdout).toMatch(/User 4711.*: female, 4\d years \(born 1984-02-29\), language nl/)
  expect(stdout).toMatch(/Heart bpm +[\d.]+ +[▲▼=].*Energy balance/)
  expect(stdout).not.toContain('best: 100')
  expect(stdout).toContain('the average of 4 scans in the 30 days before')
  expect(stdout).toContain('1 of 13 questions answered; missing: height')
  expect(stdout).toContain('facescan recommendations 4711')
})

test('"overview" lists as many missing answers as fit on three lines, and lists all with --no-truncate', async () => {
  const read = async (line: string, columns: number) => {
    const { stdout } = await machine.facescan(line, { terminal: true, columns })
    return stdout
      .replace(/\x1b\[\d+m/g, '')
      .match(/Answers +(.*(?:\n {10,}.*)*)/)?.[1]
      ?.replaceAll(/\s+/g, ' ')
  }
  const all = /^1 of 13 .*missing: height, .*things_your_way_last_month, .*, smoking$/
  expect(await read('overview 4711', 80)).toMatch(/missing: height, .*, and \d more \(--no-truncate\)$/)
  expect(await read('overview 4711', 140)).toMatch(all)
  expect(await read('overview 4711 --no-truncate', 80)).toMatch(all)
})

test('the first column of "overview" in a pipe or as CSV is the external user ID, and is empty with --user-id', async () => {
  const start = async (line: string) =>
    (await machine.facescan(line)).stdout.split('\n').map((row) => row.split(/[,\t]/).slice(0, 2))
  const { user_id } = JSON.parse((await machine.facescan('users get 4711 --json')).stdout)
  const [titles, values] = await start('overview 4711 -o csv')
  expect([titles, values]).toEqual([
    ['external_user_id', 'user_id'],
    ['4711', user_id],
  ])
  expect((await start('overview 4711'))[1]).toEqual(['4711', user_id])
  expect((await start(`overview --user-id ${user_id} -o csv`))[1]).toEqual(['', user_id])
})

test('if ACCESSIBLE is 1, "overview" prints its tables one below the other', async () => {
  const env = { ACCESSIBLE: '1' }
  const { stdout } = await machine.facescan('overview 4711', { terminal: true, env })
  expect(stdout).toMatch(/Heart bpm.*(down|up|=).*\n[\s\S]*\nEnergy balance/)
})

test('"overview" prints the sections that the API key can read, reports the refused sections, and exits with 5', async () => {
  replaced.set('/v2/metrics', () => Response.json({ detail: 'no permission' }, { status: 403 }))
  replaced.set('/v2/recommendations', () => Response.json({ detail: 'broken' }, { status: 500 }))
  const json = await machine.facescan('overview 4711 --json --retries 0')
  const { metrics, wellbeing, problems } = JSON.parse(json.stdout)
  expect(metrics).toBeNull()
  expect(wellbeing.mental).toEqual(expect.any(Number))
  expect(problems).toMatchObject([
    { part: 'metrics', code: 'forbidden', status: 403 },
    { part: 'recommendations', code: 'server', status: 500 },
  ])
  expect(json.exitCode).toBe(5)
  const screen = await machine.facescan('overview 4711 --retries 0', { terminal: true })
  expect(screen.stdout).toMatch(/Metrics.*permission/)
  expect(screen.stdout).toContain('Heart bpm')
  expect(screen.exitCode).toBe(5)
})

test.each(['/v2/metrics', '/v2/recommendations', '/v2/questions/all'])(
  'if the service returns 404 for %s of a known user, "overview" prints the other parts and exits with 4',
  async (path) => {
    replaced.set(path, () => Response.json({ detail: 'nothing here' }, { status: 404 }))
    const { stdout, stderr, exitCode } = await machine.facescan('overview 4711', { terminal: true })
    expect(exitCode).toBe(4)
    expect(stderr).not.toContain('users create')
    expect(stdout).toMatch(/Heart bpm/)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(404): nothing here')
  },
)

test('if the lookup keys cannot be read, "overview" shows the number of answers and the reason', async () => {
  replaced.set('/v2/questions/all', () => Response.json({ detail: 'no keys' }, { status: 403 }))
  const { stdout } = await machine.facescan('overview 4711', { terminal: true })
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/1 question answered; missing answers: .*\(403\): no keys/)
})

test('"overview" suggests the list of scans if the scans could not be read', async () => {
  replaced.set('/v2/face-scans/', () => Response.json({ detail: 'broken' }, { status: 500 }))
  const { stdout, exitCode } = await machine.facescan('overview 4711 --retries 0', { terminal: true })
  expect(exitCode).toBe(8)
  expect(stdout).toMatch(/Next.*facescan biomarkers list 4711/)
})

test('on a screen of 80 by 24, "overview" of the sandbox states that 100 is the best score', async () => {
  const local = createMachine()
  await local.facescan('users create 4711 --profile SANDBOX-DEV')
  await local.facescan('sandbox scan 4711 --count 5 --days 5 --seed 7')
  const { stdout } = await local.facescan('overview 4711', { terminal: true })
  const lines = stdout.replace(/\x1b\[\d+m/g, '').split('\n')
  expect(lines.join('\n')).toMatch(/Metric \(best: 100\) +Score/)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('"overview" wraps a long suggested command with a backslash', async () => {
  const local = createMachine()
  const id = 'an-external-user-id-of-a-system-4711'
  await local.facescan(`users create ${id}`)
  const { stdout } = await local.facescan(`overview ${id} --profile SANDBOX-DEV`, { terminal: true })
  const text = stdout.replace(/\x1b\[\d+m/g, '')
  expect(text).toMatch(new RegExp(`Next +facescan scan-url ${id} \\\\\\n +--profile SANDBOX-DEV\\n`))
})

test('the last change in "overview" is a change to the user in the same service, and not a failed attempt', async () => {
  const lastChange = async () =>
    JSON.parse((await machine.facescan('overview 4711 --json=changes.command')).stdout).changes
  expect(await lastChange()).toEqual([{ command: 'answers save' }])
  expect((await machine.facescan('users create 4711')).exitCode).toBe(6)
  expect(await lastChange()).toEqual([{ command: 'answers save' }])
  const other = await startSandbox({
    database: join(mkdtempSync(join(tmpdir(), 'facescan-other-')), 'service.sqlite'),
  })
  const env = { FACESCAN_BASE_URL: other.url, FACESCAN_API_KEY: other.keys.development.key }
  expect((await machine.facescan('users create 4711', { env })).exitCode).toBe(0)
  await other.close()
  expect(await lastChange()).toEqual([{ command: 'answers save' }])
})

test('if a user has no data, "overview" exits with 0 and suggests a scan link', async () => {
  const { stdout, exitCode } = await machine.facescan('overview empty', { terminal: true })
  expect(exitCode).toBe(0)
  expect(stdout).toContain('no face scans')
  expect(stdout).toContain('facescan scan-url empty')
  expect(stdout).toMatch(/User empty.*: sex unknown, age unknown, language en/)
})

test('"overview" for an unknown user exits with 4 and prints no part of the overview', async () => {
  const ran = await machine.facescan('overview nobody --json')
  expect(ran).toMatchObject({ exitCode: 4, stdout: '' })
})

test('"overview" with an action token sends no request that needs the API key', async () => {
  const token = (await machine.facescan('token 4711')).stdout.trim()
  requested.length = 0
  const env = { FACESCAN_ACTION_TOKEN: token, FACESCAN_API_KEY: '' }
  const { stdout, exitCode } = await machine.facescan('overview', { terminal: true, env })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/Metrics.*needs the API key/)
  expect(requested.sort()).toEqual(['/v2/face-scans/', '/v2/recommendations', '/v2/userprofiles/wellbeing'])
})

test('"overview" sends all requests before it waits for the first response', async () => {
  let open = 0
  let mostOpen = 0
  const all = 7
  const paths = [
    'users',
    'face-scans/',
    'metrics',
    'userprofiles/wellbeing',
    'questions/all',
    'questions/answered',
  ]
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  for (const path of [...paths, 'recommendations'])
    replaced.set(`/v2/${path}`, async () => {
      open += 1
      mostOpen = Math.max(mostOpen, open)
      if (open === all) release()
      await released
      return Response.json({ detail: 'stop' }, { status: 403 })
    })
  const { exitCode } = await machine.facescan('overview 4711 --timeout 20')
  expect(mostOpen).toBe(all)
  expect(exitCode).toBe(5)
})

test('with an action token, "overview" suggests commands with the path of the token file', async () => {
  const file = join(machine.home, 'token')
  writeFileSync(file, (await machine.facescan('token 4711')).stdout, { mode: 0o600 })
  const { stdout } = await machine.facescan(['overview', '--action-token', file], { terminal: true })
  const text = stdout.replace(/ \\\n/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain(`: facescan recommendations --action-token ${file}`)
  expect(text).toContain(`facescan biomarkers list --action-token ${file}`)
})

test.each([
  [[1], 'biomarkers list 4711'],
  [[1, 40], 'biomarkers compare 4711 --days 30'],
  [[40], 'scan-url 4711'],
])('if the scans are %j days old, "overview" suggests "facescan %s"', async (ages, command) => {
  const scans = ages.map((days) => ({
    timestamp: new Date(Date.now() - days * 86_400_000).toISOString(),
    heart_rate: 60,
  }))
  replaced.set('/v2/face-scans/', () => Response.json(scans))
  const { stdout } = await machine.facescan('overview 4711 --json')
  expect(JSON.parse(stdout).biomarkers).toHaveLength(ages.length)
  expect((await machine.facescan('overview 4711 --color never', { terminal: true })).stdout).toMatch(
    new RegExp(`Next +facescan ${command}\\n`),
  )
})
