import { beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let machine: Machine
let userId: string
let scanId: string
let token: string

const user = '--external-user-id 4711'

beforeAll(async () => {
  machine = createMachine()
  const created = await machine.facescan(
    `users create ${user} --sex F --birth-date 1984-02-29 --language nl --json`,
  )
  userId = JSON.parse(created.stdout).user_id
  await machine.facescan(`sandbox scan ${user} --count 12 --days 12 --seed 7`)
  const latest = await machine.facescan(`biomarkers latest ${user} --json`)
  scanId = JSON.parse(latest.stdout)[0].face_scan_id
  token = (await machine.facescan(`token ${user}`)).stdout.trim()
})

/**
 * Commands that read data of a user. `holds` is a part of their JSON. `token` and `internal` state whether they accept an action token or a
 * user ID.
 */
const commands: { words: string; holds: object; token: boolean; internal: boolean }[] = [
  { words: 'users get', holds: { sex: 'F' }, token: false, internal: true },
  { words: 'token', holds: { token: expect.stringMatching(/^ey/) }, token: false, internal: true },
  { words: 'scan-url', holds: { url: expect.stringContaining('.localhost:') }, token: false, internal: true },
  {
    words: 'dashboard-url',
    holds: { url: expect.stringContaining('language=nl') },
    token: false,
    internal: true,
  },
  { words: 'biomarkers list --limit 3', holds: { length: 3 }, token: true, internal: true },
  { words: 'biomarkers latest --count 2', holds: { length: 2 }, token: true, internal: true },
  { words: 'biomarkers get SCAN', holds: { heart_rate: expect.any(Number) }, token: true, internal: true },
  {
    words: 'metrics',
    holds: { metrics: expect.objectContaining({ sleep_quality: expect.anything() }) },
    token: false,
    internal: false,
  },
  {
    words: 'wellbeing',
    holds: { status_label: expect.stringMatching(/^[ULNG]{3}$/) },
    token: true,
    internal: true,
  },
  {
    words: 'summary mental',
    holds: { feedback: expect.any(String), tip: expect.any(String) },
    token: true,
    internal: true,
  },
  {
    words: 'recommendations',
    holds: { recommendations: expect.arrayContaining([expect.objectContaining({ relevance: 1 })]) },
    token: true,
    internal: true,
  },
  { words: 'answers list', holds: { length: 0 }, token: false, internal: false },
  {
    words: 'widgets biomarker heart_rate --face-scan-id SCAN',
    holds: { data: expect.objectContaining({ unit: 'bpm' }) },
    token: true,
    internal: true,
  },
  {
    words: 'widgets metric sleep_quality',
    holds: { data: expect.objectContaining({ locked: false }) },
    token: true,
    internal: true,
  },
  { words: 'widgets graph heart_rate', holds: { data: expect.any(Array) }, token: true, internal: true },
]

describe.each(commands)('$words', ({ words, holds, token: takesToken, internal }) => {
  const line = () => words.replace('SCAN', scanId)

  test(`"${words}" accepts an external user ID`, async () => {
    const result = await machine.facescan(`${line()} ${user} --json`)
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject(holds)
  })

  test(
    internal ? `"${words}" accepts a user ID` : `"${words}" refuses a user ID without an external user ID`,
    async () => {
      const result = await machine.facescan(`${line()} --user-id ${userId} --json`)
      expect(result.exitCode).toBe(internal ? 0 : 2)
      if (internal) expect(JSON.parse(result.stdout)).toMatchObject(holds)
      else expect(JSON.parse(result.stderr).error.message).toContain('pass the external user ID')
    },
  )

  test(
    takesToken
      ? `"${words}" accepts an action token`
      : `"${words}" refuses an action token before anything is sent`,
    async () => {
      const result = await machine.facescan(`${line()} --action-token - --json`, { stdin: token })
      expect(result.exitCode).toBe(takesToken ? 0 : 2)
      if (takesToken) expect(JSON.parse(result.stdout)).toMatchObject(holds)
    },
  )

  test(`"${words}" exits with 4 for an unknown user and with 3 for a wrong key`, async () => {
    const unknown = await machine.facescan(`${line()} --external-user-id nobody --json`)
    expect(unknown).toMatchObject({ exitCode: 4, stdout: '' })
    const sandbox = await startSandbox({ strict: true, database: `${machine.home}/state/sandbox.db` })
    const env = { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const wrong = await machine.facescan(`${line()} ${user} --json`, { env })
    await sandbox.close()
    expect(wrong).toMatchObject({ exitCode: 3, stdout: '' })
    expect(
      JSON.parse(wrong.stderr.split('\n').find((text) => text.startsWith('{"error"')) ?? '').error.hint,
    ).toContain('FACESCAN_API_KEY')
  })
})

test('an action token in the environment selects the user and cannot be used with a user flag', async () => {
  const env = { FACESCAN_ACTION_TOKEN: token }
  expect(await machine.facescan('wellbeing --json', { env })).toMatchObject({ exitCode: 0 })
  const both = await machine.facescan(`wellbeing ${user}`, { env })
  expect(both.exitCode).toBe(2)
  expect(both.stderr).toContain('FACESCAN_ACTION_TOKEN already identifies the user')
})

test('the error for an expired action token shows how to create a new token', async () => {
  const now = () => Date.now() + 13 * 3_600_000
  const clock = { now, monotonic: now, sleep: async () => undefined }
  const late = await machine.facescan('wellbeing', { env: { FACESCAN_ACTION_TOKEN: token }, clock })
  expect(late.exitCode).toBe(3)
  expect(late.stderr).toMatch(
    /The action token from FACESCAN_ACTION_TOKEN expired at \d{4}-\S+Z\. Create a new token: facescan token$/m,
  )
})

test('an action token on the command line causes an error that does not contain the token', async () => {
  const result = await machine.facescan(`wellbeing --action-token ${token}`)
  expect(result.exitCode).toBe(2)
  expect(result.stderr).not.toContain(token)
})

test.each([
  [40, 'omits', /^Hypertension +\d/m],
  [56, 'omits', /^Hypertension +[━╸─]+ +\d/m],
  [57, 'prints', /^Mental stress \(100 is little stress\) +[\d.]+ +\d+$/m],
])('on a terminal with %d columns, "metrics" %s the meaning of a score of 100', async (columns, _, line) => {
  const { stdout } = await machine.facescan('metrics 4711', {
    terminal: true,
    columns,
    env: { NO_COLOR: '1' },
  })
  expect(stdout).toMatch(/^Metric +Score +Confidence %\n/m)
  expect(stdout).toMatch(line)
})

test('if a user has no scans, "metrics" prints null and a note, and exits with 0', async () => {
  await machine.facescan('users create --external-user-id fresh')
  const json = await machine.facescan('metrics --external-user-id fresh --json')
  expect(json).toMatchObject({ exitCode: 0, stdout: 'null\n' })
  const table = await machine.facescan('metrics --external-user-id fresh')
  expect(table).toMatchObject({ exitCode: 0, stdout: '' })
  expect(table.stderr).not.toBe('')
})

test.each(['energy_sleep', 'sleep_energy', 'energy-sleep'])(
  '"summary" accepts the dimension energy_sleep as %s',
  async (profile) => {
    const result = await machine.facescan(`summary ${profile} ${user} --language de --json`)
    expect(JSON.parse(result.stdout).feedback).toEqual(expect.any(String))
  },
)

test('"summary" without a dimension prints all dimensions', async () => {
  const { stdout } = await machine.facescan('summary 4711 --json')
  const dimensions = JSON.parse(stdout).map(({ dimension }: { dimension: string }) => dimension)
  expect(dimensions).toEqual(['physical', 'mental', 'energy_sleep'])
  const { stdout: rows } = await machine.facescan('summary 4711 -o csv')
  expect(rows.match(/^(physical|mental|energy_sleep),/gm)).toHaveLength(3)
})

test('"summary" prints the complete text on a terminal', async () => {
  const [first] = JSON.parse((await machine.facescan('summary 4711 --json')).stdout)
  const { stdout } = await machine.facescan('summary 4711', { terminal: true, env: { NO_COLOR: '1' } })
  expect(stdout).not.toContain('…')
  for (const word of first.feedback.split(' ')) expect(stdout).toContain(word)
})

test('if the arguments of "summary" are swapped, the error contains the command with the correct order', async () => {
  const one = await machine.facescan('summary 4711 mental --json')
  expect(JSON.parse(one.stdout)).toMatchObject({ dimension: 'mental', tip: expect.any(String) })
  const { exitCode, stderr } = await machine.facescan('summary mental 4711 --language de')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('use: facescan summary 4711 mental --language=de\n')
})

// spec 5:8
test('"summary" creates a new action token each time it runs (spec 5)', async () => {
  const line = `summary mental ${user} --debug`
  for (const { stderr } of [await machine.facescan(line), await machine.facescan(line)]) {
    expect(stderr.match(/→ .*/g)).toEqual([
      expect.stringContaining('/v2/users/authenticate'),
      expect.stringContaining('/v2/userprofiles/summary/'),
    ])
  }
})

// spec 9:4
test('a command that uses a deprecated endpoint prints one warning', async () => {
  const result = await machine.facescan(`widgets metric sleep_quality ${user}`)
  expect(result.stderr.match(/will remove/g)).toHaveLength(1)
})

test.each([
  ['graph heart_rat', 'unknown metric or biomarker "heart_rat"; did you mean "heart_rate"?'],
  ['metric sleep_qualty', 'unknown metric "sleep_qualty"; did you mean "sleep_quality"?'],
  [
    'biomarker heart_rat --face-scan-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    'unknown biomarker "heart_rat"; did you mean "heart_rate"?',
  ],
])('the error of "widgets %s" suggests a similar name', async (words, message) => {
  const { exitCode, stderr } = await machine.facescan(`widgets ${words} ${user}`)
  expect(exitCode).toBe(6)
  expect(stderr).toContain(`error: ${message}\n`)
})

test('"widgets graph" prints relative times on a terminal', async () => {
  const line = `widgets graph heart_rate ${user}`
  const { stdout } = await machine.facescan(line, { terminal: true, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/^\d days ago /m)
  expect(stdout).not.toContain('T00:00:00')
  expect((await machine.facescan(line)).stdout).toContain('T00:00:00')
})

test('"ce-label" writes a PNG to stdout if stdout is not a terminal', async () => {
  const result = await machine.facescan('ce-label')
  expect(result.bytes.subarray(1, 4).toString()).toBe('PNG')
})

test('"ce-label" does not write an image to a terminal', async () => {
  const result = await machine.facescan('ce-label', { terminal: true })
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain('facescan ce-label --out ce-label.png')
})

test('an invalid time range is refused before anything is sent', async () => {
  const result = await machine.facescan(
    `biomarkers list ${user} --start 2026-03-02 --end 2026-03-01 --limit 0`,
  )
  expect(result.exitCode).toBe(2)
  expect(result.stderr).toContain('--start must be before --end')
  expect(result.stderr).toContain('--limit: "0" is not valid (must be 1 or more)')
})

test('"biomarkers list" prints one row per scan, newest first', async () => {
  const list = (flags: string) =>
    machine.facescan(`biomarkers list ${user} ${flags}`, { terminal: true, env: { NO_COLOR: '1' } })
  for (const flags of ['', '--limit 3', '--start 2020-01-01']) {
    const { stdout } = await list(flags)
    expect(stdout).toMatch(
      /^Face scans of user 4711\n\nWhen +Heart bpm +Breaths\/min +HRV ms +Resonance % +Sys mmHg +Dia mmHg\n/,
    )
    expect(stdout).toContain('Columns not shown: Face scan.')
  }
  expect((await list('--all')).stderr).toBe('')
  const limited = await machine.facescan(`biomarkers list ${user} --limit 2 --json`)
  const newest = await machine.facescan(`biomarkers list ${user} --limit 2 -o table`)
  const all = JSON.parse((await machine.facescan(`biomarkers list ${user} --all --json`)).stdout)
  expect(JSON.parse(limited.stdout)).toEqual(all.slice(0, 2))
  expect(newest.stdout).toContain(all[0].face_scan_id)
})

test('"ce-label --json" prints one JSON document that contains the image', async () => {
  const { stdout } = await machine.facescan('ce-label --json')
  const { base64, ...facts } = JSON.parse(stdout)
  const { bytes } = await machine.facescan('ce-label')
  expect(facts).toEqual({ content_type: 'image/png', bytes: bytes.length, file: null })
  expect(Buffer.from(base64, 'base64').equals(bytes)).toBe(true)
})

test('if --json has a path, only the selected part is printed, and an unknown path is refused before anything is sent', async () => {
  const { stdout } = await machine.facescan('metrics 4711 --json=metrics.sleep_quality.score,last_update')
  expect(JSON.parse(stdout)).toEqual({
    metrics: { sleep_quality: { score: expect.any(Number) } },
    last_update: expect.any(String),
  })
  const flat = await machine.facescan('metrics 4711 --json=metric,score')
  expect(JSON.parse(flat.stdout)).toHaveLength(6)
  const unknown = await machine.facescan('metrics nobody --json=metrics.sleep')
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' })
})

test.each([
  ['summary 4711 mental', 'GET', '/v2/userprofiles/summary/mental?language=en'],
  ['widgets metric 4711 sleep_quality', 'POST', '/v2/widgets/metric'],
  ['wellbeing --user-id USER', 'GET', '/v2/userprofiles/wellbeing'],
])('"%s --dry-run" shows the request that the command would send', async (line, method, path) => {
  const { exitCode, stdout } = await machine.facescan(`${line.replace('USER', userId)} --dry-run --json`)
  expect(exitCode).toBe(0)
  const planned = JSON.parse(stdout)
  expect(planned).toMatchObject({ method, url: expect.stringContaining(path) })
  expect(planned.headers.authorization).toBe('Token ***')
})

test('--dry-run with --json=FIELD prints a field of the request', async () => {
  const read = async (fields: string) =>
    JSON.parse((await machine.facescan(`users get 4711 --dry-run --json=${fields}`)).stdout)
  expect(await read('method')).toEqual({ method: 'GET' })
  expect(await read('language')).toMatchObject({ method: 'GET', url: expect.any(String), body: null })
  expect((await machine.facescan('users get 4711 --dry-run --json=nope')).exitCode).toBe(2)
})

test('on a terminal, the user is shown above health data, and "users get" shows the entered ID', async () => {
  for (const words of [
    'metrics 4711',
    'wellbeing 4711',
    'biomarkers latest 4711',
    'biomarkers compare 4711',
    'biomarkers list 4711 --chart',
  ]) {
    const { stdout } = await machine.facescan(words, { terminal: true })
    expect(stdout, words).toMatch(/^\x1b\[1m[A-Z][a-z ]+ of user 4711\x1b/)
  }
  const { stdout } = await machine.facescan('users get 4711', { terminal: true })
  expect(stdout).toMatch(/External user ID\S* +4711 \(as entered; the service does not return it\)$/m)
  expect((await machine.facescan('users get 4711')).stdout).not.toContain('4711')
})

test('the hint after the unknown flag --action-token-file names --action-token', async () => {
  const { exitCode, stderr } = await machine.facescan('metrics 4711 --action-token-file token.txt')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('hint: Pass the file that contains the token with --action-token FILE')
})
