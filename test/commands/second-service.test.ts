import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { type SecondService, startSecondService } from '../helpers/second-service.ts'

let service: SecondService
let machine: Machine
let folder: string

beforeAll(async () => {
  service = await startSecondService()
  folder = mkdtempSync(join(tmpdir(), 'facescan-second-'))
  writeFileSync(join(folder, 'ca.pem'), service.authority)
  machine = createMachine({
    FACESCAN_BASE_URL: service.url,
    SSL_CERT_FILE: join(folder, 'ca.pem'),
  })
  const added = await machine.facescan(
    `profiles add SECOND-DEV --key-stdin --base-url ${service.url} --store file`,
    {
      stdin: service.key,
    },
  )
  expect(added.exitCode, added.stderr).toBe(0)
  machine.env['FACESCAN_PROFILE'] = 'SECOND-DEV'
  for (const id of ['4711', 'empty']) await run(`users create ${id} --sex F --birth-date 1984-02-29`)
})

afterAll(() => service.close())

async function run(line: string, stdin = ''): Promise<{ stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await machine.facescan(line, { stdin })
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }, line).toEqual({ exitCode: 0, stderr: '' })
  return { stdout, stderr }
}

const json = async (line: string) => JSON.parse((await run(`${line} --json --quiet`)).stdout)

test('users can be created, read, updated, and deleted on a second implementation of the service', async () => {
  const created = await json('users create 4712 --sex M')
  expect(created).toMatchObject({ sex: 'M', customer: 'Second' })
  expect(await json('users create 4712 --if-not-exists')).toMatchObject({ user_id: created.user_id })
  expect(await json('users update 4712 --language nl')).toMatchObject({ language: 'nl', sex: 'M' })
  expect(await json(`users get --user-id ${created.user_id}`)).toMatchObject({ language: 'nl' })
  await run('users delete 4712 --yes')
  const { exitCode, stderr } = await machine.facescan('users get 4712')
  expect(exitCode).toBe(4)
  expect(stderr).toContain('4712')
})

test('"biomarkers list --all" reads all scans from a service that returns three scans per response', async () => {
  const scans: { timestamp: string; heart_rate: number }[] = await json('biomarkers list 4711 --all')
  const times = scans.map(({ timestamp }) => timestamp)
  expect(scans).toHaveLength(10)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(await json('biomarkers list 4711 --all --order asc')).toHaveLength(10)
  expect(
    (await run('biomarkers list 4711 --limit 2 --no-header --quiet')).stdout.trim().split('\n'),
  ).toHaveLength(2)
  const [latest] = await json('biomarkers latest 4711')
  expect(latest.timestamp).toBe(times[0])
  const one = await json(`biomarkers get ${latest.face_scan_id} --external-user-id 4711`)
  expect(one).toEqual(latest)
})

test.each([
  ['biomarkers list empty', []],
  ['biomarkers latest empty', []],
  ['metrics empty', null],
  ['answers list empty', []],
  ['recommendations empty', { recommendations: [], count: 2 }],
])('"%s" accepts an empty result from another implementation of the service', async (line, expected) => {
  expect(await json(line)).toEqual(expected)
})

test.each([
  ['metrics 4711 --jq .metrics.energy_balance.score', '54\n'],
  ['wellbeing 4711 --jq .energy_sleep.score', '51\n'],
  ['summary mental --external-user-id 4711 --jq .feedback', 'Well done.\n'],
  ['answers keys --no-header', 'smoking\nheight\nweight\nnew_question\n'],
  ['dashboard-url 4711', 'https://d.example/?language=en&action_token=a.b.c\n'],
  ['recommendations 4711 --jq .recommendations[].relevance', '1\n2\n'],
  ['widgets graph heart_rate --external-user-id 4711 --title Heart --jq .config.title', 'Heart\n'],
])('"%s" prints the result from another implementation of the service', async (line, expected) => {
  expect((await run(line)).stdout).toBe(expected)
})

test('"scan-url" and "token" work with another implementation of the service, which accepts the token', async () => {
  expect((await run('scan-url 4711')).stdout).toMatch(/^https:\/\/a\.example\/go\?t=/)
  const { stdout: token } = await run('token 4711')
  expect(JSON.parse((await run('wellbeing --action-token - --json', token)).stdout)).toMatchObject({
    mental: 50,
  })
})

test('"answers save", "answers import", and "answers list" work with another implementation of the service', async () => {
  await run('users create answers')
  const rows = [180, 181, 182, 183].map((value) => `answers,height,${value},UTC\n`).join('')
  const file = join(folder, 'answers.csv')
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${rows}`)
  const summary = await json(`answers import ${file} --results ${folder}`)
  expect(summary).toMatchObject({ accepted: 4, rejected: 0, unknown: 0 })
  await run('answers save answers weight=72 --timezone UTC')
  const answers: { answer: number }[] = await json('answers list answers --all')
  expect(answers.map(({ answer }) => answer)).toEqual([72, 183, 182, 181, 180])
  expect(await json('answers list answers --all --order asc')).toEqual(answers.toReversed())
})

test('an error contains the error text of a second implementation of the service', async () => {
  const unknown = await machine.facescan('answers save 4711 no_such_key=1 --timezone UTC')
  expect(unknown.exitCode).toBe(6)
  const wrong = await machine.facescan('users get 4711 --key-stdin', { stdin: 'k'.repeat(40) })
  expect(wrong.exitCode).toBe(3)
  expect(wrong.stderr).toContain('Who are you?')
})

test('"users get --users" prints users from another implementation of the service in the order of the file', async () => {
  const { stdout } = await run('users get --users - -o csv --quiet', '4711\nempty\n')
  expect(stdout.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    'external_user_id',
    '4711',
    'empty',
    '',
  ])
})

test('"ce-label" needs no key, even on a second implementation of the service', async () => {
  await run(`ce-label --out ${folder}/label.png`)
  expect(readFileSync(join(folder, 'label.png')).subarray(1, 4).toString()).toBe('PNG')
})

test('"biomarkers list --strict" exits with 8 if the service returns 204 instead of an empty list', async () => {
  const { exitCode, stdout, stderr } = await machine.facescan('biomarkers list empty --strict --json')
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' })
  expect(stderr).toContain('received status 204')
})

test('additional assessments and units from another implementation of the service are printed', async () => {
  const { stdout } = await run('wellbeing 4711 -o csv')
  const [header = '', row = ''] = stdout.split('\r\n')
  const cells = new Map(header.split(',').map((name, index) => [name, row.split(',')[index]]))
  expect([cells.get('energy_sleep'), cells.get('energy_sleep_assessment')]).toEqual(['51', 'fair'])
  expect((await run('wellbeing 4711')).stdout).toContain('\t51 (fair)\t')
  const users = await run('users get --users - -o tsv --quiet', '4711\n')
  expect(users.stdout).toContain('\tweight\tweight_unit\theight\theight_unit\t')
  expect(users.stdout).toContain('\t72\tkg\t')
})

test('"scan-url" warns if the link expires at a different time than requested', async () => {
  const other = await run('scan-url 4711 --expire-at 2h')
  expect(other.stderr).toMatch(/^warning: the link expires at \S+, but \S+Z was requested$/m)
  const exact = await run('scan-url 4711 --expire-at 6h')
  expect(exact.stderr).not.toContain('was requested')
})
