import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { idleClock } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve, wait } from '../helpers/hostile-server.ts'
import { needs } from '../helpers/needs.ts'
import { confirmed, obedient } from './send/fixture.ts'

const isolation = ['--pid', '--fork', '--mount-proc', '--kill-child', '--uts']
const tools = needs('unshare', 'hostname')
const canIsolate = tools.missing === '' && spawnSync(tools.path.unshare, [...isolation, 'true']).status === 0

interface Container {
  machine: Machine
  words: string
  env: Record<string, string>
}

/** Starts a command in a container with its own process IDs and its own host name. */
function startIn(host: string, { machine, words, env }: Container): ChildProcess {
  const program = [process.execPath, resolve('bin/facescan.js'), ...words.split(' ')]
  const shell = ['sh', '-c', '"$0" "$1"; shift; exec "$@"', tools.path.hostname, host, ...program]
  const child = spawn(tools.path.unshare, [...isolation, ...shell], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: machine.home,
      FACESCAN_STATE_DIR: join(machine.home, 'state'),
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A slow service, and a machine whose containers share one state directory. An import sends one request per row. */
async function prepare(rows = 60) {
  const machine = createMachine()
  const file = join(machine.home, 'answers.csv')
  const lines = Array.from({ length: rows }, (_, n) => `user-${n},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  const service = { replyMs: 400 }
  const server = await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      save()
      return [wait(service.replyMs), confirmed(request)]
    }),
  )
  const words = `answers import ${file} --max-concurrency 1 --confirm development`
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const startContainer = (host: string) => startIn(host, { machine, words, env })
  const posts = () => server.requests.filter(({ method }) => method === 'POST').map(({ target }) => target)
  return { machine, words, env, startContainer, posts, service }
}

test.skipIf(!canIsolate)(
  'an import is refused if another container with the same host name is running the import',
  async () => {
    // With 600 rows, the first container runs until the second container has found the lock, even on a busy machine.
    const { startContainer, posts } = await prepare(600)
    const first = startContainer('c1')
    while (posts().length === 0) await new Promise((go) => setTimeout(go, 20))
    const second = startContainer('c1')
    const [output, [code]] = await Promise.all([text(second.stderr as never), once(second, 'exit')])
    expect(output).toContain('may be using the same files; waiting up to 1 min 30 s')
    expect(output).toContain('is already using the same files')
    expect(code).toBe(12)
    expect(first.exitCode).toBeNull()
    expect(new Set(posts()).size).toBe(posts().length)
  },
)

test.skipIf(!canIsolate)(
  'the import of a killed container can be resumed on another host, and no row is sent twice',
  async () => {
    const { machine, words, env, startContainer, posts, service } = await prepare()
    const first = startContainer('c1')
    while (posts().length < 3) await new Promise((go) => setTimeout(go, 20))
    first.kill('SIGKILL')
    await once(first, 'exit')
    service.replyMs = 0
    // The fake clock is ahead of the service's clock, so the outcome of the interrupted requests stays unknown.
    const { exitCode, stderr } = await machine.facescan(words, { env, clock: idleClock() })
    expect(exitCode, stderr).toBe(10)
    expect(stderr).toContain('may be using the same files; waiting up to 1 min 30 s')
    expect(stderr).toContain('0 unsent')
    expect(new Set(posts()).size).toBe(posts().length)
  },
)

test.skipIf(!canIsolate)(
  'if another container created the users while "users import" waited, the users are reported as existing',
  async () => {
    const machine = createMachine()
    const file = join(machine.home, 'staff.csv')
    writeFileSync(file, 'external_user_id\n4711\n4712\n')
    const users = new Map<string, string>()
    const isWaiting = new AbortController()
    const server = await serve(async (request) => {
      const isCreate = request.method === 'POST'
      const id = isCreate ? JSON.parse(request.body).external_user_id : idIn(request.target)
      if (isCreate && users.has(id)) return reply(400, { detail: 'a user with this ID already exists' })
      if (isCreate) users.set(id, randomUUID())
      // The first container waits until the second container has found the lock.
      if (isCreate && !isWaiting.signal.aborted) await once(isWaiting.signal, 'abort')
      const found = users.get(id)
      return found
        ? reply(200, { user_id: found, customer: 'Acme' })
        : reply(404, { detail: 'user not found' })
    })
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    const words = `users import ${file} --timeout 300s --confirm development`
    const first = startIn('c1', { machine, words, env })
    const firstEnd = once(first, 'exit')
    while (users.size === 0) await new Promise((go) => setTimeout(go, 20))
    const second = startIn('c2', { machine, words, env })
    second.stderr?.on('data', (bytes: Buffer) => {
      if (bytes.includes('may be using the same files; waiting up to 1 min 30 s')) isWaiting.abort()
    })
    const [output, [code]] = await Promise.all([text(second.stderr as never), once(second, 'exit')])
    expect(output).toContain('nothing to import: 2 existing')
    expect(code).toBe(0)
    expect((await firstEnd)[0]).toBe(0)
  },
)

function idIn(target: string): string {
  return new URL(target, 'http://service').searchParams.get('external_user_id') ?? ''
}
