import {
  appendFileSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { describeUsers } from '../../src/commands/invite/read-status.ts'
import { wrap } from '../../src/output/text.ts'
import type { Terminal } from '../../src/output/view.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { idleClock } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { asText } from '../helpers/messages.ts'

let sandbox: Sandbox
let machine: Machine
let folder: string
let list: string
const newFolder = () => mkdtempSync(join(tmpdir(), 'facescan-invite-'))
const database = join(newFolder(), 'service.sqlite')
const requests: string[] = []
/** Users whose links the service refuses. */
const refused = new Set<string>()
/** The service responds with status 401 to the link request for this user. */
let lockedUser = ''
/** The service responds with this status to the requests that read the scans of this user. */
let unread = { user: '', status: 400 }
/** The link that the service returns instead of a new link. */
let forged = ''
/** Whether the service responds with status 503 to each request that creates a user. */
let isOverloaded = false

beforeAll(async () => {
  sandbox = await startSandbox({
    strict: true,
    database,
    faults: (handle) => async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      requests.push(`${request.method} ${pathname}`)
      if (forged !== '' && pathname.endsWith('/scan')) return Response.json(forged)
      if (isOverloaded && request.method === 'POST' && pathname === '/v2/users')
        return Response.json({ detail: 'overloaded' }, { status: 503 })
      if (pathname.endsWith('/scan') && searchParams.get('external_user_id') === lockedUser)
        return Response.json({ detail: 'locked' }, { status: 401 })
      if (!pathname.endsWith('/scan') && searchParams.get('external_user_id') === unread.user)
        return Response.json({ detail: 'no' }, { status: unread.status })
      const isRefused = pathname.endsWith('/scan') && refused.has(searchParams.get('external_user_id') ?? '')
      return isRefused ? Response.json({ detail: 'no plan' }, { status: 400 }) : handle(request)
    },
  })
})

afterAll(() => sandbox.close())

let serial = 0
beforeEach(() => {
  serial += 1
  machine = createMachine({ FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key })
  folder = newFolder()
  list = join(folder, 'staff.csv')
  writeFileSync(
    list,
    `external_user_id,email,sex\nA${serial},ada@example.com,F\nB${serial},bo@example.com,M\n`,
  )
  refused.clear()
  forged = ''
  unread = { user: '', status: 400 }
  requests.length = 0
})

const rowsOf = (name: string) =>
  parse(readFileSync(join(folder, name), 'utf8'), { columns: true }) as Record<string, string>[]
const invite = (flags = '') => machine.facescan(`invite ${flags} ${list}`)

test('"invite" creates missing users and writes their links to a file that only its owner can read', async () => {
  await machine.facescan(`users create A${serial} --sex F`)
  const ran = await invite()
  expect(ran).toMatchObject({ exitCode: 0 })
  expect(asText(ran.stderr)).toContain('Invited 2 users in development\n')
  expect(ran.stdout + ran.stderr).not.toContain('action_token')
  const rows = rowsOf('staff.links.csv')
  expect(rows.map(({ email, status }) => [email, status])).toEqual([
    ['ada@example.com', 'invited'],
    ['bo@example.com', 'invited'],
  ])
  expect(rows[0]?.['url']).toContain('action_token=')
  expect(Date.parse(rows[0]?.['expires_at'] ?? '')).toBeGreaterThan(Date.parse(rows[0]?.['invited_at'] ?? ''))
  expect(statSync(join(folder, 'staff.links.csv')).mode & 0o777).toBe(0o600)
  const created = await machine.facescan(`users get B${serial} --json=sex,user_id`)
  expect(JSON.parse(created.stdout)).toEqual({ sex: 'M', user_id: rows[1]?.['user_id'] })
})

test('"invite" writes a second file if the links file contains a user who is not in the list', async () => {
  await invite()
  const before = readFileSync(join(folder, 'staff.links.csv'), 'utf8')
  writeFileSync(list, `external_user_id\nB${serial}\nC${serial}\n`)
  const ran = await invite()
  expect(ran).toMatchObject({ exitCode: 0 })
  expect(ran.stderr).toContain(
    'staff.links.csv was not replaced, because it has the link of 1 user who is not in this list',
  )
  expect(readFileSync(join(folder, 'staff.links.csv'), 'utf8')).toBe(before)
  expect(rowsOf('staff.links.new.csv').map(({ status }) => status)).toEqual(['kept', 'invited'])
})

test('if every user fails, "invite" does not report that a links file was written', async () => {
  refused.add(`A${serial}`).add(`B${serial}`)
  const ran = await invite()
  expect(ran).toMatchObject({ exitCode: 10 })
  expect(ran.stderr).toContain('2 of 2 users failed; the reasons are in')
  expect(ran.stderr).not.toContain('links in ')
})

test('the JSON of "invite" counts users, even if the list contains a user twice', async () => {
  const other = '0c6e6679-7425-40de-944b-e07fc1f90ae7'
  const rows = [`A${serial},${other}`, `A${serial},${other}`, `B${serial},`]
  writeFileSync(list, `external_user_id,user_id\n${rows.join('\n')}\n`)
  const ran = await invite('--json')
  expect(ran, ran.stderr).toMatchObject({ exitCode: 10 })
  expect(JSON.parse(ran.stdout)).toMatchObject({ users: 2, done: 1, failed: 1 })
})

test('the audit entry for the end of "invite" counts the users without a link as failed', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\nB${serial}\nA${serial}\n`)
  refused.add(`B${serial}`)
  expect(await invite()).toMatchObject({ exitCode: 10 })
  const { stdout } = await machine.facescan('history list --json=detail')
  expect(stdout).toContain('"1 done, 1 failed"')
})

test('the audit entry for the end of a repeated "invite" counts the links of the first run as unchanged', async () => {
  const lastDetail = async () =>
    JSON.parse((await machine.facescan('history list --limit 1 --json=detail')).stdout)[0].detail
  writeFileSync(list, `external_user_id\nA${serial}\nB${serial}\nA${serial}\n`)
  expect((await invite()).exitCode).toBe(0)
  expect(await lastDetail()).toBe('2 done, 0 failed')
  expect((await invite()).exitCode).toBe(0)
  expect(await lastDetail()).toBe('0 done, 2 unchanged, 0 failed')
})

test('a repeated "invite" creates a new link if the user was deleted, or if the service differs from that of the first run', async () => {
  await invite()
  await machine.facescan(`users delete A${serial} --confirm=A${serial}`)
  expect((await invite()).exitCode).toBe(0)
  expect(rowsOf('staff.links.csv').map(({ status }) => status)).toEqual(['invited', 'kept'])
  const other = await startSandbox({ strict: true, database: join(folder, 'other.sqlite') })
  onTestFinished(() => other.close())
  const env = { FACESCAN_BASE_URL: other.url, FACESCAN_API_KEY: other.keys.development.key }
  expect((await machine.facescan(`invite ${list}`, { env })).exitCode).toBe(0)
  expect(rowsOf('staff.links.csv').map(({ status }) => status)).toEqual(['invited', 'invited'])
  expect((await machine.facescan(`users get B${serial}`, { env })).exitCode).toBe(0)
})

test.each(['javascript:alert(1)', 'http://scan.example/?action_token=x', 'https://a@evil.example/'])(
  'if the service returns the link %s, "invite" writes no link, and a repeated "invite" replaces the link in an edited file',
  async (link) => {
    forged = link
    expect(await invite()).toMatchObject({ exitCode: 10 })
    expect(rowsOf('staff.links.csv')[0]).toMatchObject({
      ...{ status: 'failed', url: '' },
      reason: 'the service returned a link that is not an HTTPS URL; it is not shown',
    })
    forged = ''
    await invite()
    const path = join(folder, 'staff.links.csv')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(rowsOf('staff.links.csv')[0]?.['url'] ?? '-', link),
    )
    expect(asText((await invite()).stderr)).toContain(
      'Invited 1 user (1 renewed, 1 kept from the earlier run)',
    )
    expect(readFileSync(path, 'utf8')).not.toContain(link)
  },
)

test.runIf(process.getuid?.() === 0)(
  '"invite" refuses a links file of another user before anything is sent, because its links can be forged',
  async () => {
    await invite()
    chownSync(join(folder, 'staff.links.csv'), 1_234, 1_234)
    requests.length = 0
    const ran = await invite()
    expect(ran).toMatchObject({ exitCode: 13 })
    expect(ran.stderr).toContain('staff.links.csv is owned by another user (ID 1234)')
    expect(requests).toEqual([])
    expect(await invite('--trust-owner 1234')).toMatchObject({ exitCode: 0 })
  },
)

test('a repeated "invite" creates new links only for users whose link failed or expired', async () => {
  refused.add(`B${serial}`)
  const first = await invite()
  expect(first.exitCode).toBe(10)
  const [kept, failed] = rowsOf('staff.links.csv')
  expect(failed).toMatchObject({ status: 'failed', url: '', reason: expect.stringContaining('no plan') })
  refused.clear()
  requests.length = 0
  expect((await invite()).exitCode).toBe(0)
  expect(requests.filter((line) => line.endsWith('/scan'))).toHaveLength(1)
  const second = rowsOf('staff.links.csv')
  expect(second.map(({ status }) => status)).toEqual(['kept', 'invited'])
  expect(second[0]).toMatchObject({ url: kept?.['url'], user_id: kept?.['user_id'] })
  const path = join(folder, 'staff.links.csv')
  const old = second[0]?.['expires_at'] ?? ''
  writeFileSync(path, readFileSync(path, 'utf8').replace(old, '2020-01-01T00:00:00.000Z'))
  expect((await invite()).exitCode).toBe(0)
  const third = rowsOf('staff.links.csv')
  expect(third.map(({ status }) => status)).toEqual(['renewed', 'kept'])
  expect((await invite()).stderr).toContain('nothing to invite: 2 kept from the earlier run')
  expect(existsSync(join(folder, 'staff.links.new.csv'))).toBe(false)
})

test.each(['skip', 'fail'])(
  'if the first "invite --existing %s" created a user but no link, the second run creates only the link',
  async (existing) => {
    refused.add(`B${serial}`)
    await invite(`--existing ${existing}`)
    const { user_id } = JSON.parse((await machine.facescan(`users get B${serial} --json`)).stdout)
    expect(rowsOf('staff.links.csv')[1]).toMatchObject({ status: 'failed', user_id, invited_at: '' })
    refused.clear()
    requests.length = 0
    expect(await invite(`--existing ${existing}`)).toMatchObject({ exitCode: 0 })
    expect(requests).not.toContain('POST /v2/users')
    expect(rowsOf('staff.links.csv')[1]).toMatchObject({ status: 'invited', user_id })
  },
)

test('if a user was deleted after the creation of the link failed, a repeated "invite" creates the user again', async () => {
  refused.add(`B${serial}`)
  await invite()
  await machine.facescan(`users delete B${serial} --confirm=B${serial}`)
  refused.clear()
  expect(await invite()).toMatchObject({ exitCode: 0 })
  const { user_id } = JSON.parse((await machine.facescan(`users get B${serial} --json`)).stdout)
  expect(rowsOf('staff.links.csv')[1]).toMatchObject({ status: 'invited', user_id })
})

test('if it is unknown whether a user was created, a repeated "invite" looks up the user first', async () => {
  writeFileSync(list, `external_user_id\nC${serial}\n`)
  isOverloaded = true
  onTestFinished(() => {
    isOverloaded = false
  })
  const clock = idleClock()
  const first = await machine.facescan(`invite ${list}`, { clock })
  expect(first).toMatchObject({ exitCode: 10 })
  expect(rowsOf('staff.links.csv')).toMatchObject([{ status: 'unknown', url: '', user_id: '' }])
  isOverloaded = false
  // The service applies the creation after the first run has ended.
  await machine.facescan(`users create C${serial}`)
  requests.length = 0
  expect(await machine.facescan(`invite ${list}`, { clock })).toMatchObject({ exitCode: 0 })
  expect(requests).not.toContain('POST /v2/users')
  expect(rowsOf('staff.links.csv')).toMatchObject([
    { status: 'invited', url: expect.stringMatching(/^http/) },
  ])
})

test.each(['invite', 'users import'])(
  '"%s --skip-invalid" counts and lists the skipped rows',
  async (command) => {
    writeFileSync(
      list,
      `external_user_id,birth_date\nA${serial},1990-01-02\nB${serial},31-02-1990\n,1990-01-02\n`,
    )
    const errors = join(folder, 's.err.csv')
    const ran = await machine.facescan(
      `${command} ${list} --skip-invalid --errors ${errors} --date-format YYYY-MM-DD`,
    )
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(ran.stderr).toContain(`2 invalid rows skipped; see ${errors}`)
    expect(rowsOf('s.err.csv')).toMatchObject([
      {
        external_user_id: `B${serial}`,
        birth_date: '31-02-1990',
        _line: '3',
        _message: expect.stringContaining('birth_date'),
      },
      { birth_date: '1990-01-02', _line: '4', _code: 'user_missing' },
    ])
  },
)

test.each(['/dev/zero', '/dev/null'])('"invite --out %s" is refused at once', async (device) => {
  writeFileSync(list, `external_user_id\nA${serial}\n`)
  const refused = await machine.facescan(`invite ${list} --out ${device} --max-time 5s`)
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not a regular file') })
})

test.each(['loop.csv', 'loop.csv/links.csv'])(
  '"invite --out %s" is refused if loop.csv is a link to itself',
  async (out) => {
    writeFileSync(list, `external_user_id\nA${serial}\n`)
    const loop = join(folder, 'loop.csv')
    rmSync(loop, { force: true })
    symlinkSync(loop, loop)
    const refused = await machine.facescan(`invite ${list} --out ${join(folder, out)} --yes`)
    expect(refused.exitCode, refused.stderr).toBe(13)
    expect(refused.stderr).toContain('too many symbolic links encountered')
  },
)

test('"scan-url --users" writes skipped rows to the file in --errors if its output is stdout', async () => {
  writeFileSync(list, `external_user_id,language\nA${serial},xx\n`)
  const ran = await machine.facescan(
    `scan-url --users ${list} --skip-invalid --errors ${folder}/s.err.csv -o csv`,
  )
  expect(ran.exitCode).toBe(0)
  expect(rowsOf('s.err.csv')).toMatchObject([{ language: 'xx', _line: '2' }])
})

test('a repeated "invite --mapping" reads its links file, even if the mapping does not contain the columns of this file', async () => {
  writeFileSync(list, `Personnel number;Name;sex\nA${serial};Ada;Woman\nB${serial};Bo;Man\n`)
  const mapping = join(folder, 'staff.map.json')
  const columns = { 'Personnel number': 'external_user_id' }
  const settings = { columns, values: { sex: { Woman: 'F', Man: 'M' } }, ignore_columns: ['Name'] }
  writeFileSync(mapping, JSON.stringify({ ...settings, delimiter: ';', encoding: 'utf-8', header_line: 1 }))
  expect(await invite(`--mapping ${mapping}`)).toMatchObject({ exitCode: 0 })
  const ran = await invite(`--mapping ${mapping}`)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(rowsOf('staff.links.csv').map(({ status }) => status)).toEqual(['kept', 'kept'])
})

test('"invite --status" reports which users have scanned since the invitation, and --only selects users by status', async () => {
  await machine.facescan(`users create A${serial}`)
  await machine.facescan(`sandbox scan A${serial} --db ${database} --count 3 --days 3`)
  await invite()
  await machine.facescan(`sandbox scan B${serial} --db ${database} --count 1`)
  const links = join(folder, 'staff.links.csv')
  const status = await machine.facescan(`invite --status ${links}`)
  expect(status).toMatchObject({ exitCode: 0 })
  expect(status.stderr).toContain('1 scanned, 1 waiting, 0 failed')
  const rows = rowsOf('staff.links.status.csv')
  expect(rows.map((row) => [row['email'], row['scan_status']])).toEqual([
    ['ada@example.com', 'waiting'],
    ['bo@example.com', 'scanned'],
  ])
  const waiting = await machine.facescan(`invite --status ${links} --only waiting --out ${folder}/remind.csv`)
  expect(waiting.exitCode).toBe(0)
  expect(rowsOf('remind.csv').map(({ email }) => email)).toEqual(['ada@example.com'])
})

test('if a request of "invite --status" fails, the states of the other users are counted', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\nB${serial}\nC${serial}\n`)
  refused.add(`C${serial}`)
  await invite()
  unread.user = `A${serial}`
  const status = await machine.facescan(`invite --status ${folder}/staff.links.csv --json`)
  expect(status, status.stderr).toMatchObject({ exitCode: 10 })
  expect(status.stderr).toContain('0 scanned, 1 waiting, 1 failed, 1 not read')
  expect(status.stderr).toContain('1 of 3 users failed; 2 done')
  expect(JSON.parse(status.stdout)).toMatchObject({
    ...{ users: 3, done: 2, failed: 1, not_tried: 0 },
    errors_file: join(folder, 'staff.links.status.errors.csv'),
  })
})

test('a resumed "invite --status" also counts the users that the interrupted run read', async () => {
  await invite()
  unread = { user: `B${serial}`, status: 401 }
  const line = `invite --status ${folder}/staff.links.csv --max-concurrency 1`
  const clock = idleClock()
  const stopped = await machine.facescan(line, { clock })
  expect(stopped, stopped.stderr).toMatchObject({ exitCode: 3 })
  expect(stopped.stderr).toContain('0 scanned, 1 waiting, 0 failed')
  unread.user = ''
  const resumed = await machine.facescan(line, { clock })
  expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 })
  expect(resumed.stderr).toContain('resuming')
  expect(resumed.stderr).toContain('0 scanned, 2 waiting, 0 failed')
})

test('"invite --status" refuses flags that apply only to an invitation', async () => {
  const ran = await machine.facescan(`invite --status ${list} --expire-at 2h --existing update`)
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toContain('--expire-at cannot be used with --status')
  expect(ran.stderr).toContain('--existing cannot be used with --status')
})

test('a dry run of "invite --status" shows what it would read', async () => {
  await invite()
  const { stderr } = await machine.facescan(`invite --status ${folder}/staff.links.csv --dry-run`)
  expect(asText(stderr)).toContain('dry run: would read the state of 2 users')
})

test('"invite --status" counts scans since the first invitation, even after a failed "invite --renew"', async () => {
  await invite()
  await machine.facescan(`sandbox scan A${serial} --db ${database} --count 1`)
  const [first] = rowsOf('staff.links.csv')
  refused.add(`A${serial}`)
  expect((await invite('--renew')).exitCode).toBe(10)
  refused.clear()
  expect((await invite('--renew')).exitCode).toBe(0)
  const [renewed] = rowsOf('staff.links.csv')
  expect(renewed).toMatchObject({ status: 'renewed', invited_at: first?.['invited_at'] })
  expect(renewed?.['url']).not.toBe(first?.['url'])
  const status = await machine.facescan(`invite --status ${join(folder, 'staff.links.csv')}`)
  expect(status.stderr).toContain('1 scanned, 1 waiting, 0 failed')
})

test('a repeated "invite --status" reads the scans again, and --only waiting writes a separate file', async () => {
  await invite()
  const links = join(folder, 'staff.links.csv')
  expect((await machine.facescan(`invite --status ${links}`)).stderr).toContain('0 scanned, 2 waiting')
  expect(await machine.facescan(`sandbox scan B${serial} --db ${database} --count 1`)).toMatchObject({
    exitCode: 0,
  })
  const waiting = await machine.facescan(`invite --status ${links} --only waiting`)
  expect(waiting.stderr).toContain('1 scanned, 1 waiting')
  expect(rowsOf('staff.links.waiting.csv')).toMatchObject([{ email: 'ada@example.com' }])
  const again = await machine.facescan(`invite --status ${links}`)
  expect(again, again.stderr).toMatchObject({ exitCode: 0 })
  expect(again.stderr).toContain('1 scanned, 1 waiting')
  expect(rowsOf('staff.links.status.csv').map((row) => row['scan_status'])).toEqual(['waiting', 'scanned'])
})

test('"invite --status --only waiting" replaces its earlier file, even if the links file has changed', async () => {
  await invite()
  const links = join(folder, 'staff.links.csv')
  const waiting = `invite --status ${links} --only waiting`
  expect(await machine.facescan(waiting)).toMatchObject({ exitCode: 0 })
  writeFileSync(list, `${readFileSync(list, 'utf8')}C${serial},cy@example.com,F\n`)
  await invite()
  await machine.facescan(`sandbox scan B${serial} --db ${database} --count 1`)
  const ran = await machine.facescan(waiting)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(rowsOf('staff.links.waiting.csv').map(({ email }) => email)).toEqual([
    'ada@example.com',
    'cy@example.com',
  ])
})

test('if the links file has changed since an interrupted run, "invite --status --only waiting" starts over', async () => {
  await invite()
  const links = join(folder, 'staff.links.csv')
  const waiting = `invite --status ${links} --only waiting`
  await machine.facescan(waiting)
  // Simulates an interrupted run, which leaves this file.
  writeFileSync(join(folder, 'staff.links.waiting.csv.partial'), 'external_user_id\n')
  await invite('--renew')
  const ran = await machine.facescan(waiting)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(rowsOf('staff.links.waiting.csv')).toHaveLength(2)
})

test('a repeated "invite --status --out" replaces the output file, even if a path is relative or contains a symbolic link', async () => {
  await invite()
  symlinkSync(folder, `${folder}-link`)
  const paths = (directory: string) => `${directory}/staff.links.csv --out ${directory}/states.csv`
  for (const directory of [
    folder,
    `${folder}-link`,
    relative('.', folder),
    `${folder}/../${basename(folder)}`,
  ]) {
    const ran = await machine.facescan(`invite --status ${paths(directory)}`)
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(ran.stderr).toContain('0 scanned, 2 waiting')
  }
})

test('an interrupted list is resumed if --out contains another path to the same file', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\nC${serial}\n`)
  lockedUser = `C${serial}`
  symlinkSync(folder, `${folder}-link`)
  const line = (directory: string) => `invite ${list} --max-concurrency 1 --out ${directory}/links.csv`
  const clock = idleClock()
  expect(await machine.facescan(line(folder), { clock })).toMatchObject({ exitCode: 3 })
  lockedUser = ''
  const resumed = await machine.facescan(line(`${folder}-link`), { clock })
  expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 })
  expect(resumed.stderr).toContain('1 user already processed')
})

test('if an interrupted run used another links file, "invite --status" is refused and keeps the incomplete file of that run', async () => {
  await invite()
  const [links, other] = ['staff.links.csv', 'other.links.csv'].map((name) => join(folder, name))
  copyFileSync(`${links}`, `${other}`)
  const out = join(folder, 'states.csv')
  await machine.facescan(`invite --status ${other} --out ${out}`)
  // Simulates a killed run, which leaves its rows in this file.
  copyFileSync(out, `${out}.partial`)
  rmSync(out)
  const ran = await machine.facescan(`invite --status ${links} --out ${out}`)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 2 })
  expect(asText(ran.stderr)).toContain('states.csv.partial belongs to a run with a different list')
  expect(existsSync(`${out}.partial`)).toBe(true)
})

test.each([
  ['that was edited', (path: string) => appendFileSync(path, '\n')],
  [
    'of another command',
    (path: string) => machine.facescan(`users get --users ${list} --out ${path} --renew`),
  ],
  [
    'of another links file',
    async (path: string) => {
      const other = join(folder, 'other.links.csv')
      copyFileSync(join(folder, 'staff.links.csv'), other)
      await machine.facescan(`invite --status ${other} --out ${path}`)
      expect(existsSync(path)).toBe(true)
    },
  ],
])('"invite --status" does not replace an output file %s', async (_, write) => {
  await invite()
  const path = join(folder, 'states.csv')
  const status = `invite --status ${join(folder, 'staff.links.csv')} --out ${path}`
  await machine.facescan(status)
  if (_ !== 'that was edited') rmSync(path)
  await write(path)
  const before = readFileSync(path, 'utf8')
  const ran = await machine.facescan(status)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 2 })
  expect(ran.stderr).toContain('states.csv already exists')
  expect(ran.stderr).toContain('Delete it, or choose another file with --out.')
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('on a terminal, "invite --status" shows as many waiting users as fit on the screen', async () => {
  const ids = Array.from({ length: 300 }, (_, index) => `T${serial}-${1000 + index}`)
  writeFileSync(list, `external_user_id\n${ids.join('\n')}\n`)
  await invite()
  const status = `invite --status ${join(folder, 'staff.links.csv')}`
  const shown = await machine.facescan(status, { terminal: true })
  expect(shown.stderr).toContain('0 scanned, 300 waiting, 0 failed')
  const [first = ''] = /waiting: [\s\S]*, and \d+ more/.exec(shown.stderr) ?? []
  expect(first.split('\n').length).toBeLessThanOrEqual(14)
  expect(first.split('\n').length).toBeGreaterThan(10)
  const [, text = '', more] = /waiting: (.*), and (\d+) more/.exec(first.replace(/\n\s*/g, ' ')) ?? []
  const named = text.split(', ')
  expect(named).toEqual(ids.slice(0, named.length))
  expect(named.length + Number(more)).toBe(300)
  expect((await machine.facescan(status)).stderr).not.toContain(ids[0])
  await machine.facescan(`sandbox scan ${ids[1]} --db ${database} --count 1`)
  const scanned = await machine.facescan(`${status} --only scanned`, { terminal: true })
  expect(scanned.stderr).toContain(`scanned: ${ids[1]}\n`)
})

test('a list of 100,000 waiting users fills a terminal of 110 rows and 400 columns', () => {
  const stderr = { isTTY: true, width: 400, height: 110 } as Terminal
  const users = Array.from({ length: 100_000 }, (_, index) => `${1_000_000 + index}`)
  const text = describeUsers({ terminals: { stdout: stderr, stderr } }, 'waiting', users) ?? ''
  expect(wrap(text, 398)).toHaveLength(100)
  expect(wrap(text.replace(/(\d+), and/, '$1, 1004400, 1004401, and'), 398)).toHaveLength(101)
})

test('"invite" shows when the link of a user expires, even if the list contains the user in two identical rows', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\nA${serial}\n`)
  const ran = await invite()
  const [row] = rowsOf('staff.links.csv')
  expect(asText(ran.stderr)).toContain(`the link expires at ${row?.['expires_at']}\n`)
})

test('"invite" shows when the earliest of its new links expires, and when to delete the file', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\n`)
  await invite('--expire-at 9h')
  writeFileSync(list, `external_user_id\nA${serial}\nB${serial}\nC${serial}\n`)
  const ran = await invite('--expire-at 3d')
  const times = rowsOf('staff.links.csv').flatMap(({ status, expires_at }) =>
    status === 'invited' ? [expires_at ?? ''] : [],
  )
  expect(ran.stderr).toContain(`the earliest link expires at ${times.sort()[0]}\n`)
  const until = 'links are credentials: delete the file after --status'
  expect(asText(ran.stderr)).toContain(`the ${until}\n`)
  expect((await machine.facescan('invite --help')).stdout.replace(/\s+/g, ' ')).toContain(`The ${until}.`)
  const shown = await machine.facescan(`invite ${list} --renew --expire-at 3d`, { terminal: true })
  expect(asText(shown.stderr)).toMatch(
    /the earliest link expires in (3 d|2 d 23 h) \(\d+ [A-Z][a-z]{2} \d\d:\d\d local time\)/,
  )
  const far = await machine.facescan(`invite ${list} --renew --expire-at 90d`, { terminal: true })
  expect(asText(far.stderr)).toMatch(/the earliest link expires \d+ [A-Z][a-z]{2} \d{4}/)
})

test('"invite --status" reports an error for a user whose user ID has changed since the invitation', async () => {
  await invite()
  await machine.facescan(`users delete A${serial} --confirm=A${serial}`)
  await machine.facescan(`users create A${serial}`)
  const status = await machine.facescan(`invite --status ${join(folder, 'staff.links.csv')}`)
  expect(status).toMatchObject({ exitCode: 10 })
  expect(status.stderr).toContain('1 of 2 users failed')
  expect(rowsOf('staff.links.status.csv').map(({ email }) => email)).toEqual(['bo@example.com'])
  const errors = readFileSync(join(folder, 'staff.links.status.errors.csv'), 'utf8')
  expect(errors).toContain('belong to different users')
})

test('if "invite --status" receives the list instead of the links file, the error names the links file', async () => {
  const status = await machine.facescan(`invite --status ${list}`)
  expect(status).toMatchObject({ exitCode: 2, stdout: '' })
  expect(status.stderr).toContain('staff.csv has no column "url", "invited_at"')
  expect(status.stderr).toContain(
    'hint: With --status, pass the file with the links, such as staff.links.csv.',
  )
  expect(existsSync(join(folder, 'staff.status.csv'))).toBe(false)
})

test('a dry run of a repeated "invite" counts the existing and the new links, and changes nothing', async () => {
  refused.add(`B${serial}`)
  await invite()
  const before = readFileSync(join(folder, 'staff.links.csv'), 'utf8')
  requests.length = 0
  const { stderr, exitCode } = await invite('--dry-run')
  expect(exitCode).toBe(0)
  expect(stderr).toMatch(/would invite 1 user in .*: 1 kept, 1 invited; nothing was changed/)
  expect(stderr).not.toContain('First users to be sent')
  expect(requests.filter((line) => !line.startsWith('GET'))).toEqual([])
  expect(requests.filter((line) => line.endsWith('/scan'))).toEqual([])
  expect(readFileSync(join(folder, 'staff.links.csv'), 'utf8')).toBe(before)
})

test('if a user is in several rows, a dry run of "invite" counts and shows the user once', async () => {
  const rows = [`A${serial}`, `A${serial}`, `A${serial}`, `B${serial}`, `C${serial}`]
  writeFileSync(list, `external_user_id\n${rows.join('\n')}\n`)
  const first = await invite('--dry-run')
  expect(first.stderr).toContain(
    `First users to be sent:\n  line 2: A${serial}\n  line 5: B${serial}\n  line 6: C${serial}\n`,
  )
  expect(first.stderr).toContain('would invite 3 users in')
  await invite()
  expect((await invite('--dry-run')).stderr).toMatch(
    /would invite 0 users in .*: 3 kept; nothing was changed/,
  )
})

test('if the list is empty, a repeated "invite" states that there is nothing to invite, and mentions no file except the list', async () => {
  writeFileSync(list, 'external_user_id\n')
  await invite()
  const { stderr } = await invite()
  expect(asText(stderr).replaceAll(`${folder}/`, '')).toBe(
    'staff.csv has no rows below its header\nnothing to invite\n',
  )
})

test('if "invite --expire-at" keeps a link, a note states that --renew replaces this link', async () => {
  await invite('--expire-at 2h')
  const note = '--expire-at does not change the 2 kept links; to replace them, add --renew'
  expect(asText((await invite('--expire-at 3h')).stderr)).toContain(note)
  expect(asText((await invite()).stderr)).not.toContain('--renew')
  expect(asText((await invite('--expire-at 3h --renew')).stderr)).not.toContain('kept')
})

test('the JSON summary of "invite" counts the users without a link as failed', async () => {
  refused.add(`B${serial}`)
  const ran = await invite('--json')
  expect(ran.exitCode).toBe(10)
  expect(JSON.parse(ran.stdout)).toMatchObject({ users: 2, done: 1, failed: 1, not_tried: 0 })
})

test('if a user is in several rows, "invite" counts the user once', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\nA${serial}\nB${serial}\nB${serial}\n`)
  refused.add(`B${serial}`)
  const first = await invite()
  expect(asText(first.stderr)).toContain('1 of 2 users failed')
  refused.clear()
  expect(asText((await invite()).stderr)).toContain('Invited 1 user (1 kept from the earlier run) in')
  expect(asText((await invite()).stderr)).toContain('nothing to invite: 2 kept from the earlier run')
  const states = await machine.facescan(`invite --status ${join(folder, 'staff.links.csv')}`)
  expect(asText(states.stderr)).toMatch(
    /^Processed 2 users \(4 rows\); results in .*staff\.links\.status\.csv\n/,
  )
  expect(asText(states.stderr)).toContain('0 scanned, 2 waiting, 0 failed')
})

test('a repeated "invite --out links.tsv" renews failed links, and "invite --status" can read the file', async () => {
  const out = join(folder, 'links.tsv')
  refused.add(`B${serial}`)
  await invite(`--out ${out}`)
  refused.clear()
  const second = await invite(`--out ${out}`)
  expect(asText(second.stderr)).toContain('Invited 1 user (1 kept from the earlier run) in')
  expect(readFileSync(out, 'utf8')).toMatch(/^external_user_id\temail\t.*\turl\t/)
  const states = await machine.facescan(`invite --status ${out}`)
  expect(asText(states.stderr)).toContain('0 scanned, 2 waiting, 0 failed')
})

test('"invite" reads a links file that a spreadsheet saved with semicolons', async () => {
  await invite()
  const path = join(folder, 'staff.links.csv')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(',', ';'))
  expect(asText((await invite()).stderr)).toContain('nothing to invite: 2 kept from the earlier run')
})

test.each(['links.json', 'links.ndjson', 'links.yaml', 'links.xlsx', 'links.csv.gz'])(
  '"invite --out %s", a format that cannot be read again, is refused before anything is sent',
  async (name) => {
    const ran = await invite(`--out ${join(folder, name)}`)
    expect(ran).toMatchObject({ exitCode: 2 })
    expect(asText(ran.stderr)).toContain(`the links file must be CSV or TSV`)
    expect(requests).toEqual([])
  },
)

test('a resumed "invite" also reports the users who failed before the interruption', async () => {
  writeFileSync(list, `external_user_id\nA${serial}\nB${serial}\nC${serial}\n`)
  refused.add(`A${serial}`)
  lockedUser = `C${serial}`
  const line = `invite ${list} --max-concurrency 1`
  const clock = idleClock()
  expect(await machine.facescan(line, { clock })).toMatchObject({ exitCode: 3 })
  lockedUser = ''
  const ran = await machine.facescan(line, { clock })
  expect(ran, ran.stderr).toMatchObject({ exitCode: 10 })
  expect(ran.stderr).toContain('1 of 3 users failed; the reasons are in')
  expect(asText(ran.stderr)).toContain('the link of this run expires at')
  expect(rowsOf('staff.links.csv').map(({ status }) => status)).toEqual(['failed', 'invited', 'invited'])
})

test('"invite --renew" renews a link that has not expired', async () => {
  await invite()
  const before = rowsOf('staff.links.csv').map(({ url }) => url)
  expect((await invite('--renew')).exitCode).toBe(0)
  const after = rowsOf('staff.links.csv')
  expect(after.map(({ status }) => status)).toEqual(['renewed', 'renewed'])
  expect(after.map(({ url }) => before.includes(url))).toEqual([false, false])
})

test('"users delete" reports an error for a row whose two user IDs belong to different users', async () => {
  const [a, b] = await Promise.all(
    ['A', 'B'].map(async (name) => {
      const ran = await machine.facescan(`users create ${name}${serial} --json=user_id`)
      return JSON.parse(ran.stdout).user_id as string
    }),
  )
  writeFileSync(list, `external_user_id,user_id\nA${serial},${b}\nB${serial},${b}\n`)
  const ran = await machine.facescan(`users delete --users ${list} --yes --confirm=2`)
  expect(ran.exitCode).toBe(10)
  expect((await machine.facescan(`users get --user-id ${a}`)).exitCode).toBe(0)
  expect((await machine.facescan(`users get --user-id ${b}`)).exitCode).toBe(4)
})

test.each(['--only waiting', '--only never'])(
  '"invite %s" without --status is a usage error',
  async (flags) => {
    expect(await invite(flags)).toMatchObject({ exitCode: 2, stdout: '' })
  },
)
