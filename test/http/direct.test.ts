import { beforeAll, expect, it } from 'vitest'
import { uptimeMs } from '../../src/base/clock.ts'
import { endpoints } from '../../src/contract/index.ts'
import { callDirectly } from '../../src/http/direct.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { createSender } from '../../src/http/transport.ts'
import type { WireRequest, WireResponse } from '../../src/http/wire.ts'
import { openSandbox } from '../../src/sandbox/index.ts'
import type { Handle } from '../../src/sandbox/service.ts'
import { useSandbox } from '../sandbox/fixture.ts'
import { createPerson, locate, type Person, samples } from '../sandbox/samples.ts'

// The sandbox in the process of a command ignores unknown fields. This sandbox must do the same, so that the responses match.
const fixture = useSandbox({ strict: false })
const origin = 'http://sandbox.localhost:4010'
const never = new AbortController().signal
type Send = (request: WireRequest) => Promise<WireResponse>
let handle: Handle
let direct: Send
let loopback: Send

/**
 * One person for each endpoint. The in-process sandbox uses a copy of the database of the separate sandbox process, so both contain these
 * people.
 */
const people: Record<string, Person> = {}

beforeAll(async () => {
  for (const name of Object.keys(samples)) people[name] = await createPerson(fixture)
  const copy = `${fixture.store.path}-copy`
  fixture.store.exec(`vacuum into '${copy}'`)
  const sandbox = await openSandbox(copy, { now: () => fixture.nowMs })
  handle = sandbox.handle
  const { send, close } = callDirectly(handle, never)
  direct = (request) => send({ request })
  const dispatcher = createDispatcher({ origin: fixture.sandbox.url, env: {}, connectTimeoutMs: 30_000 })
  loopback = createSender({ dispatcher, timeoutMs: 10_000, signal: never })
  return async () => {
    await Promise.all([close(), dispatcher.destroy()])
    sandbox.close()
  }
})

type Parts = Pick<WireRequest, 'path' | 'headers' | 'body'> & { method: string }

const json = { 'content-type': 'application/json' }

function addToQuery(text: string) {
  return (request: Parts): Parts => ({
    ...request,
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}${text}`,
  })
}

function withBody(body: string, headers: Record<string, string> = json) {
  return (request: Parts): Parts => ({ ...request, body, headers: { ...request.headers, ...headers } })
}

/** Replaces the last part of the path. It is an ID or a name. */
function withLastPart(part: string) {
  return (request: Parts): Parts => ({ ...request, path: request.path.replace(/[^/?]+(?=$|\?)/, part) })
}

const variants: Record<string, (request: Parts) => Parts> = {
  valid: (request) => request,
  'an unknown query parameter': addToQuery('unknown=1'),
  'a repeated identifier': addToQuery('external_user_id=a&external_user_id=b'),
  'both identifiers': addToQuery('user_id=a&external_user_id=b'),
  'invalid UTF-8 in the query': addToQuery('external_user_id=%FF'),
  'a null character in the query': addToQuery('external_user_id=a%00b'),
  'a plus sign and a percent sign in the query': addToQuery('external_user_id=a+b%2525'),
  'invalid UTF-8 in the path': withLastPart('%FF'),
  'an encoded slash in the path': withLastPart('a%2Fb'),
  'encoded dots in the path': withLastPart('%2e%2e'),
  'a trailing slash': ({ path, ...rest }) => ({ ...rest, path: path.replace(/(?=$|\?)/, '/') }),
  'another method': ({ method, ...rest }) => ({ ...rest, method: method === 'GET' ? 'DELETE' : 'GET' }),
  'an empty body': withBody(''),
  'a body that is not JSON': withBody('{"a"'),
  'a body that is null': withBody('null'),
  'a body with wrong types': withBody('{"external_user_id":1,"data":[],"sex":"x","value":"x"}'),
  'a percent-encoded ID in the body': withBody('{"external_user_id":"%C3%A9%FF"}'),
  'text outside ASCII in the body': withBody('{"external_user_id":"é😀"}'),
  'a body that is not declared as JSON': withBody('{}', { 'content-type': 'text/plain' }),
  'an accept header without JSON': ({ headers, ...rest }) => ({
    ...rest,
    headers: { ...headers, accept: '*/*' },
  }),
}

const credentials: Record<string, (person: Person) => Record<string, string>> = {
  'no credential': () => ({}),
  'an invalid key': () => ({ 'x-api-key': 'x' }),
  'an invalid token': () => ({ authorization: 'Token x' }),
  'a key': key,
  'a token': ({ token }) => ({ authorization: `Token ${token}` }),
  'a key and a token': (person) => ({ ...key(), authorization: `Token ${person.token}` }),
}

function key(): Record<string, string> {
  return { 'x-api-key': fixture.sandbox.keys.development.key }
}

async function compare(name: string, credential: string, variant: string): Promise<void> {
  const headers = { accept: 'application/json', ...credentials[credential]!(people[name]!) }
  const request = variants[variant]!({ ...sampleOf(name, credential), headers })
  const [expected, received] = [await sendOnce(loopback, request), await sendOnce(direct, request)]
  expect({ credential, variant, ...received }).toEqual({ credential, variant, ...expected })
}

function sampleOf(name: string, credential: string): Omit<Parts, 'headers'> {
  const person = people[name]!
  const identifier = credential === 'a token' ? {} : { external_user_id: person.externalUserId }
  const sample = samples[name]!(person, identifier)
  const [, endpoint] = endpoints().find(([known]) => known === name)!
  const body = sample.body === undefined ? undefined : JSON.stringify(sample.body)
  return { ...locate(`${endpoint.method} ${endpoint.path}`, sample), ...(body && { body }) }
}

/** Headers that only a response over HTTP has. */
const ofHttp = /^(connection|keep-alive|content-length|transfer-encoding|vary|access-control-.*)$/

async function sendOnce(send: Send, parts: Parts) {
  const headers = parts.body === undefined ? parts.headers : { ...json, ...parts.headers }
  const request = { ...parts, headers, origin, route: '/' } as WireRequest
  const { status, headers: received, body, cut } = await send(request)
  const names = Object.keys(received).filter((name) => !ofHttp.test(name))
  const shown = Object.fromEntries(names.toSorted().map((name) => [name, withoutIds(received[name] ?? '')]))
  return { status, headers: shown, body: withoutIds(Buffer.from(body).toString('latin1')), cut }
}

function withoutIds(text: string): string {
  return text
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replace(/eyJ[\w.-]+/g, 'TOKEN')
    .replace(/scan-[\da-f]{12}\.localhost:\d+|dashboard\.localhost:\d+/g, 'HOST')
}

it.each(Object.keys(samples))(
  'the in-process sandbox returns the same response for %s as the sandbox over HTTP',
  async (name) => {
    for (const variant of Object.keys(variants)) {
      await compare(name, 'a key', variant)
      await compare(name, 'a token', variant)
    }
    for (const credential of Object.keys(credentials)) await compare(name, credential, 'valid')
  },
)

it('the in-process sandbox returns 413 if the body of a request is too large', async () => {
  const body = JSON.stringify({ external_user_id: 'x'.repeat(1024 * 1024) })
  const reply = await sendOnce(direct, { method: 'POST', path: '/v2/users', headers: key(), body })
  expect(reply).toMatchObject({ status: 413, body: expect.stringContaining('larger than 1048576 bytes') })
})

it('timers and signal handlers run between requests to the in-process sandbox', async () => {
  const stopping = new AbortController()
  const path = '/v2/questions/all'
  const request = { method: 'GET', origin, path, route: path, headers: key() } as const
  const { send } = callDirectly(handle, stopping.signal)
  const calls = Array.from({ length: 1_000 }, () => send({ request }))
  await calls[0]
  const reason = new Error('stopped')
  setImmediate(() => stopping.abort(reason))
  const outcomes = await Promise.allSettled(calls)
  const rejected = outcomes.filter(({ status }) => status === 'rejected')
  expect(rejected.length).toBeGreaterThan(900)
  expect(rejected).toContainEqual({ status: 'rejected', reason })
})

it('a request that is aborted before it starts does not reach the in-process sandbox', async () => {
  const stopping = new AbortController()
  const { send, close } = callDirectly(handle, stopping.signal)
  const body = JSON.stringify({ external_user_id: 'never-created' })
  const request = {
    method: 'POST',
    origin,
    path: '/v2/users',
    route: '/v2/users',
    headers: { ...key(), ...json },
    body,
  } as const
  const call = send({ request })
  stopping.abort(new Error('stopped'))
  await expect(call).rejects.toThrow('stopped')
  await close()
  const path = '/v2/users?external_user_id=never-created'
  expect((await sendOnce(direct, { method: 'GET', path, headers: key() })).status).toBe(404)
})

it('after an internal error, the in-process sandbox still responds to requests', async () => {
  const reply = { status: 200, headers: {}, body: 'ok', route: undefined }
  const replies = [() => Promise.reject(new Error('broken')), async () => reply]
  const faulty = callDirectly(() => (replies.shift() ?? expect.unreachable())(), never)
  const request = { method: 'GET', origin, path: '/', route: '/', headers: {} } as const
  await expect(faulty.send({ request })).rejects.toThrow('broken')
  expect(await faulty.send({ request })).toMatchObject({ status: 200 })
})

it('when the in-process sandbox is closed, it first finishes the requests that have started', async () => {
  const events: string[] = []
  let end: () => void = () => undefined
  const slow = callDirectly(async () => {
    events.push('started')
    await new Promise<void>((resolve) => {
      end = resolve
    })
    return { status: 200, headers: {}, body: 'ok', route: undefined }
  }, never)
  const request = { method: 'GET', origin, path: '/', route: '/', headers: {} } as const
  const call = slow.send({ request })
  await expect.poll(() => events).toEqual(['started'])
  const closed = slow.close().then(() => events.push('closed'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(events).toEqual(['started'])
  end()
  await closed
  expect(events).toEqual(['started', 'closed'])
  expect((await call).durationMs).toBeLessThanOrEqual(uptimeMs())
})
