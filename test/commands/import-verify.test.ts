import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { confirmed, obedient, userOf } from '../bulk/send/fixture.ts'
import { clockIn, idleClock } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

let machine: Machine
let file: string

beforeEach(async () => {
  imports = 0
  machine = createMachine()
  for (const id of ['4711', '4712', '4713']) await machine.facescan(`users create ${id}`)
  file = write('answers.csv', [
    'external_user_id,lookup_key,value',
    '4711,height,171',
    '4712,height,180',
    '4711,weight,64',
    '4711,height,172',
    '4713,age,41',
  ])
})

function write(name: string, lines: readonly string[]): string {
  const path = join(machine.home, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

let imports: number

/** Imports a file, one minute after the previous import. */
async function importing(path: string, ...more: string[]) {
  const words = ['answers', 'import', path, '--timezone', 'UTC', '--yes', '--json', ...more]
  const { exitCode, stdout, stderr } = await machine.facescan(words, { clock: clockIn(imports++ * 60_000) })
  return { exitCode, stderr, summary: JSON.parse(stdout || 'null') }
}

async function verifying(...more: string[]) {
  const clock = clockIn(imports * 60_000)
  const { exitCode, stdout, stderr } = await machine.facescan(['imports', 'verify', ...more, '--json'], {
    clock,
  })
  return { exitCode, stderr, report: JSON.parse(stdout || 'null') }
}

/** Removes all answers of a user, by deleting the user and creating the user again. */
async function empty(id: string) {
  await machine.facescan(`users delete ${id} --yes`)
  await machine.facescan(`users create ${id}`)
}

test('"imports verify" compares each user’s newest answer with the last row for the same question', async () => {
  const { summary } = await importing(file)
  const { exitCode, stderr, report } = await verifying(summary.id)
  expect(exitCode, stderr).toBe(0)
  expect(report).toEqual({
    import: summary.id,
    users: 3,
    answers: 4,
    saved: 4,
    missing: 0,
    different: 0,
    changed: 0,
    unverified: 0,
    rejected: 0,
    unsaved_file: null,
  })
  expect(stderr).toContain('verifying 4 answers for 3 users with at least 3 requests to SANDBOX-DEV')
})

test('"imports verify" writes missing rows to a file that can be imported, and exits with 10', async () => {
  const { summary } = await importing(file)
  await empty('4711')
  await machine.facescan('answers save 4712 height=181 --timezone UTC')
  // These files are from other imports. They must not change the name of the new file.
  for (const name of ['rejects.csv', 'unknown.csv']) write(`answers.${name}`, ['of another import'])
  const { exitCode, stderr, report } = await verifying(summary.id)
  expect(exitCode).toBe(10)
  expect(report).toMatchObject({ saved: 1, missing: 2, different: 0, changed: 1 })
  expect(stderr).toContain('2 of 4 answers are not saved (2 missing, 0 different)')
  const path = join(machine.home, 'answers.unsaved.csv')
  expect(report.unsaved_file).toBe(path)
  const [header, ...rows] = readFileSync(path, 'utf8').trim().split('\n')
  expect(header).toBe('external_user_id,lookup_key,value,_line,_column,_code,_message')
  expect(rows.map((row) => row.split(',').slice(0, 6).join())).toEqual([
    '4711,height,172,5,,missing',
    '4711,weight,64,4,,missing',
  ])
  expect((await importing(path)).exitCode).toBe(0)
  const again = await verifying(summary.id)
  expect(again.report).toMatchObject({ saved: 3, missing: 0, changed: 1, unsaved_file: null })
  // All rows that the first verification wrote to this file are now saved, so the second verification removes the file.
  expect(existsSync(path)).toBe(false)
})

test('if only some answers of a row are missing, "imports verify" reports only the missing answers', async () => {
  const wide = write('wide.csv', ['external_user_id,height,weight', '4711,171,64', '4712,180,'])
  const { summary } = await importing(wide)
  await empty('4711')
  await machine.facescan('answers save 4711 height=171 --timezone UTC')
  const { report } = await verifying(summary.id)
  expect(report).toMatchObject({ answers: 3, saved: 2, missing: 1 })
  expect(readFileSync(report.unsaved_file, 'utf8').split('\n')[1]).toMatch(/^4711,,64,2,,missing,/)
})

test('--verify verifies the import after the last request', async () => {
  const { exitCode, stderr, summary } = await importing(file, '--verify')
  expect(exitCode, stderr).toBe(0)
  expect(summary).toMatchObject({
    status: 'finished',
    accepted: 5,
    verification: { users: 3, answers: 4, saved: 4, missing: 0, unsaved_file: null },
  })
})

test.each([
  [6_000, 0, { saved: 4, missing: 0 }],
  [60_000, 10, { saved: 0, missing: 4 }],
])(
  'if the service lists answers after %i ms, --verify exits with %i and reports %j',
  async (lateMs, code, verification) => {
    const clock = idleClock()
    const stored: { user: string; at: number; item: object }[] = []
    const server = await serve((request) => {
      const date = { date: new Date(clock.now()).toUTCString() }
      if (request.target.startsWith('/v2/questions/all')) return reply(200, ['height', 'weight', 'age'], date)
      const user = userOf(request)
      if (request.method === 'GET') {
        const due = stored.filter(({ user: other, at }) => other === user && at + lateMs <= clock.now())
        const pagination = { page: 1, total_items: due.length, next_page: null }
        return reply(200, { items: due.map(({ item }) => item), pagination }, date)
      }
      for (const { lookup_key, value } of [JSON.parse(request.body)].flat()) {
        const local_timestamp = new Date(clock.now()).toISOString()
        const item = { question_lookup_key: lookup_key, answer: value, local_timestamp }
        stored.push({ user, at: clock.now(), item })
      }
      return confirmed(request, date)
    })
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const words = `answers import ${file} --timezone UTC --confirm development --verify --json`
    const { exitCode, stdout, stderr } = await machine.facescan(words, { env, clock })
    expect(exitCode, stderr).toBe(code)
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 5, verification })
  },
)

test('--verify exits with 10 if an answer is missing, and prints the summary of the import', async () => {
  await importing(file)
  await empty('4711')
  const { exitCode, stderr, summary } = await importing(file, '--repeat-result', '--verify')
  expect(exitCode).toBe(10)
  const unsaved_file = join(machine.home, 'answers.unsaved.csv')
  expect(summary).toMatchObject({ accepted: 5, verification: { saved: 2, missing: 2, unsaved_file } })
  expect(stderr).toContain('2 of 4 answers are not saved (2 missing, 0 different)')
})

test('if --verify is set, the plan of an import shows how long the verification takes', async () => {
  const { summary } = await importing(file, '--verify', '--dry-run')
  expect(summary.verification_seconds).toBeGreaterThan(0)
  const { stderr } = await machine.facescan(['answers', 'import', file, '--timezone', 'UTC', '--verify'])
  expect(stderr).toMatch(/at least .+, then .+ to verify/)
})

test('"imports verify" does not report a row as missing if the service rejected the row', async () => {
  const path = write('unknown.csv', ['external_user_id,lookup_key,value', '4711,height,171', '9999,height,1'])
  const { exitCode, stderr, summary } = await importing(path, '--verify')
  expect(exitCode).toBe(10)
  const verified = { answers: 1, saved: 1, missing: 0, rejected: 1, unsaved_file: null }
  expect(summary).toMatchObject({ accepted: 1, rejected: 1, verification: verified })
  expect(stderr).not.toContain('missing')
  const again = await verifying(summary.id)
  expect(again.exitCode, again.stderr).toBe(0)
  expect(again.report).toMatchObject(verified)
  const shown = await machine.facescan(['imports', 'verify', summary.id])
  expect(shown.stderr).toContain('1 answer verified (1 saved), 1 rejected by the service')
})

test('"imports verify" refuses a file that was changed after the import', async () => {
  const { summary } = await importing(file)
  write('answers.csv', ['external_user_id,lookup_key,value', '4711,height,171'])
  const { exitCode, stderr } = await verifying(summary.id)
  expect(exitCode).toBe(12)
  expect(stderr).toContain('has changed since import')
})

test('"imports verify" exits with 10 and states the reason if the list of saved answers is incomplete', async () => {
  const page = { items: [], pagination: { page: 1, next_page: null, total_items: 7 } }
  const server = await serve(async (request) => {
    if (request.target.startsWith('/v2/questions/all')) return reply(200, ['height'])
    if (request.method === 'GET') return reply(200, page, { date: new Date().toUTCString() })
    const saved = { lookup_key: 'height', value: 1, user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b' }
    return reply(201, saved, { date: new Date().toUTCString() })
  })
  machine = createMachine({ FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) })
  const path = write('one.csv', ['external_user_id,lookup_key,value', '1,height,1'])
  const { exitCode, stderr, summary } = await importing(path, '--verify', '--confirm', 'development')
  expect(exitCode, stderr).toBe(10)
  expect(summary.verification).toMatchObject({ saved: 0, missing: 0, unverified: 1 })
  expect(stderr).toContain('1 answer could not be verified: some pages of the answer list are missing')
})

test.each([
  ['finished', 0, []],
  ['rejected', 1, [422]],
])(
  'Ctrl-C during --verify after a %s import prints the summary and the command that verifies the import',
  async (_, rejected, statuses) => {
    const interrupts = createInterrupts()
    const path = write('one.csv', [
      'external_user_id,lookup_key,value,timezone',
      'a,height,170,UTC',
      'b,height,170,UTC',
    ])
    const script = obedient((request) => {
      // The import requests the list of answers before and after its first batch. The third request for the list is the start of the
      // verification.
      if (server.requests.filter(({ target }) => target.includes('answered?external_user_id=a')).length === 3)
        interrupts.receive('SIGINT')
      return request.method === 'POST' && request.target.endsWith('=b')
        ? statuses.map((status) => reply(status))[0]
        : undefined
    })
    const server = await serve(script)
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const words = [
      'answers',
      'import',
      path,
      '--verify',
      '--json',
      '--max-concurrency',
      '1',
      '--confirm',
      'development',
    ]
    const { exitCode, stdout, stderr } = await machine.facescan(words, { env, interrupts })
    expect(exitCode, stderr).toBe(130)
    const summary = JSON.parse(stdout)
    expect(summary).toMatchObject({ status: 'finished', accepted: 2 - rejected, rejected })
    expect(stderr).toContain('the import is finished, but the verification is not')
    expect(stderr).toContain(`Verify the import with: facescan imports verify ${summary.id}`)
    // The import has printed its result, so the same command is refused.
    expect((await machine.facescan(words, { env })).exitCode).toBe(12)
  },
)

/** The number of temporary files that this process has open. Their names are removed when they are created. */
function countTemporaryFiles(): number {
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return []
    }
  })
  return open.filter((path) => /facescan-.*\(deleted\)$/.test(path)).length
}

test.runIf(process.platform === 'linux')(
  'a verification whose missing rows cannot be written closes its temporary file',
  async () => {
    const path = write('long.csv', [
      'external_user_id,height,notes,timezone',
      `a,172,${'x'.repeat(300_000)},UTC`,
    ])
    const results = join(machine.home, 'results')
    let lists = 0
    const script = obedient((request) => {
      // The import requests two lists of answers. The third request is the start of the verification.
      if (request.method !== 'GET' || userOf(request) !== 'a' || ++lists < 3) return undefined
      rmSync(results, { recursive: true, force: true })
      writeFileSync(results, '')
      const pagination = { page: 1, next_page: null, total_items: 0 }
      return reply(200, { items: [], pagination }, { date: new Date().toUTCString() })
    })
    const server = await serve(script)
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const before = countTemporaryFiles()
    const words = `answers import ${path} --ignore-columns notes --results ${results} --verify --confirm development`
    const { stderr } = await machine.facescan(words, { env, clock: idleClock() })
    expect(countTemporaryFiles(), stderr).toBe(before)
    expect(stderr).toContain('the import is finished, but the verification is not')
  },
)
