import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NetworkError } from '../../src/base/errors.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { createSender } from '../../src/http/transport.ts'
import type { Dispatcher } from '../../src/http/wire.ts'
import { hang, head, refusingUrl, reply, reset, send, serve, wait } from '../helpers/hostile-server.ts'
import { countAttempts, createUser, getUser, respond, testApi, user } from './client.ts'

test.each([
  ['read', getUser],
  ['once', createUser],
])('the client retries a request of the retry class "%s" after a refused connection', async (_, call) => {
  const attempts = countAttempts()
  const api = testApi(await refusingUrl(), { perAttempt: [attempts.step] })
  const error = await call(api).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ notSent: true, message: expect.stringContaining('connection refused') })
  expect(attempts.count()).toBe(3)
})

test('a request to an unknown host name fails with a DNS error after at most three attempts', async () => {
  const attempts = countAttempts()
  const api = testApi('http://no-such-host.invalid', { perAttempt: [attempts.step] })
  const error = await getUser(api).catch((failure: unknown) => failure)
  expect(error).toMatchObject({
    exitCode: 9,
    message: expect.stringMatching(/could not resolve the hostname|DNS lookup failed/),
  })
  expect(attempts.count()).toBeLessThanOrEqual(3)
})

test('a request is not retried after its client was closed', async () => {
  const server = await serve(hang)
  const origin = new URL(server.url).origin
  const dispatcher = createDispatcher({ origin, env: {}, connectTimeoutMs: 30_000 })
  const attempts = countAttempts()
  const api = testApi(server.url, { dispatcher, perAttempt: [attempts.step] })
  const active = getUser(api).catch((error: unknown) => error)
  const queued = getUser(api).catch((error: unknown) => error)
  await expect.poll(() => server.requests.length).toBe(1)
  await dispatcher.destroy()
  const canceled = { message: expect.stringContaining('the request was canceled') }
  expect([await active, await queued]).toMatchObject([canceled, canceled])
  expect(attempts.count()).toBe(2)
})

test('the client sends a change as JSON with its content type', async () => {
  const server = await serve(respond)
  await createUser(testApi(server.url))
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    target: '/v2/users',
    headers: { 'content-type': 'application/json' },
    body: '{"external_user_id":"4711"}',
  })
})

test('the client sends sequential requests over one connection', async () => {
  const server = await serve(respond)
  const api = testApi(server.url)
  await getUser(api)
  await getUser(api)
  expect([server.requests.length, server.connections()]).toEqual([2, 1])
})

test('the client retries a read request if the service closes the reused connection', async () => {
  const server = await serve((request) =>
    request.connection === 0 && request.index > 0 ? reset() : respond(request),
  )
  const api = testApi(server.url)
  await getUser(api)
  expect(await getUser(api)).toEqual(user)
  expect([server.requests.length, server.connections()]).toEqual([3, 2])
})

test('the client does not retry "users create" if the service closes the connection while the client reuses it', async () => {
  const server = await serve((request) => (request.index > 0 ? reset() : respond(request)))
  const api = testApi(server.url)
  await getUser(api)
  const error = await createUser(api).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ notSent: false, details: { retryable: false } })
  expect(server.requests).toHaveLength(2)
})

test('the client does not reuse a connection that the service closes', async () => {
  const server = await serve(({ method }) => [
    reply(method === 'POST' ? 201 : 200, user, { connection: 'close' }),
    { do: 'close' },
  ])
  const api = testApi(server.url)
  await getUser(api)
  await createUser(api)
  expect([server.requests.length, server.connections()]).toEqual([2, 2])
})

test('the client connects to an IPv6 address', async () => {
  const server = createServer(
    (socket) => void socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]')),
  )
  await new Promise<void>((listening) => server.listen(0, '::1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  expect(await testApi(`http://[::1]:${port}`).questions.all()).toEqual([])
})

test('the client connects to localhost if only its IPv4 address accepts connections', async () => {
  const server = await serve(respond)
  expect(await getUser(testApi(`http://localhost:${server.port}`))).toEqual(user)
})

test('the client adds the path of a request to the path of the base URL', async () => {
  const server = await serve(respond)
  await getUser(testApi(`${server.url}/health/api/`))
  expect(server.requests[0]?.target).toBe('/health/api/v2/users?external_user_id=4711')
})

test('a request that the HTTP library undici refuses is reported as not sent', async () => {
  const dispatcher: Dispatcher = {
    dispatch: () => {
      throw new Error('refused')
    },
    destroy: async () => {},
  }
  const request = { method: 'GET', origin: 'http://a.test', path: '/', route: '/', headers: {} } as const
  const send = createSender({ dispatcher, timeoutMs: 1_000, signal: new AbortController().signal })
  await expect(send(request)).rejects.toMatchObject({ notSent: true, message: 'refused' })
})

test('the client measures the duration of a response, and joins the values of a repeated header', async () => {
  const server = await serve(() => reply(200, [], { 'x-request-id': 'one', 'X-Request-Id': 'two' }))
  const api = testApi(server.url)
  // The times at the start and at the end of the request.
  vi.spyOn(process, 'hrtime').mockReturnValueOnce([100, 5e8]).mockReturnValueOnce([101, 25e7])
  const { durationMs, headers } = await api.attempt(api.contract.questions.all, {})
  expect(headers['x-request-id']).toBe('one, two')
  expect(durationMs).toBe(750)
})

test('a header value that a response repeats is masked as soon as a request contains it as its key', async () => {
  const [first, second] = ['first.key!'.repeat(4), 'other.key!'.repeat(4)]
  const server = await serve(() => reply(200, [], { 'x-request-id': `id ${second}` }))
  const dispatcher = createDispatcher({ origin: server.url, env: {}, connectTimeoutMs: 30_000 })
  onTestFinished(() => dispatcher.destroy())
  const sendOne = createSender({ dispatcher, timeoutMs: 10_000, signal: new AbortController().signal })
  const idFor = async (key: string) => {
    const headers = { 'x-api-key': key }
    const request = { method: 'GET', origin: server.url, path: '/', route: '/', headers } as const
    return (await sendOne(request)).headers['x-request-id']
  }
  expect([await idFor(first), await idFor(second), await idFor(second), await idFor(first)]).toEqual([
    `id ${second}`,
    'id ***',
    'id ***',
    `id ${second}`,
  ])
})

test('a text in a response is not changed if it looks like a 100 Continue', async () => {
  const text = '{"user_id":"u","customer":"HTTP/1.1 100"}'
  const start = text.indexOf('HTTP')
  const headers = { 'content-type': 'application/json', 'content-length': String(text.length) }
  const server = await serve(() => [
    send(head(200, headers) + text.slice(0, start)),
    wait(50),
    send(text.slice(start)),
  ])
  expect(await getUser(testApi(server.url))).toMatchObject({ customer: 'HTTP/1.1 100' })
})
