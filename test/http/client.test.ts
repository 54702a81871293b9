import { expect, test } from 'vitest'
import type { FacescanError } from '../../src/base/errors.ts'
import { renderHints } from '../../src/output/hint.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { getUser, respond, testApi } from './client.ts'

test.each([
  [401, 'key', 'The API key came from the test.'],
  [403, 'key', 'The API key came from the test.'],
  [401, 'token', 'The action token came from this command.'],
])('the error for status %i names the source of the rejected %s', async (status, kind, hint) => {
  const server = await serve(() => reply(status, { detail: 'no' }))
  const api = testApi(server.url)
  const call = kind === 'key' ? getUser(api) : api.withToken('t').recommendations({})
  const refusal = await call.catch((thrown: FacescanError) => thrown)
  expect(renderHints(refusal as FacescanError)).toContain(hint)
})

test('a call without its required credential sends nothing and reports the missing credential', async () => {
  const server = await serve(respond)
  const widget = { body: { data: { parameter: 'sleep_quality' } } }
  const api = testApi(server.url)
  await expect(api.widgets.metric(widget)).rejects.toThrow('needs an action token, not an API key')
  await expect(getUser(api.withToken('t'))).rejects.toThrow('needs an API key, not an action token')
  await expect(getUser(testApi(server.url, { credential: undefined }))).rejects.toMatchObject({ exitCode: 3 })
  expect(server.requests).toHaveLength(0)
})

test.each([
  ['unchanged', (text: string) => text],
  ['with an escaped slash', (text: string) => text.replaceAll('/', '\\/')],
  ['with an escaped letter', (text: string) => text.replaceAll('k', '\\u006b')],
])('the API key is masked in a result if the response contains the key %s', async (_, encode) => {
  const server = await serve(() => reply(200, encode(JSON.stringify(['key/1']))))
  const credential = { kind: 'key', value: 'key/1', source: 'the test' } as const
  expect(await testApi(server.url, { credential }).questions.all()).toEqual(['***'])
})

test('in a response with a new action token and an API key, only the API key is masked', async () => {
  const server = await serve(() => reply(201, { token: 'new-token', seen: 'key/1' }))
  const credential = { kind: 'key', value: 'key/1', source: 'the test' } as const
  const { users } = testApi(server.url, { credential })
  expect(await users.authenticate({ user: { external_user_id: '4711' } })).toEqual({
    token: 'new-token',
    seen: '***',
  })
})

// spec 7:9
test('if the service returns status 204 instead of a list, the result is an empty list, or an error in strict mode', async () => {
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

test('the client omits the user ID from a request with an action token', async () => {
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
