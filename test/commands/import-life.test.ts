import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { describePost, obedient, userOf } from '../bulk/send/fixture.ts'
import { createMachine, type RunOptions } from '../helpers/facescan.ts'
import { hang, type RawRequest, reply, reset, type Script, serve } from '../helpers/hostile-server.ts'

/**
 * Timeout of a request. An import also waits for this time before it checks a request that had no response. The time is longer than a
 * second, because a busy machine can take a second to respond.
 */
const short = '2s'

/** Writes a file with one answer per user, and starts a service. The import that `importing` starts sends one request at a time. */
async function prepare(users: readonly string[], script: Script, timeout = '60s') {
  const machine = createMachine()
  const file = join(machine.home, 'answers.csv')
  const rows = users.map((user, n) => `${user},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`)
  const early = { interrupts: createInterrupts(), requestsForKeys: 0 }
  const server = await serve((request) => {
    if (!request.target.endsWith('/v2/questions/all')) return script(request)
    // An import requests the lookup keys before it checks the file, and again before it sends the first batch. A signal during the second
    // request therefore stops the import before it sends anything.
    if (++early.requestsForKeys === 2) early.interrupts.receive('SIGINT')
    return reply(200, ['height'])
  })
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const words = ['answers', 'import', file, '--max-concurrency', '1', '--timeout', timeout]
  return {
    machine,
    file,
    env,
    server,
    imports: join(machine.home, 'state', 'imports'),
    posts: () => server.requests.filter(({ method }) => method === 'POST').map(describePost),
    importing: (more: readonly string[] = [], options: RunOptions = {}) =>
      machine.facescan([...words, '--confirm', 'development', ...more], { env, ...options }),
    /** The options for a run that is stopped before its first batch. */
    stopEarly() {
      Object.assign(early, { interrupts: createInterrupts(), requestsForKeys: 0 })
      return { interrupts: early.interrupts }
    },
    /** The user IDs in a result file. */
    rowsIn: (name: string) =>
      readFileSync(join(machine.home, name), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
  }
}

/** A service that rejects the rows of some users. At the first request for a user in `stops`, it interrupts the import. */
function stoppingAt(stops: readonly string[]) {
  const reached = new Set<string>()
  const current = { interrupts: createInterrupts() }
  const script = obedient((request) => {
    const user = userOf(request)
    if (stops.includes(user) && !reached.has(user) && request.method === 'POST') {
      reached.add(user)
      current.interrupts.receive('SIGINT')
    }
    if (user.startsWith('rejected')) return reply(404, { detail: 'user not found' })
    if (user.startsWith('lost')) return request.method === 'POST' ? reset() : reply(405, { detail: 'no' })
    return undefined
  })
  return {
    script,
    next() {
      current.interrupts = createInterrupts()
      return { interrupts: current.interrupts }
    },
  }
}

test('an import reports a missing file before it checks the key or sends a request', async () => {
  const { machine, env, server } = await prepare(['a'], () => reply(401, { detail: 'no' }))
  const missing = join(machine.home, 'missing.csv')
  const words = ['answers', 'import', missing, '--confirm', 'development']
  const runs = [
    await machine.facescan(words, { env }),
    await machine.facescan(words, { env: { ...env, FACESCAN_BASE_URL: 'http://127.0.0.1:9' } }),
    await machine.facescan([...words, '-p', 'NONE']),
  ]
  expect(
    runs.map(({ exitCode, stderr }) => [exitCode, stderr.includes('missing.csv does not exist')]),
  ).toEqual([
    [2, true],
    [2, true],
    [2, true],
  ])
  expect(server.requests).toEqual([])
})

test('if an import was killed after its last request, the next run finishes it without a prompt', async () => {
  let block = () => {}
  const prepared = await prepare(
    ['a', 'b'],
    obedient((request) => {
      if (userOf(request) === 'b') block()
      return undefined
    }),
  )
  const { machine, env, file, imports, posts } = prepared
  const add = `profiles add ACME --key-stdin --base-url ${env.FACESCAN_BASE_URL} --store file --no-verify`
  await machine.facescan(add, { stdin: env.FACESCAN_API_KEY })
  const words = ['answers', 'import', file, '-p', 'ACME']
  // If finished.json is a directory, the end of the import cannot be recorded.
  block = () => mkdirSync(join(imports, readdirSync(imports)[0] ?? '', 'finished.json'), { recursive: true })
  const blocked = await machine.facescan([...words, '--confirm', 'ACME'])
  expect(blocked.exitCode).toBe(13)
  expect(blocked.stderr).toContain('2 of 2 answers accepted')
  expect(blocked.stderr).toContain('then run the same command again')
  block = () => {}
  const id = readdirSync(imports).find((name) => !name.includes('.')) ?? ''
  rmSync(join(imports, id, 'finished.json'), { recursive: true })
  const { exitCode, stdout, stderr } = await machine.facescan([...words, '--json'])
  expect(exitCode, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'finished', accepted: 2, sent_now: 0 })
  expect(stderr).not.toContain('the remaining 0')
  expect(posts()).toHaveLength(2)
})

test('if a row becomes unknown because its request timed out, an import suggests a longer --timeout', async () => {
  const { importing, posts } = await prepare(
    ['slow'],
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      save()
      return hang()
    }),
    short,
  )
  const { exitCode, stderr } = await importing()
  expect(exitCode, stderr).toBe(10)
  expect(stderr).toContain(
    '1 request had no response within 2 s; if the service is slow, use a longer --timeout',
  )
  expect(posts()).toEqual(['slow: height=0'])
})

test('if its state directory is damaged during the run, an import reports the state of its rows', async () => {
  let damage = () => {}
  const { machine, importing, posts } = await prepare(
    ['a', 'b'],
    obedient((request) => {
      if (userOf(request) === 'b' && request.method === 'POST') damage()
      return undefined
    }),
  )
  const replaceByFile = (name: string) => {
    const path = join(machine.home, 'state', name)
    renameSync(path, `${path}.moved`)
    writeFileSync(path, '')
  }
  damage = () => replaceByFile('writers')
  expect((await importing()).exitCode).toBe(0)
  damage = () => replaceByFile('imports')
  rmSync(join(machine.home, 'state', 'writers'))
  const { exitCode, stderr } = await importing(['--again'])
  expect(exitCode, stderr).toBe(13)
  expect(stderr).toContain('2 of 2 answers accepted, 0 rejected, 0 unknown, 0 unsent')
  expect(posts()).toHaveLength(4)
})

test('if the result files cannot be saved, the import still reports the states of its rows, and can be repeated', async () => {
  let damage = () => {}
  const { machine, importing, posts } = await prepare(
    ['a', 'rejected', 'b'],
    obedient((request) => {
      if (userOf(request) === 'rejected') return reply(404, { detail: 'user not found' })
      if (userOf(request) === 'b' && request.method === 'POST') damage()
      return undefined
    }),
  )
  const results = join(machine.home, 'results')
  damage = () => {
    rmSync(results, { recursive: true })
    writeFileSync(results, '')
  }
  const first = await importing(['--results', results])
  expect(first.exitCode, first.stderr).toBe(13)
  expect(first.stderr).toContain('2 of 3 answers accepted, 1 rejected, 0 unknown, 0 unsent')
  const [end] = JSON.parse((await machine.facescan('history list --json')).stdout)
  expect(end).toMatchObject({ outcome: 'done', detail: 'finished: 2 accepted, 1 rejected, 0 unknown' })
  rmSync(results)
  damage = () => {}
  expect((await importing(['--results', results])).exitCode).toBe(10)
  expect(readdirSync(results)).toEqual(['answers.rejects.csv', 'answers.summary.json'])
  expect(posts()).toHaveLength(3)
})

test('if an import is stopped, --json prints its summary', async () => {
  const { script, next } = stoppingAt(['b'])
  const { importing } = await prepare(['a', 'b', 'c'], script)
  const { exitCode, stdout } = await importing(['--json'], next())
  expect(exitCode).toBe(130)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'stopped', accepted: 2, unsent: 1 })
})

test('an import that reaches --max-wait exits with 11 and prints its summary, even with --verify', async () => {
  const { importing } = await prepare(
    ['a', 'b'],
    obedient((request) =>
      userOf(request) === 'b' && request.method === 'POST'
        ? reply(429, { detail: 'later' }, { 'retry-after': '7200' })
        : undefined,
    ),
  )
  const { exitCode, stdout, stderr } = await importing(['--json', '--verify'])
  expect(exitCode, stderr).toBe(11)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'stopped', accepted: 1, unsent: 1 })
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.retry_after).toBe(7200)
})

test('an import with rejected rows names the most frequent reasons', async () => {
  const refuse = (request: RawRequest) => {
    const user = userOf(request)
    if (user.startsWith('rejected')) return reply(404, { detail: 'user not found' })
    return user.startsWith('high') ? reply(422, { detail: 'value is too high' }) : undefined
  }
  const { importing } = await prepare(['high-1', 'rejected-1', 'rejected-2', 'd'], obedient(refuse))
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(10)
  expect(stderr).toContain(
    'Rejected by the service: user not found (2 answers), value is too high (1 answer)',
  )
  expect(stderr).toMatch(
    /Create these users and save their answers: facescan users import .*rejects\.csv --with-answers/,
  )
})

test('an import with rejected rows does not suggest creating users if all users exist', async () => {
  const refuse = ({ method }: RawRequest) =>
    method === 'POST' ? reply(422, { detail: 'value is too high' }) : undefined
  const { importing } = await prepare(['a'], obedient(refuse))
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(10)
  expect(stderr).toContain('value is too high (1 answer)')
  expect(stderr).not.toContain('users import')
})

test('an import that is stopped twice keeps the rows of the first run in its result files', async () => {
  // The import reads eight users ahead, and more than eight users precede user c. So all rejected and lost rows are known when the request
  // for user c is sent.
  const users = ['a', 'rejected-1', 'lost-1', 'b', 'rejected-2', 'e', 'f', 'g', 'h', 'i', 'j', 'c', 'd']
  const { script, next } = stoppingAt(['c'])
  const { importing, rowsIn, machine, stopEarly } = await prepare(users, script, short)
  const words = ['--results', machine.home, '--json']
  expect((await importing(words, next())).exitCode).toBe(130)
  const rows = () => [rowsIn('answers.rejects.csv'), rowsIn('answers.unknown.csv')]
  const first = rows()
  expect(first.flat()).toContain('rejected-1')
  const second = await importing(words, stopEarly())
  expect(second.stderr).toContain('answers accepted')
  expect(rows()).toEqual(first)
})

test('an import that is stopped twice keeps the unknown rows of the first run in answers.unknown.csv', async () => {
  const interrupts = createInterrupts()
  const { importing, rowsIn, stopEarly } = await prepare(
    ['a', 'held', 'b'],
    obedient((request) => {
      if (userOf(request) !== 'held' || request.method === 'GET') return undefined
      interrupts.receive('SIGINT')
      interrupts.receive('SIGINT')
      return hang()
    }),
  )
  expect((await importing([], { interrupts })).exitCode).toBe(130)
  expect(rowsIn('answers.unknown.csv')).toEqual(['held'])
  const { stderr } = await importing([], stopEarly())
  expect(stderr).toContain('1 of 3 answers accepted, 0 rejected, 1 unknown, 1 unsent')
  expect(rowsIn('answers.unknown.csv')).toEqual(['held'])
})

test('if a request is lost and the later request for the list of answers returns 204, the row is sent again', async () => {
  const seen = new Set<string>()
  const lost = new Set<string>()
  const { importing } = await prepare(
    Array.from({ length: 20 }, (_, n) => `user-${n}`),
    obedient((request) => {
      const user = userOf(request)
      if (request.method === 'GET') return seen.has(user) ? undefined : reply(204)
      const isLost = user === 'user-10' && !lost.has(user)
      if (isLost) lost.add(user)
      else seen.add(user)
      return isLost ? reset() : undefined
    }),
    short,
  )
  const { exitCode, stderr } = await importing()
  expect(exitCode, stderr).toBe(0)
})
