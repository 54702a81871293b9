import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createInterrupts, limitTime } from '../../src/context/interrupts.ts'
import { confirmed, describePost, obedient } from '../bulk/send/fixture.ts'
import { createMachine, type Machine, type Ran, type RunOptions } from '../helpers/facescan.ts'
import {
  type HostileServer,
  hang,
  hostileServer,
  reply,
  reset,
  type Script,
  wait,
} from '../helpers/hostile-server.ts'

let machine: Machine
let file: string
let server: HostileServer

beforeEach(() => {
  machine = createMachine()
  file = join(machine.home, 'answers.csv')
  const lines = Array.from({ length: 60 }, (_, n) => `user-${n % 20},key${n % 7},${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
})

afterEach(() => server.close())

const knownKeys = reply(200, ['key0', 'key1', 'key2', 'key3', 'key4', 'key5', 'key6'])

async function serve(script: Script): Promise<void> {
  server = await hostileServer((request) =>
    request.target === '/v2/questions/all' ? knownKeys : script(request),
  )
}

function facescan(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40), ...options.env }
  return machine.facescan([...words, '--confirm', 'development'], { ...options, env })
}

const importing = (options?: RunOptions, ...more: string[]) =>
  facescan(['answers', 'import', file, '--max-concurrency', '4', ...more], options)

function posts(): string[] {
  return server.requests.filter(({ method }) => method === 'POST').map(describePost)
}

/** A service that interrupts the command at the nth request. */
function interruptedAt(nth: number, name: 'SIGINT' | 'SIGTERM' = 'SIGINT') {
  const interrupts = createInterrupts()
  let count = 0
  const script = obedient((request, save) => {
    if (request.method === 'GET') return undefined
    if (++count === nth) interrupts.receive(name)
    save()
    return [wait(10), confirmed(request)]
  })
  return { interrupts, script }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s stops an import with exit code %i and prints a summary and the resume command',
  async (name, code) => {
    const { interrupts, script } = interruptedAt(5, name)
    await serve(script)
    const { exitCode, stdout, stderr } = await importing({ interrupts }, '--results', machine.home)
    expect(exitCode).toBe(code)
    expect(stdout).toBe('')
    const summary = JSON.parse(readFileSync(join(machine.home, 'answers.summary.json'), 'utf8'))
    expect(stderr).toContain(`facescan imports resume ${summary.id}`)
    expect(summary).toMatchObject({ status: 'stopped', rows: 60, rejected: 0, unknown: 0 })
    expect(summary.accepted).toBe(posts().length * 3)
    expect(summary.accepted + summary.unsent).toBe(60)
  },
)

/** Interrupts the command when it reads the lookup keys. */
async function interruptAtKeys(words: readonly string[]): Promise<Ran> {
  const interrupts = createInterrupts()
  await server.close()
  server = await hostileServer(() => {
    interrupts.receive('SIGINT')
    return [wait(50), knownKeys]
  })
  return facescan(words, { interrupts })
}

test('Ctrl-C before the first request of an import leaves no record and reports no error from the service', async () => {
  await serve(() => knownKeys)
  const { exitCode, stderr } = await interruptAtKeys(['answers', 'import', file])
  expect(exitCode).toBe(130)
  expect(stderr).not.toContain('the service refused')
  expect(stderr).not.toContain('imports resume')
  expect(JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)).toEqual([])
})

test('Ctrl-C before the first request of "imports resume" prints the command to resume', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts })
  const [{ id }] = JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)
  const { exitCode, stderr } = await interruptAtKeys(['imports', 'resume', id, '--max-concurrency', '2'])
  expect(exitCode).toBe(130)
  expect(stderr).toContain(`interrupted; import ${id} is not finished`)
  expect(stderr).toContain(`Resume with: facescan imports resume ${id} --max-concurrency 2`)
})

test('if "imports resume FILE" is interrupted, its hint contains the same file name', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts })
  const [{ id }] = JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)
  const moved = join(machine.home, 'moved file.csv')
  renameSync(file, moved)
  const other = await facescan(['answers', 'import', moved, '--batch-size', '7'])
  expect(other.stderr).toContain(`original settings: facescan imports resume ${id} '${moved}'`)
  const early = createInterrupts()
  early.receive('SIGINT')
  const { stderr } = await facescan(['imports', 'resume', id, moved], { interrupts: early })
  expect(stderr).toContain(`Resume with: facescan imports resume ${id} '${moved}'`)
})

test('an import that was stopped by --max-time can be resumed, even if its input was a pipe', async () => {
  const interrupts = createInterrupts()
  await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      if (posts().length === 3)
        limitTime(1, { now: () => 0, monotonic: () => 0, sleep: async () => undefined }, interrupts)
      save()
      return [wait(10), confirmed(request)]
    }),
  )
  const words = ['answers', 'import', '-', '--max-concurrency', '4', '--results', machine.home]
  const stdin = readFileSync(file, 'utf8')
  const first = await facescan(words, { interrupts, stdin })
  expect(first.exitCode).toBe(11)
  const [, next = ''] =
    /pipe the same input to: facescan (imports resume \w+ - .+)$/m.exec(first.stderr) ?? []
  const { stdout } = await facescan(['imports', 'show', next.split(' ')[2] ?? ''], { terminal: true })
  expect(stdout).toMatch(/To resume, pipe the same input to: facescan imports resume \w+ -/)
  const second = await facescan(next.split(' '), { stdin })
  expect([second.exitCode, posts().flatMap((post) => post.split(' ').slice(1)).length]).toEqual([0, 60])
})

test('the confirmation prompt of a resumed import states the number of remaining answers', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  const added = `profiles add ACME --key-stdin --store file --base-url ${server.url}`
  await machine.facescan(added, { stdin: 'k'.repeat(40) })
  const words = ['answers', 'import', file, '--max-concurrency', '4', '-p', 'ACME']
  await machine.facescan([...words, '--confirm', 'ACME'], { interrupts })
  const { exitCode, stderr } = await machine.facescan(words)
  expect(exitCode, stderr).toBe(12)
  const [, done] = /: (\d+) of 60 answers processed$/m.exec(stderr) ?? []
  expect(stderr).toContain(`the remaining ${60 - Number(done)} of 60 answers`)
})

test('repeating a stopped import in a script resumes it without a prompt and sends each row once', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts })
  const second = await importing()
  expect(second.exitCode, second.stderr).toBe(0)
  expect(second.stderr).toMatch(/resuming import \w+: \d+ of 60 answers processed$/m)
  const sent = posts().flatMap((post) => post.split(' ').slice(1))
  expect(sent.length).toBe(60)
  expect(new Set(sent).size).toBe(60)
})

test('"imports resume" uses the original settings, and accepts another file name and --verify', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts }, '--batch-size', '2')
  const other = await importing()
  expect(other.exitCode).toBe(12)
  expect(other.stderr).toContain('--batch-size 2 (now 100)')
  const [{ id, unsent }] = JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)
  expect(unsent).toBeGreaterThan(0)
  const moved = join(machine.home, 'moved.csv')
  writeFileSync(moved, readFileSync(file))
  const resumed = await facescan(['imports', 'resume', id, moved, '--verify', '--json'])
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    id,
    accepted: 60,
    unsent: 0,
    verification: { users: 20, answers: 60, saved: 60 },
  })
  expect(posts().flatMap((post) => post.split(' ').slice(1)).length).toBe(60)
})

test.each([
  ['edited', (text: string) => text.replace('user-3,', 'user-4,')],
  ['truncated', (text: string) => text.slice(0, -20)],
  ['longer', (text: string) => `${text}user-1,key1,1,UTC\n`],
])('if the file of a stopped import was %s, resuming the import is refused', async (_, change) => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts })
  const before = posts().length
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  const { exitCode, stderr } = await importing({}, '--skip-invalid')
  expect(exitCode).toBe(12)
  expect(stderr).toContain('has changed since import')
  const [{ id }] = JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)
  expect((await facescan(['imports', 'resume', id])).exitCode).toBe(12)
  expect(posts().length).toBe(before)
})

test('after a second Ctrl-C stops an import, the next run checks rows before it resends them', async () => {
  const interrupts = createInterrupts()
  let isAway = true
  const script = obedient((request, save) => {
    if (request.method === 'GET' || !isAway) return undefined
    save()
    if (posts().length === 4) {
      interrupts.receive('SIGINT')
      interrupts.receive('SIGINT')
    }
    return hang()
  })
  await serve(script)
  const first = await importing({ interrupts }, '--timeout', '3s', '--results', machine.home)
  expect(first.exitCode).toBe(130)
  expect(
    JSON.parse(readFileSync(join(machine.home, 'answers.summary.json'), 'utf8')).unknown,
  ).toBeGreaterThan(0)
  isAway = false
  const second = await importing({}, '--timeout', '3s')
  expect(second.exitCode, second.stderr).toBe(0)
  expect(second.stderr).toMatch(/: 0 of 60 answers processed, \d+ to check with the service$/m)
  const sent = posts().flatMap((post) => post.split(' ').slice(1))
  expect(sent.length).toBe(60)
})

test('an import writes rows with an unknown outcome to a file that can be imported with --resend-unknown', async () => {
  await serve(({ method }) => (method === 'GET' ? reply(405, { detail: 'no' }) : reset()))
  const first = await importing({}, '--timeout', '200ms')
  expect(first.exitCode).toBe(10)
  expect(first.stderr).toContain('0 of 60 answers accepted, 0 rejected, 60 unknown')
  const unknown = join(machine.home, 'answers.unknown.csv')
  expect(readFileSync(unknown, 'utf8').split('\n').length).toBe(62)
  await server.close()
  await serve(confirmed)
  const second = await facescan([
    'answers',
    'import',
    unknown,
    '--resend-unknown',
    '--results',
    join(machine.home, 'state'),
    '--json',
  ])
  expect(second.exitCode, second.stderr).toBe(0)
  expect(JSON.parse(second.stdout).accepted).toBe(60)
})

test('a rejected key stops the import with exit code 3, and the import can be resumed', async () => {
  await serve(() => reply(401, { detail: 'invalid key' }))
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(3)
  expect(stderr).toContain('0 of 60 answers accepted, 0 rejected, 0 unknown, 60 unsent')
  expect(stderr).toContain('facescan imports resume')
})

test('an import is refused while another process runs the same import', async () => {
  const results: Ran[] = []
  await serve(async (request) => {
    if (results.length === 0) results.push(await importing())
    return confirmed(request)
  })
  expect((await importing()).exitCode).toBe(0)
  expect(results[0]?.exitCode).toBe(12)
  expect(results[0]?.stderr).toContain(
    `process ${process.pid} on this machine is already using the same files`,
  )
})

test('on a terminal, each progress line of an import is printed over the previous progress line', async () => {
  await serve((request) => [wait(150), confirmed(request)])
  const { stderr } = await importing({ terminal: true }, '--yes')
  expect(stderr).toMatch(/\r\x1b\[2K.*\d+%.* \d+ answers\/s .*\d+ of 60 answers/)
  expect(stderr.split('\n').filter((line) => line.includes('answers/s')).length).toBeLessThan(3)
})

test('"imports remove" requires --yes for an unfinished import', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts })
  const [{ id }] = JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)
  const refused = await facescan(['imports', 'remove', id])
  expect(refused.exitCode).toBe(12)
  expect(refused.stderr).toMatch(/\d+ answers unsent/)
  expect((await facescan(['imports', 'remove', id, '--yes'])).exitCode).toBe(0)
})

test('an import with a damaged journal is not resumed, and is listed as damaged', async () => {
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  await importing({ interrupts })
  const imports = join(machine.home, 'state', 'imports')
  const [id = ''] = readdirSync(imports)
  appendFileSync(join(imports, id, 'journal.ndjson'), '{"crc":"00000000","type":"ACK"}\n')
  const before = posts().length
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(13)
  expect(stderr).toContain('is damaged at byte')
  expect(posts().length).toBe(before)
  const [shown] = JSON.parse((await facescan(['imports', 'list', '--json'])).stdout)
  expect(shown).toMatchObject({ id, status: 'damaged', rows: null })
})

test('a resumed import writes its rejected rows to the rejects file of the first run', async () => {
  writeFileSync(file, `${readFileSync(file, 'utf8')}user-1,key0,1.5,UTC\n`)
  const { interrupts, script } = interruptedAt(5)
  await serve(script)
  expect((await importing({ interrupts }, '--skip-invalid')).exitCode).toBe(130)
  const before = readFileSync(join(machine.home, 'answers.rejects.csv'), 'utf8')
  expect((await importing({}, '--skip-invalid')).exitCode).toBe(10)
  expect(readFileSync(join(machine.home, 'answers.rejects.csv'), 'utf8')).toBe(before)
  expect(readdirSync(machine.home).filter((name) => /rejects|summary/.test(name))).toHaveLength(1)
})

test('"imports list" and "history list" show no profile for an import whose key belongs to no profile', async () => {
  await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      save()
      return confirmed(request)
    }),
  )
  expect(JSON.parse((await importing({}, '--json')).stdout).profile).toBeNull()
  for (const list of ['imports list', 'history list --limit 1']) {
    const { stdout } = await facescan([...list.split(' '), '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ profile: null }])
  }
  const shown = await facescan(['imports', 'list'], { terminal: true, columns: 160 })
  expect(shown.stdout).toMatch(/finished\s.*–/s)
  const named = await facescan(['status', '--profile', 'none'])
  expect(named).toMatchObject({ exitCode: 13 })
  expect(named.stderr).toContain('profile "none" not found')
})

test('on a terminal with 80 columns, "imports list" shows the numbers of accepted, rejected, and unknown rows', async () => {
  await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      save()
      return confirmed(request)
    }),
  )
  await importing({})
  const { stdout } = await facescan(['imports', 'list'], { terminal: true, columns: 80 })
  expect(stripVTControlCharacters(stdout)).toMatch(/Import +Status +Input .*Accepted +Rejected +Unknown/)
})
