import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FacescanError, NetworkError } from '../../src/base/errors.ts'
import type { Step } from '../../src/http/chain.ts'
import { createSender } from '../../src/http/send.ts'
import type { Dispatcher, Receiver } from '../../src/http/wire.ts'
import { renderHints } from '../../src/output/hint.ts'
import { hang, refusingUrl, reply, reset, type Script, serve, wait } from '../helpers/hostile-server.ts'
import { countAttempts, testApi } from './client.ts'

const user = { user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b', customer: 'Acme' }
const fine: Script = ({ method }) => reply(method === 'POST' ? 201 : 200, user)
const get = (api: ReturnType<typeof testApi>) => api.users.get({ user: { external_user_id: '4711' } })
const create = (api: ReturnType<typeof testApi>) => api.users.create({ body: { external_user_id: '4711' } })

test.each([
  ['read', get],
  ['once', create],
])(
  'retries a request of the retry class "%s" twice after a refused connection, because nothing was sent',
  async (_, call) => {
    const attempts = countAttempts()
    const api = testApi(await refusingUrl(), { perAttempt: [attempts.step] })
    const error = await call(api).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ notSent: true, message: expect.stringContaining('connection refused') })
    expect(attempts.count()).toBe(3)
  },
)

test('does not retry an unknown host name', async () => {
  const attempts = countAttempts()
  const api = testApi('http://no-such-host.invalid', { perAttempt: [attempts.step] })
  const error = await get(api).catch((failure: unknown) => failure)
  expect(error).toMatchObject({
    exitCode: 9,
    message: expect.stringMatching(/could not resolve the hostname|DNS lookup failed/),
  })
  expect(attempts.count()).toBeLessThanOrEqual(3)
})

test('sends a change as JSON with its content type', async () => {
  const server = await serve(fine)
  await create(testApi(server.url))
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    target: '/v2/users',
    headers: { 'content-type': 'application/json' },
    body: '{"external_user_id":"4711"}',
  })
})

test('sends sequential requests over one connection', async () => {
  const server = await serve(fine)
  const api = testApi(server.url)
  await get(api)
  await get(api)
  expect([server.requests.length, server.connections()]).toEqual([2, 1])
})

test('retries a read if the service closes the reused connection', async () => {
  const server = await serve((request) =>
    request.connection === 0 && request.index > 0 ? reset() : fine(request),
  )
  const api = testApi(server.url)
  await get(api)
  expect(await get(api)).toEqual(user)
  expect([server.requests.length, server.connections()]).toEqual([3, 2])
})

test('does not retry the creation of a user if the service closes the reused connection', async () => {
  const server = await serve((request) => (request.index > 0 ? reset() : fine(request)))
  const api = testApi(server.url)
  await get(api)
  const error = await create(api).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ notSent: false, details: { retryable: false } })
  expect(server.requests).toHaveLength(2)
})

test('does not reuse a connection that the service closes', async () => {
  const server = await serve(({ method }) => [
    reply(method === 'POST' ? 201 : 200, user, { connection: 'close' }),
    { do: 'close' },
  ])
  const api = testApi(server.url)
  await get(api)
  await create(api)
  expect([server.requests.length, server.connections()]).toEqual([2, 2])
})

test('connects to an IPv6 address', async () => {
  const server = createServer(
    (socket) => void socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]')),
  )
  await new Promise<void>((listening) => server.listen(0, '::1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  expect(await testApi(`http://[::1]:${port}`).questions.all()).toEqual([])
})

test('connects to localhost if only its IPv4 address accepts connections', async () => {
  const server = await serve(fine)
  expect(await get(testApi(`http://localhost:${server.port}`))).toEqual(user)
})

test('sends a request to a base URL with a path below this path', async () => {
  const server = await serve(fine)
  await get(testApi(`${server.url}/health/api/`))
  expect(server.requests[0]?.target).toBe('/health/api/v2/users?external_user_id=4711')
})

test('a deletion with a 404 succeeds if an attempt without a response may have deleted the user', async () => {
  const server = await serve((request) =>
    request.index === 0 ? reset() : reply(404, { detail: 'user not found' }),
  )
  expect(await testApi(server.url).users.delete({ user: { user_id: user.user_id } })).toBeNull()
  expect(server.requests).toHaveLength(2)
})

test('reports an error for a deletion with a 404 after a 429, because a 429 deletes nothing', async () => {
  const server = await serve((request) => reply(request.index === 0 ? 429 : 404, { detail: 'no' }))
  const call = testApi(server.url).users.delete({ user: { user_id: user.user_id } })
  await expect(call).rejects.toMatchObject({ code: 'not_found' })
  expect(server.requests).toHaveLength(2)
})

test('reports an error for a deletion with a 404 on the first attempt', async () => {
  const server = await serve(() => reply(404, { detail: 'user not found' }))
  await expect(testApi(server.url).users.delete({ user: { user_id: user.user_id } })).rejects.toMatchObject({
    exitCode: 4,
  })
  expect(server.requests).toHaveLength(1)
})

test('sends nothing if its signal was aborted before the request', async () => {
  const server = await serve(fine)
  const stopped = AbortSignal.abort(new Error('no more'))
  const error = await create(testApi(server.url, { signal: stopped })).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ message: 'no more' })
  await get(testApi(server.url))
  expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
})

test('an abort affects only requests that are still active', async () => {
  const handlers: Receiver[] = []
  const aborted: number[] = []
  const controllerOf = (index: number) => {
    const abort = (reason: Error) => {
      aborted.push(index)
      handlers[index]?.onResponseError(controller, reason)
    }
    const controller = { abort }
    return controller
  }
  const dispatcher: Dispatcher = {
    dispatch: (_, handler) => handler.onRequestStart(controllerOf(handlers.push(handler) - 1)),
    destroy: async () => {},
  }
  const stopping = new AbortController()
  const request = { method: 'GET', origin: 'http://a.test', path: '/', route: '/', headers: {} } as const
  const start = createSender({ dispatcher, timeoutMs: 60_000, signal: stopping.signal })
  const end = (index: number) => {
    handlers[index]?.onResponseStart(controllerOf(index), 200, {})
    handlers[index]?.onResponseEnd()
  }
  const under = [
    start(request),
    start(request, 1),
    start(request),
    start(request),
    start(request),
    start(request),
  ]
  const outcomes = Promise.allSettled(under)
  await expect(under[1]).rejects.toThrow('no response within')
  // The second request ends before the first.
  for (const index of [2, 4]) {
    end(index)
    expect(await under[index]).toMatchObject({ status: 200 })
  }
  expect(aborted.splice(0)).toEqual([1])
  stopping.abort()
  expect(aborted.toSorted()).toEqual([0, 3, 5])
  const over = (await outcomes).flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
  expect(over).toEqual([2, 4])
})

test('reports a request as not sent if undici refuses it', async () => {
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

test('a request with retries runs each per-call step once and each per-attempt step for every attempt', async () => {
  const server = await serve((request) =>
    request.index === 0 ? reply(503) : request.index === 1 ? reset() : fine(request),
  )
  const log: string[] = []
  const record =
    (name: string): Step =>
    async (call, next) => {
      log.push(`${name} ${call.attempt}`)
      try {
        const response = await next(call)
        log.push(`${name} ${call.attempt}: ${response.status}`)
        return response
      } catch (error) {
        log.push(`${name} ${call.attempt}: failure`)
        throw error
      }
    }
  await get(
    testApi(server.url, {
      perCall: [record('call')],
      perAttempt: [record('attempt')],
      pause: async (delayMs, reason) => void log.push(`wait ${delayMs}: ${reason}`),
    }),
  )
  expect(log).toEqual([
    'call 1',
    'attempt 1',
    'attempt 1: 503',
    'wait 250: the service returned 503',
    'attempt 2',
    'attempt 2: failure',
    'wait 500: the connection failed',
    'attempt 3',
    'attempt 3: 200',
    'call 1: 200',
  ])
})

test('returns the duration of a response and joins repeated headers', async () => {
  const server = await serve(() => reply(200, [], { 'x-request-id': 'one', 'X-Request-Id': 'two' }))
  const api = testApi(server.url)
  // At the start and at the end.
  vi.spyOn(process, 'hrtime').mockReturnValueOnce([100, 5e8]).mockReturnValueOnce([101, 25e7])
  const { durationMs, headers } = await api.attempt(api.contract.questions.all, {})
  expect(headers['x-request-id']).toBe('one, two')
  expect(durationMs).toBe(750)
})

test.each([
  [401, 'key', 'The API key came from the test.'],
  [403, 'key', 'The API key came from the test.'],
  [401, 'token', 'The action token came from this command.'],
])('the error for status %i states where the %s was read', async (status, kind, hint) => {
  const server = await serve(() => reply(status, { detail: 'no' }))
  const api = testApi(server.url)
  const call = kind === 'key' ? get(api) : api.withToken('t').recommendations({})
  const refusal = await call.catch((thrown: FacescanError) => thrown)
  expect(renderHints(refusal as FacescanError)).toContain(hint)
})

test.each([
  [500, true],
  [408, true],
  [400, false],
  [409, false],
])(
  'the error for a change with status %i contains "may have been applied": %s',
  async (status, isDoubtful) => {
    const server = await serve(() => reply(status, { detail: 'no' }))
    const error = await create(testApi(server.url)).catch((thrown: FacescanError) => thrown)
    const hint = error instanceof FacescanError ? renderHints(error) : ''
    expect(hint?.includes('may have been applied') ?? false).toBe(isDoubtful)
  },
)

test('sends nothing if a per-call step throws an error', async () => {
  const server = await serve(fine)
  const refuse = async () => Promise.reject(new Error('not today'))
  await expect(create(testApi(server.url, { perCall: [refuse] }))).rejects.toThrow('not today')
  expect(server.requests).toHaveLength(0)
})

test('a call without the required kind of credential fails with the name of this kind and sends nothing', async () => {
  const server = await serve(fine)
  const widget = { body: { data: { parameter: 'sleep_quality' } } }
  const api = testApi(server.url)
  await expect(api.widgets.metric(widget)).rejects.toThrow('needs an action token, not an API key')
  await expect(get(api.withToken('t'))).rejects.toThrow('needs an API key, not an action token')
  await expect(get(testApi(server.url, { credential: undefined }))).rejects.toMatchObject({ exitCode: 3 })
  expect(server.requests).toHaveLength(0)
})

test('attempt() sends one request without retries, and returns an error status as a response', async () => {
  const server = await serve((request) => (request.index === 0 ? reply(503, 'away') : [wait(1), hang()]))
  const api = testApi(server.url)
  const input = { body: { external_user_id: '4711' } }
  expect(await api.attempt(api.contract.users.create, input)).toMatchObject({ status: 503 })
  await expect(api.attempt(api.contract.users.create, input, { timeoutMs: 1_000 })).rejects.toMatchObject({
    notSent: false,
  })
  expect(server.requests).toHaveLength(2)
})

test.each([
  ['unchanged', (text: string) => text],
  ['with an escaped slash', (text: string) => text.replaceAll('/', '\\/')],
  ['with an escaped letter', (text: string) => text.replaceAll('k', '\\u006b')],
])('an error does not contain the API key if the response contains it %s', async (_, encode) => {
  const server = await serve(() => reply(200, encode(JSON.stringify(['key/1']))))
  const credential = { kind: 'key', value: 'key/1', source: 'the test' } as const
  expect(await testApi(server.url, { credential }).questions.all()).toEqual(['***'])
})

// spec 7:9
test('returns an empty list for status 204, and reports it as a mismatch in strict mode', async () => {
  const server = await serve(() => reply(204))
  const mismatches: string[] = []
  const { biomarkers, questions, recommendations, users } = testApi(server.url, {
    perCall: [
      async (call, next) => {
        const response = await next(call)
        mismatches.push(...(response.content?.problems ?? []), String(response.content?.isClear))
        return response
      },
    ],
  })
  const user = { external_user_id: '4711' }
  expect(await biomarkers.list({ user })).toEqual([])
  expect(mismatches).toEqual(['expected a list, received status 204 without a body', 'true'])
  expect(await questions.all()).toEqual([])
  expect(await recommendations({ user })).toEqual({ recommendations: [] })
  expect(await questions.answered({ user })).toMatchObject({
    items: [],
    pagination: { total_items: 0, next_page: null },
  })
  await expect(users.get({ user })).rejects.toThrow('invalid response from GET /v2/users')
})

test('sends no user ID together with an action token', async () => {
  const server = await serve(() => reply(200, { recommendations: [] }))
  await testApi(server.url)
    .withToken('t0ken')
    .recommendations({ user: { external_user_id: '4711' }, query: { language: 'nl' } })
  expect(server.requests[0]).toMatchObject({
    target: '/v2/recommendations?language=nl',
    headers: { authorization: 'Token t0ken' },
  })
  expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key')
})

test.each([
  ['a deletion that was rejected after a lost attempt', 'delete', 410, 6],
  ['an update with a 404 after a lost attempt', 'update', 404, 4],
] as const)('reports an error for %s', async (_, verb, status, exitCode) => {
  const server = await serve((request) => (request.index === 0 ? reset() : reply(status, { detail: 'no' })))
  const { users } = testApi(server.url)
  const call =
    verb === 'delete'
      ? users.delete({ user: { user_id: user.user_id } })
      : users.update({ params: { user_id: user.user_id }, body: { sex: 'F' } })
  await expect(call).rejects.toMatchObject({ exitCode })
  expect(server.requests).toHaveLength(2)
})

describe('if a command stops during a request', () => {
  const interrupted = new FacescanError('interrupted', 'stopped by Ctrl-C', { hint: 'As you wished.' })

  /** Calls a service that never replies, and aborts the call with this reason after the request has arrived. */
  async function stopDuring(call: (api: ReturnType<typeof testApi>) => Promise<unknown>, reason: unknown) {
    const stopping = new AbortController()
    const server = await serve(() => {
      stopping.abort(reason)
      return hang()
    })
    const error = await call(testApi(server.url, { signal: stopping.signal })).catch((thrown) => thrown)
    expect(server.requests).toHaveLength(1)
    return error
  }

  test('the error for a command that stops during a change states that the change may have been applied', async () => {
    expect(await stopDuring(create, interrupted)).toMatchObject({
      code: 'interrupted',
      message: 'stopped by Ctrl-C',
      details: { retryable: false, hint: expect.stringContaining('may have been applied') },
    })
  })

  test('the error for a command that stops during a repeatable request contains no warning', async () => {
    expect(await stopDuring(get, interrupted)).toBe(interrupted)
  })

  test('the error for a command that stops before a change was sent contains no warning', async () => {
    const server = await serve(fine)
    const api = testApi(server.url, { signal: AbortSignal.abort(interrupted) })
    expect(await create(api).catch((thrown: unknown) => thrown)).toBe(interrupted)
    expect(server.requests).toHaveLength(0)
  })

  test('the error for a command that stops during a request contains the reason for the stop', async () => {
    const bug = new Error('a bug')
    expect(await stopDuring(create, bug)).toBe(bug)
  })
})
