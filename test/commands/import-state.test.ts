import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, expect, onTestFinished, test } from 'vitest'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { confirmed, describePost, obedient } from '../bulk/send/fixture.ts'
import { clockIn } from '../helpers/clock.ts'
import { createMachine, type RunOptions } from '../helpers/facescan.ts'
import { reply, type Script, serve, wait } from '../helpers/hostile-server.ts'

/** A machine with a file of answers for 20 users, and a service. A test can change the lookup keys of the service. */
async function prepare(script: Script, answersEach = 1) {
  const machine = createMachine()
  const file = join(machine.home, 'answers.csv')
  const users = Array.from({ length: 20 }, (_, n) => `user-${10 + n}`)
  const lines = users.flatMap((user) =>
    Array.from({ length: answersEach }, (_, n) => `${user},height,${n},UTC`),
  )
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  const service = { keys: ['height'] }
  const server = await serve((request) =>
    request.target.endsWith('/v2/questions/all') ? reply(200, service.keys) : script(request),
  )
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const words = `answers import ${file} --max-concurrency 1 --batch-size 1000 --confirm development`
  const importing = (options: RunOptions = {}) => machine.facescan(words, { env, ...options })
  const posts = () => server.requests.filter(({ method }) => method === 'POST').map(describePost)
  return { machine, file, env, service, importing, posts, imports: join(machine.home, 'state', 'imports') }
}

/** Prepares an import. `interrupts` receives Ctrl-C at the request for the fifth user. */
async function prepareInterrupted() {
  const interrupts = createInterrupts()
  let count = 0
  const script = obedient((request, save) => {
    if (request.method === 'GET') return undefined
    if (++count === 5) interrupts.receive('SIGINT')
    save()
    return confirmed(request)
  })
  return { ...(await prepare(script)), interrupts }
}

const slowly = obedient((request, save) => {
  if (request.method === 'GET') return undefined
  save()
  return [wait(20), confirmed(request)]
})

test('an import is refused if another process finishes the same import at the same time', async () => {
  const { importing, posts, imports } = await prepare(slowly)
  const first = importing()
  while (posts().length < 2) await new Promise((go) => setTimeout(go, 5))
  // The second import reads the journals of all imports. This named pipe is such a journal, so the second import waits until the test opens
  // it.
  mkdirSync(join(imports, 'slow'))
  execFileSync('mkfifo', [join(imports, 'slow', 'journal.ndjson')])
  const second = importing()
  const slow = await open(join(imports, 'slow', 'journal.ndjson'), 'w')
  expect((await first).exitCode).toBe(0)
  rmSync(join(imports, 'slow'), { recursive: true })
  await slow.close()
  const { exitCode, stderr } = await second
  expect(exitCode).toBe(12)
  expect(stderr).toContain('was already imported')
  expect(posts()).toHaveLength(20)
})

test('"imports resume" is refused if the content of the file or the base URL of the service has changed', async () => {
  const { interrupts, machine, file, env, importing, posts, imports } = await prepareInterrupted()
  expect((await importing({ interrupts })).exitCode).toBe(130)
  const before = posts().length
  const [id = ''] = readdirSync(imports)
  const other = join(machine.home, 'other.csv')
  const content = readFileSync(file, 'utf8').replace('user-29', 'user-28')
  writeFileSync(other, content)
  const resume = (more: string[], options: RunOptions = {}) =>
    machine.facescan(['imports', 'resume', id, ...more, '--confirm', 'development'], { env, ...options })
  const { host: elsewhere, origin } = new URL(env.FACESCAN_BASE_URL.replace('127.0.0.1', 'localhost'))
  const refused = [
    await resume([other]),
    await resume(['-'], { stdin: content }),
    await resume([], { env: { ...env, FACESCAN_BASE_URL: origin } }),
  ]
  expect(refused.map(({ exitCode }) => exitCode)).toEqual([12, 12, 12])
  expect(refused[0]?.stderr).toContain(`the content of ${other} does not match the input of import`)
  expect(refused[1]?.stderr).toContain('the content of standard input does not match the input of import')
  expect(refused[2]?.stderr).toContain(`but this command uses ${elsewhere}`)
  expect([posts().length, readdirSync(imports)]).toEqual([before, [id, `${id}.length`]])
  expect((await resume([])).exitCode).toBe(0)
  expect(posts()).toHaveLength(20)
})

test('if the user declines an import at its prompt, no record is left, and the next run does not offer to resume the import', async () => {
  const { machine, file, env, posts, imports } = await prepare(slowly)
  const add = `profiles add ACME --key-stdin --base-url ${env.FACESCAN_BASE_URL} --store file --no-verify`
  expect((await machine.facescan(add, { stdin: env.FACESCAN_API_KEY })).exitCode).toBe(0)
  const run = (stdin: string) => machine.facescan(`answers import ${file} -p ACME`, { terminal: true, stdin })
  expect((await run('n\n')).exitCode).toBe(12)
  expect([existsSync(imports), posts()]).toEqual([false, []])
  const { exitCode, stderr } = await run('20\n')
  expect(exitCode, stderr).toBe(0)
  expect(stderr).not.toContain('Resume import')
  expect(posts()).toHaveLength(20)
})

test('the record of a stopped import is kept if resuming the import is refused', async () => {
  const { interrupts, machine, file, env, importing, posts, imports } = await prepareInterrupted()
  expect((await importing({ interrupts })).exitCode).toBe(130)
  const before = readdirSync(imports)
  const declined = await machine.facescan(`answers import ${file}`, { env })
  expect([declined.exitCode, readdirSync(imports)]).toEqual([12, before])
  expect((await importing()).exitCode).toBe(0)
  expect(posts()).toHaveLength(20)
})

test('a state directory that cannot be read is reported before anything is sent', async () => {
  const { machine, importing, posts, imports } = await prepare(slowly)
  mkdirSync(join(machine.home, 'state'))
  writeFileSync(imports, '')
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(13)
  expect(stderr).toMatch(/cannot read .*imports \(not a directory\)/)
  expect(posts()).toEqual([])
})

test('"answers import --timezone" corrects the case of a zone name and refuses an offset', async () => {
  const { machine, file, env } = await prepare(confirmed)
  const check = (zone: string) =>
    machine.facescan(`answers import ${file} --dry-run --json --timezone ${zone}`, { env })
  expect(JSON.parse((await check('europe/amsterdam')).stdout)).toMatchObject({ timezone: 'Europe/Amsterdam' })
  const { exitCode, stderr } = await check('GMT+0')
  expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
  expect(stderr).toContain('is not an IANA time zone name')
})

test('an import stops if its file changes, and can be resumed with the original content', async () => {
  const { file, importing, posts } = await prepare(slowly, 1000)
  const old = readFileSync(file)
  const first = importing()
  while (posts().length < 2) await new Promise((go) => setTimeout(go, 5))
  appendFileSync(file, 'user-99,height,1,UTC\n')
  const { exitCode, stderr } = await first
  expect(exitCode).toBe(11)
  expect(stderr).toMatch(/changed while facescan was reading it; [\d,]+ of 20,000 answers accepted/)
  expect(stderr).toMatch(
    /To resume a stopped import, restore the original content.\n {2}Resume with: facescan imports resume \w+/,
  )
  expect((await importing()).exitCode).toBe(12)
  writeFileSync(file, old)
  expect((await importing()).exitCode).toBe(0)
  expect(new Set(posts()).size).toBe(20)
  expect(posts()).toHaveLength(20)
})

test('an import stops if its file is truncated, and writes no wrong row to the rejects file', async () => {
  const { machine, file, importing } = await prepare(
    obedient(({ method, target }) => {
      if (method === 'GET' || !target.endsWith('user-29')) return undefined
      truncateSync(file, 0)
      return reply(422, { detail: 'no such scale' })
    }),
  )
  const old = readFileSync(file)
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(11)
  expect(stderr).toContain('changed while facescan was reading it; 19 of 20 answers accepted, 1 rejected')
  writeFileSync(file, old)
  expect((await importing()).exitCode).toBe(10)
  expect(readFileSync(join(machine.home, 'answers.rejects.csv'), 'utf8')).toContain(
    '\nuser-29,height,0,UTC,21,',
  )
})

/** An import of 20 users that Ctrl-C stopped at the fifth user. */
async function stopped(...more: string[]) {
  const { interrupts, ...prepared } = await prepareInterrupted()
  const { machine, file, env } = prepared
  const words = ['answers', 'import', file, '--max-concurrency', '1', '--confirm', 'development']
  words.push('--results', machine.home)
  const importing = (options: RunOptions, ...flags: string[]) =>
    machine.facescan([...words, ...flags], { env, ...options })
  expect((await importing({ interrupts }, ...more)).exitCode).toBe(130)
  return { ...prepared, importing, sent: prepared.posts().length }
}

test('a stopped shard is not resumed if the number of shards has changed, even with --again', async () => {
  const { importing, posts, sent } = await stopped('--shard', '1/2')
  const { exitCode, stderr } = await importing({}, '--shard', '1/3', '--again')
  expect(exitCode).toBe(12)
  expect(stderr).toContain('was started with 2 shards')
  expect(posts()).toHaveLength(sent)
})

test('for a stopped shard, "imports show" prints the resume command with the results directory', async () => {
  const { machine, env, imports } = await stopped('--shard', '1/2')
  const [id = ''] = readdirSync(imports)
  const { stdout } = await machine.facescan(['imports', 'show', id], { terminal: true, columns: 200 })
  const [, words = ''] = /Resume with: facescan (.*?) *$/m.exec(stdout) ?? []
  expect(words).toContain(`imports resume ${id}`)
  const resumed = await machine.facescan(`${words} --confirm development --json`, { env })
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  expect(existsSync(join(machine.home, 'answers.1-of-2.summary.json'))).toBe(true)
})

test('the summary of a resumed import contains the requests and the time of all its runs', async () => {
  const { importing, machine, imports, sent } = await stopped()
  const [id = ''] = readdirSync(imports)
  const show = async () => JSON.parse((await machine.facescan(['imports', 'show', id, '--json'])).stdout)
  const before = await show()
  expect(before).toMatchObject({ status: 'stopped', requests: sent, retried: 0 })
  const resumed = JSON.parse((await importing({}, '--json')).stdout)
  expect(resumed).toMatchObject({ status: 'finished', requests: 20, sent_now: 20 - sent })
  expect(resumed.seconds).toBeGreaterThan(before.seconds)
  const { requests, seconds } = resumed
  expect(await show()).toMatchObject({ status: 'finished', requests, seconds })
  const repeated = JSON.parse((await importing({}, '--json', '--repeat-result')).stdout)
  expect(repeated).toMatchObject({ requests, seconds, sent_now: 0 })
})

test('an import treats two base URLs with the same host and different paths as different services', async () => {
  const { importing, env, posts, sent } = await stopped()
  const elsewhere = { ...env, FACESCAN_BASE_URL: `${env.FACESCAN_BASE_URL}/other/` }
  const { exitCode, stderr } = await importing({ env: elsewhere })
  expect(exitCode).toBe(0)
  expect(stderr).toContain('/other')
  expect(posts()).toHaveLength(sent + 20)
})

test('a stopped import can be resumed with another API key only with --key-replaced', async () => {
  const { importing, machine, env, posts, sent, imports } = await stopped()
  const other = { ...env, FACESCAN_API_KEY: 'other'.repeat(8) }
  const { exitCode, stderr } = await importing({ env: other })
  expect(exitCode).toBe(12)
  const [id = ''] = readdirSync(imports)
  expect(stderr).toContain(`resume with: facescan imports resume ${id} --key-replaced`)
  const resume = (...more: string[]) =>
    machine.facescan(['imports', 'resume', id, '--confirm', 'development', ...more], { env: other })
  expect((await resume()).exitCode).toBe(12)
  expect(posts()).toHaveLength(sent)
  expect((await resume('--key-replaced')).exitCode).toBe(0)
  expect(posts()).toHaveLength(20)
})

test('a resumed import sends its valid rows even if the service removed their lookup key after the import was started', async () => {
  const { importing, service, posts, machine } = await stopped('--shard', '1/1')
  service.keys = ['weight']
  const { exitCode, stderr } = await importing({}, '--shard', '1/1')
  expect(exitCode, stderr).toBe(0)
  expect(posts()).toHaveLength(20)
  const again = await importing({}, '--shard', '1/1', '--skip-invalid', '--json')
  expect(again.exitCode, again.stderr).toBe(0)
  const summary = JSON.parse(readFileSync(join(machine.home, 'answers.1-of-1.summary.json'), 'utf8'))
  expect([summary, JSON.parse(again.stdout)]).toMatchObject([{ accepted: 20 }, { accepted: 20 }])
  expect((await importing({}, '--shard', '1/1', '--again')).exitCode).toBe(2)
})

test.runIf(process.platform === 'linux')(
  'an import reads a process substitution such as <(cat FILE) like a pipe',
  async () => {
    const { machine, file, env, posts } = await prepare(slowly)
    const input = openSync(file, 'r')
    onTestFinished(() => closeSync(input))
    const words = ['answers', 'import', `/proc/${process.pid}/fd/${input}`, '--confirm', 'development']
    const { exitCode, stdout, stderr } = await machine.facescan(
      [...words, '--results', machine.home, '--json'],
      { env },
    )
    expect(exitCode, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ source: '-', accepted: 20 })
    expect(posts()).toHaveLength(20)
  },
)

test('if an import stopped just before its end, the resumed import writes one file of rejected rows', async () => {
  const finished = () => join(imports, readdirSync(imports)[0] ?? '', 'finished.json')
  const { machine, importing, imports, posts } = await prepare(
    obedient(({ method, target }) => {
      if (method === 'GET' || !target.endsWith('user-29')) return undefined
      // If finished.json is a directory, the end of the import cannot be recorded.
      mkdirSync(finished())
      return reply(422, { detail: 'no such scale' })
    }),
  )
  expect((await importing()).exitCode).toBe(13)
  rmSync(finished(), { recursive: true })
  expect((await importing()).exitCode).toBe(10)
  expect(posts()).toHaveLength(20)
  expect(readdirSync(machine.home).filter((name) => name.includes('rejects'))).toEqual([
    'answers.rejects.csv',
  ])
})

test('an import is refused if its record from version 0.1 was edited', async () => {
  const { importing, imports } = await prepare(obedient(() => undefined))
  expect((await importing()).exitCode).toBe(0)
  const [id = ''] = readdirSync(imports)
  const path = join(imports, id, 'finished.json')
  const record = JSON.parse(JSON.parse(readFileSync(path, 'utf8')).text)
  writeFileSync(
    path,
    JSON.stringify({ ...record, header: { ...record.header, identity: { sha256: 'f', bytes: 1 } } }),
  )
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(13)
  expect(stderr).toContain('its record belongs to a file with different content')
})

test('a stopped import is not started again if its journal was deleted', async () => {
  const { interrupts, importing, posts, imports } = await prepareInterrupted()
  expect((await importing({ interrupts })).exitCode).toBe(130)
  const before = posts().length
  const [id = ''] = readdirSync(imports)
  rmSync(join(imports, id, 'journal.ndjson'))
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(13)
  expect(stderr).toContain(`import ${id} cannot be resumed: its journal is missing`)
  expect(stderr).toContain('Restore the directory from a backup')
  expect(posts()).toHaveLength(before)
})

test('an import that was started with --again cannot be resumed without its journal', async () => {
  const interrupts = createInterrupts()
  const script = obedient((request, save) => {
    if (request.method === 'GET') return undefined
    save()
    if (posts().length === 25) interrupts.receive('SIGINT')
    return confirmed(request)
  })
  const { machine, importing, posts, imports, file, env } = await prepare(script)
  expect((await importing()).exitCode).toBe(0)
  const [first = ''] = readdirSync(imports)
  const words = `answers import ${file} --again --max-concurrency 1 --confirm development`
  const later = { env, interrupts, clock: clockIn(60_000) }
  expect((await machine.facescan(words, later)).exitCode).toBe(130)
  const before = posts().length
  const id = readdirSync(imports).find(
    (name) => name !== first && existsSync(join(imports, name, 'journal.ndjson')),
  )
  assert(id)
  rmSync(join(imports, id, 'journal.ndjson'))
  const { exitCode, stderr } = await machine.facescan(words, { env })
  expect(exitCode, stderr).toBe(13)
  expect(stderr).toContain(`import ${id} cannot be resumed: its journal is missing`)
  expect(posts()).toHaveLength(before)
})
