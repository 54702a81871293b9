import { expect, test } from 'vitest'
import { NetworkError } from '../../src/base/errors.ts'
import type { Call, Step } from '../../src/http/chain.ts'
import { reply, reset, type Script, serve } from '../helpers/hostile-server.ts'
import { testApi } from './client.ts'

async function recordCalls(script: Script) {
  const server = await serve(script)
  const calls: Call[] = []
  const record: Step = (call, next) => {
    calls.push(call)
    return next(call)
  }
  return { server, calls, api: testApi(server.url, { perCall: [record] }) }
}

test.each([
  ['GET', 'read', 3],
  ['PUT', 'change', 1],
  ['POST', 'change', 1],
  ['DELETE', 'destroy', 1],
] as const)(
  'a raw %s request to an unknown path has the effect "%s" and is sent %i times after connection resets',
  async (method, effect, count) => {
    const { api, calls, server } = await recordCalls(() => reset())
    await expect(api.raw({ method, path: '/v9/secrets/4711' })).rejects.toBeInstanceOf(NetworkError)
    expect(calls[0]?.endpoint.effect).toBe(effect)
    expect(server.requests).toHaveLength(count)
  },
)

test('a raw request to an unknown path sends the query, and its route does not contain the path', async () => {
  const { api, calls, server } = await recordCalls(() => reply(200, { any: 'body' }))
  const result = await api.raw({ method: 'GET', path: '/v9/secrets/4711', query: { a: 'b' } })
  expect(result).toEqual({ any: 'body' })
  expect(server.requests[0]?.target).toBe('/v9/secrets/4711?a=b')
  expect(calls[0]?.request.route).toBe('/{unknown}/{unknown}/{unknown}')
  await api.raw({ method: 'GET', path: '/v9' })
  expect(server.requests[1]?.target).toBe('/v9')
})

test('a raw request to a known path has the route and the retry class of its endpoint', async () => {
  const { api, calls } = await recordCalls(() => reply(200, {}))
  await api.raw({ method: 'GET', path: '/v2/users', query: { external_user_id: '4711' } })
  expect(calls[0]?.request.route).toBe('/v2/users')
  expect(calls[0]?.endpoint).toMatchObject({ effect: 'read', retry: 'read' })
})

test.each([
  ['/v9/secrets/4711', 'address'],
  ['/v2/users', 'user'],
])('the error for a raw request to %s with status 404 reports an unknown %s', async (path, missing) => {
  const { api } = await recordCalls(() => reply(404, { detail: 'no' }))
  await expect(api.raw({ method: 'GET', path })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.not.stringContaining('secrets'),
    details: { missing },
  })
})

test('a raw request can be sent with an action token, but not without a credential', async () => {
  const { api, server } = await recordCalls(() => reply(200, {}))
  await api.withToken('t0ken').raw({ method: 'GET', path: '/v9' })
  expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Token t0ken' })
  const bare = testApi(server.url, { credential: undefined })
  await expect(bare.raw({ method: 'GET', path: '/v9' })).rejects.toMatchObject({ exitCode: 3 })
})
