import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createInterrupts, limitTime } from '../../../src/context/interrupts.ts'
import { clockThatEnds, realClock } from '../../helpers/clock.ts'
import { createMachine } from '../../helpers/facescan.ts'
import {
  type HostileServer,
  hang,
  reply,
  reset,
  type Step,
  serve,
  wait,
} from '../../helpers/hostile-server.ts'
import { needs } from '../../helpers/needs.ts'
import { type Service, startService } from '../../helpers/service.ts'

const machine = createMachine()
const { home } = machine
const user = { user_id: crypto.randomUUID(), customer: 'ACME', external_user_id: null }
let service: Service
const manyIds = Array.from({ length: 2_000 }, (_, n) => `user-${n}`)

beforeAll(async () => {
  service = await startService()
  return () => service.close()
})

function listOf(ids: readonly string[]): string {
  const path = join(home, 'staff.csv')
  writeFileSync(path, `external_user_id\n${ids.join('\n')}\n`)
  return path
}

/** A service that responds with `odd` if the ID of the user contains "odd", and otherwise with `usual`. */
function serveAround(odd: Step | readonly Step[], usual: Step | readonly Step[] = reply(200, user)) {
  return serve(({ target }) => (target.includes('odd') ? odd : usual))
}

const envFor = ({ url }: HostileServer) => ({ FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: url })

test.each(['development', 'production'] as const)(
  '"users get --users" accepts a %s key from a profile, a file, a variable, and standard input',
  async (kind) => {
    const { key } = service.keys[kind]
    const name = kind === 'development' ? 'ACME-DEV' : 'ACME'
    const added = await machine.facescan(
      `profiles add ${name} --key-stdin --store file --base-url ${service.url}`,
      { stdin: key },
    )
    expect(added.exitCode, added.stderr).toBe(0)
    const id = `ann-${kind}`
    expect((await machine.facescan(`users create ${id} -p ${name} --confirm=${name}`)).exitCode).toBe(0)
    const keyFile = join(home, 'key')
    writeFileSync(keyFile, key, { mode: 0o600 })
    const line = `users get --users ${listOf([id, 'nope'])} -o csv --no-header`
    const address = { FACESCAN_BASE_URL: service.url }
    const runs = [
      await machine.facescan(`${line} -p ${name}`),
      await machine.facescan(`${line} --key-file ${keyFile}`, { env: address }),
      await machine.facescan(line, { env: { ...address, FACESCAN_API_KEY_FILE: keyFile } }),
      await machine.facescan(line, { env: { ...address, FACESCAN_API_KEY: key } }),
      await machine.facescan(`${line} --key-stdin`, { env: address, stdin: key }),
    ]
    for (const { exitCode, stdout, stderr } of runs) {
      expect(exitCode, stderr).toBe(10)
      expect(stdout).toMatch(new RegExp(`^${id},[0-9a-f-]{36},`))
      expect(stdout.trim().split('\n')).toHaveLength(1)
    }
  },
)

test.each([
  ['users import', '--action-token is not supported here; use an API key'],
  ['users get --users', '--action-token is not supported here; use an API key'],
  ['wellbeing --users', '--action-token identifies one user and cannot be used with --users; use an API key'],
])('"%s" refuses an action token', async (command, message) => {
  const token = join(home, 'token')
  writeFileSync(token, 'header.payload.signature', { mode: 0o600 })
  const { exitCode, stderr } = await machine.facescan(`${command} ${listOf(['ann'])} --action-token ${token}`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})

test.each([
  [401, 3, '0 failed, 3 not tried'],
  [403, 5, '0 failed, 3 not tried'],
])(
  '"users get" for a list stops after the first status %i and exits with %i',
  async (status, code, counts) => {
    const server = await serve(() => reply(status, { detail: 'no' }))
    const line = `users get --users ${listOf(['a', 'b', 'c'])} -o csv`
    const { exitCode, stdout, stderr } = await machine.facescan(line, { env: envFor(server) })
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: code, stdout: '' })
    expect(stderr).toContain(counts)
  },
)

test.each([
  ['status 404', reply(404, { detail: 'no' }), 'not_found'],
  ['status 400', reply(400, { detail: 'no' }), 'rejected'],
  ['status 429', reply(429, { detail: 'no' }), 'rate_limited'],
  ['status 500', reply(500, { detail: 'no' }), 'server'],
  ['a connection reset', reset(), 'network'],
  ['a timeout', hang(), 'network'],
])(
  '"users get" reports a user in a list as failed after %s, and reads the other users',
  async (name, odd, failure) => {
    const server = await serveAround(odd)
    // The timeout is long enough for the responses for the users "a" and "c", even on a busy machine.
    const timeout = name === 'a timeout' ? '4s' : '60s'
    const line = `users get --users ${listOf(['a', 'odd', 'c'])} -o csv --no-header --retries 0 --timeout ${timeout}`
    const { exitCode, stdout, stderr } = await machine.facescan(line, { env: envFor(server) })
    expect(exitCode, stderr).toBe(10)
    expect(stdout.match(/^\w/gm)).toEqual(['a', 'c'])
    expect(stderr).toContain(`"line":3,"code":"${failure}"`)
    expect(stderr).toContain('1 of 3 users failed; 2 done')
  },
)

test.each([
  ['an HTML page', reply(404, '<html>', { 'content-type': 'text/html' })],
  ['the text "Not Found"', reply(404, { detail: 'Not Found' })],
])(
  'if each path returns 404 with %s, "users get" for a list stops and reports no failed users',
  async (_, missing) => {
    const server = await serve(() => missing)
    const line = `users get --users ${listOf(manyIds)} -o csv`
    const { exitCode, stdout, stderr } = await machine.facescan(line, { env: envFor(server) })
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toContain('GET /v2/questions/all not found on 127.0.0.1')
    expect(stderr).toContain('Check the base URL')
    expect(stderr).toContain('0 done, 0 failed, 2,000 not tried')
    expect(server.requests.length).toBeLessThan(200)
  },
)

test.each([
  ['no text', reply(404, '')],
  ['a text that does not name the user', reply(404, { detail: 'no' })],
])(
  'if the path of a user returns 404 with %s, "users get" checks another path once and reports the user as failed',
  async (_, missing) => {
    const server = await serve(({ target }) => (target.includes('questions') ? reply(200, []) : missing))
    const line = `users get --users ${listOf(['a', 'b', 'c'])} -o csv`
    const { exitCode, stderr } = await machine.facescan(line, { env: envFor(server) })
    expect(exitCode, stderr).toBe(10)
    expect(stderr).toContain('3 of 3 users failed')
    expect(server.requests.filter(({ target }) => target.includes('questions'))).toHaveLength(1)
  },
)

test.each([
  ['500', reply(500, { detail: 'no' })],
  ['an HTML page', reply(200, '<html>', { 'content-type': 'text/html' })],
])(
  'if the request for each user fails with %s, "users get" stops with exit code 11 and can be resumed',
  async (_, failing) => {
    let isUp = false
    const server = await serve(({ target }) =>
      target.includes('questions') || isUp ? reply(200, target.includes('questions') ? [] : user) : failing,
    )
    const out = join(home, 'all-fail.csv')
    rmSync(out, { force: true })
    const line = `users get --users ${listOf(manyIds)} --out ${out}`
    const stopped = await machine.facescan(line, { env: envFor(server) })
    expect(stopped.exitCode, stopped.stderr).toBe(11)
    expect(stopped.stderr).toContain('the service fails for all users: ')
    expect(stopped.stderr).toContain('0 done, 0 failed, 2,000 not tried')
    isUp = true
    const resumed = await machine.facescan(line, { env: envFor(server) })
    expect(resumed.exitCode, resumed.stderr).toBe(0)
  },
)

test('"users get" for a list stops at --max-time with exit code 11, and the same command resumes it', async () => {
  const server = await serveAround([])
  const out = join(home, 'limited.csv')
  const line = `users get --users ${listOf(manyIds.slice(0, 50))} --out ${out}`
  const limited = { env: envFor(server), clock: clockThatEnds(10) }
  const stopped = await machine.facescan(`${line} --rate 20/s --max-time 1h`, limited)
  expect(stopped.exitCode, stopped.stderr).toBe(11)
  expect(stopped.stderr).toContain('Resume with: facescan users get')
  expect(existsSync(out)).toBe(false)
  const resumed = await machine.facescan(line, { env: envFor(server) })
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  expect(readFileSync(out, 'utf8').split('\r\n')).toHaveLength(52)
  expect(server.requests).toHaveLength(50)
})

const shell = needs('bash')

/** Runs a script in which the word `FACESCAN` stands for the built program. */
function startShell(script: string, server: HostileServer, interpreter = 'sh') {
  const program = `${process.execPath} ${resolve('bin/facescan.js')}`
  const child = spawn(interpreter, ['-c', script.replaceAll('FACESCAN', program)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...machine.env, ...envFor(server) },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ code, stdout, stderr }),
  )
  return { child, ended }
}

test.each([
  ['a duration', '2h'],
  ['a date', '2099-01-01'],
])('after Ctrl-C, the same command resumes "scan-url" with %s in --expire-at', async (_, time) => {
  const interrupts = createInterrupts()
  const server = await serve(() => {
    if (server.requests.length === 20) interrupts.receive('SIGINT')
    return reply(200, '"https://scan.example.com/?action_token=e30.eyJleHAiOjQwMDAwMDAwMDB9.x"')
  })
  const list = listOf(manyIds.slice(0, 50))
  const line = `scan-url --users ${list} --expire-at ${time} --out ${join(home, `until-${time}.csv`)}`
  const stopped = await machine.facescan(`${line} --max-concurrency 1`, { env: envFor(server), interrupts })
  expect(stopped.exitCode, stopped.stderr).toBe(130)
  const resumed = await machine.facescan(line, { env: envFor(server) })
  expect(resumed.exitCode, resumed.stderr).toBe(0)
  expect(server.requests).toHaveLength(50)
})

test.skipIf(shell.missing)(
  '"users get" for a list stops without an error if the reader of its output exits',
  async () => {
    const server = await serveAround([])
    const line = `FACESCAN users get --users ${listOf(manyIds)} -o csv | head -2; exit \${PIPESTATUS[0]}`
    const { code, stdout, stderr } = await startShell(line, server, shell.path.bash).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toHaveLength(3)
    expect(server.requests.length).toBeLessThan(manyIds.length)
  },
)

test('"users get" writes failed users to a named pipe in --errors, and does not replace the pipe', async () => {
  const pipe = join(home, 'pipe')
  execFileSync('mkfifo', [pipe])
  const read = readFile(pipe, 'utf8')
  const { exitCode, stderr } = await machine.facescan(
    `users get --users ${listOf(['nope'])} --errors ${pipe} -o csv`,
  )
  expect(exitCode, stderr).toBe(10)
  expect(await read).toContain('nope,2,,not_found')
  expect(statSync(pipe).isFIFO()).toBe(true)
})

test.each(['-o csv', '--out OUT'])(
  'if no program reads the pipe in --errors, "users get %s" stops at --max-time',
  async (output) => {
    const pipe = join(home, `unread${output.length}`)
    execFileSync('mkfifo', [pipe])
    const out = join(home, `unread${output.length}.csv`)
    const line = `users get --users ${listOf(['nope'])} --errors ${pipe} ${output.replace('OUT', out)}`
    const { exitCode, stderr } = await machine.facescan(`${line} --max-time 2s`)
    expect(exitCode, stderr).toBe(9)
    expect(stderr).toContain('--max-time')
    expect(statSync(pipe).isFIFO()).toBe(true)
  },
)

test.skipIf(shell.missing)(
  '"users get --users" stops with exit code 13 on a full disk, and can be resumed',
  async () => {
    const server = await serveAround([])
    const out = join(home, 'full.csv')
    const line = `FACESCAN users get --users ${listOf(manyIds)} --out ${out}`
    const stopped = await startShell(`ulimit -f 64; ${line}`, server, shell.path.bash).ended
    expect(stopped.code, stopped.stderr).toBe(13)
    expect(stopped.stderr).toContain(`cannot write ${out} (`)
    expect(stopped.stderr).toMatch(/; [\d,]+ done, 0 failed, [\d,]+ not tried/)
    expect(stopped.stderr).not.toContain('--results')
    expect(existsSync(out)).toBe(false)
    const resumed = await startShell(line, server).ended
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(readFileSync(out, 'utf8').split('\r\n')).toHaveLength(manyIds.length + 2)
    const device = await startShell(`${line.replace(/ --out.*/, ' -o csv')} > /dev/full`, server).ended
    expect(device.code, device.stderr).toBe(13)
  },
)

test('if the state of a list cannot be stored, the command exits with 13 and names the directory', async () => {
  const blocked = createMachine()
  mkdirSync(join(blocked.home, 'state'), { mode: 0o700 })
  writeFileSync(join(blocked.home, 'state', 'lists'), '')
  const line = `users get --users ${listOf(['a'])} --out ${join(blocked.home, 'out.csv')}`
  const { exitCode, stderr } = await blocked.facescan(line)
  expect(exitCode, stderr).toBe(13)
  expect(stderr).toContain(`cannot write ${join(blocked.home, 'state', 'lists')}`)
})

test('"users get" does not replace an --out file that another program created during the run, but writes the errors file', async () => {
  const out = join(home, 'appearing.csv')
  let isFirst = true
  const server = await serve(({ target }) => {
    if (isFirst) writeFileSync(out, 'notes')
    return target.includes('gone') ? reply(404, {}) : reply(200, user)
  })
  const line = `users get --users ${listOf(['a', 'b', 'gone'])} --out ${out}`
  const refused = await machine.facescan(line, { env: envFor(server) })
  expect(refused.exitCode, refused.stderr).toBe(11)
  expect(refused.stderr).toContain(`another program created ${out} during this run`)
  expect(readFileSync(out, 'utf8')).toBe('notes')
  expect(readFileSync(join(home, 'appearing.errors.csv'), 'utf8')).toContain('gone,4,,not_found')
  rmSync(out)
  isFirst = false
  const resumed = await machine.facescan(line, { env: envFor(server) })
  expect(resumed.exitCode, resumed.stderr).toBe(10)
  expect(readFileSync(out, 'utf8').split('\r\n')).toHaveLength(4)
})

test('"users get" reports a user as not tried if --max-time ends the request after Ctrl-C', async () => {
  const interrupts = createInterrupts()
  const server = await serve(() => {
    interrupts.receive('SIGINT')
    setTimeout(() => limitTime(1, realClock, interrupts), 20)
    return wait(60_000)
  })
  const out = join(home, 'timed-out.csv')
  const line = `users get --users ${listOf(['a', 'b', 'c'])} --max-concurrency 1 --out ${out}`
  const { stderr } = await machine.facescan(line, { env: envFor(server), interrupts })
  expect(stderr.match(/stopping when the in-flight requests finish/g)).toHaveLength(1)
  expect(stderr).toContain('0 done, 0 failed, 3 not tried')
  await server.close()
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const)(
  '"users get" completes its JSON document after %s and exits with code %i',
  async (signal, code) => {
    const server = await serveAround([], [wait(30), reply(200, user)])
    const line = `exec FACESCAN users get --users ${listOf(manyIds)} --rate 100/s --json`
    const { child, ended } = startShell(line, server)
    while (server.requests.length < 50) await new Promise((done) => setTimeout(done, 10))
    child.kill(signal)
    const ran = await ended
    expect(ran.code, ran.stderr).toBe(code)
    expect(JSON.parse(ran.stdout).length).toBe(server.requests.length)
    expect(ran.stderr).toContain(`${server.requests.length} done, 0 failed`)
  },
)
