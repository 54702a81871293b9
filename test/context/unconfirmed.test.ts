import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { meaningOf } from '../../src/http/meaning.ts'
import { realClock } from '../helpers/clock.ts'
import { createMachine } from '../helpers/facescan.ts'
import { findLog } from '../helpers/history.ts'
import { close, cutReply, type RawRequest, reply, type Step, serve } from '../helpers/hostile-server.ts'

const userId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const otherId = '00000000-0000-4000-8000-000000000000'
const user = {
  user_id: userId,
  customer: 'Acme',
  external_user_id: null,
  birth_date: null,
  sex: 'F',
  language: 'en',
  preferred_unit_system: null,
}
const answer = { lookup_key: 'weight', value: 80, user_id: userId }

interface Change {
  line: string
  method: string
  confirms: readonly [status: number, body?: unknown]
  /** Bodies that do not confirm the change, although the status means success. */
  others: Record<string, unknown>
}

const changes: Record<string, Change> = {
  'users create': {
    line: 'users create 4711 --sex F --confirm=REMOTE',
    method: 'POST',
    confirms: [201, user],
    others: {
      'no user ID': { ...user, user_id: undefined },
      'an empty user ID': { ...user, user_id: '' },
      'another sex': { ...user, sex: 'M' },
    },
  },
  'users update': {
    line: `users update --user-id ${userId} --language nl --confirm=REMOTE`,
    method: 'PUT',
    confirms: [200, { ...user, language: 'nl' }],
    others: { 'another user ID': { ...user, user_id: otherId }, 'another language': user },
  },
  'users delete': {
    line: `users delete --user-id ${userId} --confirm=${userId}`,
    method: 'DELETE',
    confirms: [204],
    others: {},
  },
  'answers save': {
    line: `answers save weight=80 --user-id ${userId} --timezone UTC --confirm=REMOTE`,
    method: 'POST',
    confirms: [201, answer],
    others: {
      'another user ID': { ...answer, user_id: otherId },
      'another value': { ...answer, value: 81 },
      'another lookup key': { ...answer, lookup_key: 'height' },
    },
  },
  'a raw call': {
    line: `api PUT /v2/users/${userId} -f language=nl --confirm=REMOTE`,
    method: 'PUT',
    confirms: [200, user],
    others: {},
  },
  'a raw call with an unknown path': {
    line: 'api POST /v2/other -f language=nl --confirm=REMOTE',
    method: 'POST',
    confirms: [204],
    others: {},
  },
}

const noContent: [name: string, step: Step][] = [['status 204', reply(204)]]

/** Responses with a 2xx status that do not prove the change. */
function doubtful({ confirms: [status, body], others }: Change): [name: string, step: Step | Step[]][] {
  const page = '<!doctype html><title>Sign in</title>'
  const wrongBodies = Object.entries(others).map(([name, other]): [string, Step] => [
    name,
    reply(status, other),
  ])
  return [
    ['an HTML page with status 200', reply(200, page, { 'content-type': 'text/html' })],
    ['status 202', reply(202, body ?? '')],
    ['a truncated body', [cutReply(status, JSON.stringify(body ?? 'text'), 4), close()]],
    ...(body === undefined ? [] : noContent),
    ...wrongBodies,
  ]
}

async function send({ line, method }: Change, step: Step | Step[]) {
  const script = (request: RawRequest) => (request.method === method ? step : reply(200, user))
  const server = await serve(script)
  const machine = createMachine()
  await machine.facescan(
    `profiles add REMOTE --key-stdin --store file --no-verify --base-url ${server.url}`,
    { stdin: 'k'.repeat(40) },
  )
  const ran = await machine.facescan(`${line} -p REMOTE --retries 0`)
  const log = readFileSync(findLog(join(machine.home, 'state')), 'utf8')
  return { ...ran, home: machine.home, last: JSON.parse(log.trimEnd().split('\n').at(-1) ?? '') }
}

/**
 * Time in ms during which the service can still apply the last request of a command. The command recorded it, so that imports can read it.
 */
function settleMsIn(home: string): number {
  const folder = join(home, 'state', 'writers')
  const [mark = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  return JSON.parse(readFileSync(join(folder, mark), 'utf8')).settleMs
}

describe.each(Object.entries(changes))('%s', (_, change) => {
  test('the audit log records a change as done if the response confirms the change', async () => {
    const [status, body] = change.confirms
    const { exitCode, stderr, last } = await send(change, reply(status, body))
    expect(exitCode, stderr).toBe(0)
    expect(stderr).not.toContain('may have been applied')
    expect(last).toMatchObject({ outcome: 'done', status })
  })

  test.each(doubtful(change))(
    'after a response with %s, a command warns that its change may have been applied',
    async (_, step) => {
      const { exitCode, stdout, stderr, last } = await send(change, step)
      expect(last).toMatchObject({ outcome: 'unknown' })
      expect(stderr).toContain('The change may have been applied')
      expect(stderr).not.toContain('✓')
      expect([exitCode, stdout]).toEqual([expect.any(Number), ''])
      expect([8, 9]).toContain(exitCode)
    },
  )
})

const outcomes = { no: 'failed', maybe: 'unknown', yes: 'done' } as const

test.each([400, 401, 404, 408, 409, 425, 429, 500, 501, 503])(
  'the audit log, the error, and the next import agree on whether status %i applied the change',
  async (status) => {
    const { applied } = meaningOf({ status })
    const { home, stderr, last } = await send(changes['answers save'] as Change, reply(status, {}))
    expect(last).toMatchObject({ status, outcome: outcomes[applied] })
    expect(stderr.includes('may have been applied')).toBe(applied === 'maybe')
    expect(settleMsIn(home) > 0).toBe(applied === 'maybe')
  },
)

test('a change that did not reach the service causes no warning that it may have been applied', async () => {
  const change = changes['answers save'] as Change
  const server = await serve(() => reply(200, user))
  const machine = createMachine()
  await machine.facescan(
    `profiles add REMOTE --key-stdin --store file --no-verify --base-url ${server.url}`,
    {
      stdin: 'k'.repeat(40),
    },
  )
  await server.close()
  const { exitCode, stderr } = await machine.facescan(`${change.line} -p REMOTE --retries 0`)
  expect([exitCode, stderr]).toEqual([9, expect.not.stringContaining('may have been applied')])
  expect(settleMsIn(machine.home)).toBe(0)
})

test('the audit log records an interrupted change as unknown if its first attempt may have been applied', async () => {
  const change = changes['users update'] as Change
  const interrupts = createInterrupts()
  const server = await serve(({ method }) => (method === 'PUT' ? reply(503, {}) : reply(200, user)))
  const clock: Clock = {
    ...realClock,
    sleep(ms, signal) {
      interrupts.receive('SIGINT')
      return realClock.sleep(ms, signal)
    },
  }
  const machine = createMachine()
  await machine.facescan(
    `profiles add REMOTE --key-stdin --store file --no-verify --base-url ${server.url}`,
    {
      stdin: 'k'.repeat(40),
    },
  )
  expect((await machine.facescan(`${change.line} -p REMOTE`, { interrupts, clock })).exitCode).toBe(130)
  const log = readFileSync(findLog(join(machine.home, 'state')), 'utf8')
  expect(JSON.parse(log.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ outcome: 'unknown' })
})
