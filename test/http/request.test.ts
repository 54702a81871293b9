import { expect, test } from 'vitest'
import { contract } from '../../src/contract/index.ts'
import { buildRequest, type HttpCredential } from '../../src/http/request.ts'

const base = new URL('https://api.test')
const key: HttpCredential = { kind: 'key', value: 'k', source: 'the test' }
const token: HttpCredential = { kind: 'token', value: 't', source: 'the test' }
const user = { external_user_id: 'a/b' }
const common = { accept: 'application/json', 'user-agent': 'agent' }
const { users, questions, ceLabel } = contract

// spec 4:2-4, 4.9:5
test.each<[string, Parameters<typeof buildRequest>, object]>([
  [
    'a user in the query',
    [users.get, { user }, base, key, 'agent'],
    { method: 'GET', path: '/v2/users?external_user_id=a%2Fb', headers: { ...common, 'x-api-key': 'k' } },
  ],
  [
    'a user in the body',
    [users.authenticate, { user }, base, key, 'agent'],
    {
      method: 'POST',
      path: '/v2/users/authenticate',
      headers: { ...common, 'content-type': 'application/json', 'x-api-key': 'k' },
      body: '{"external_user_id":"a/b"}',
      secretReply: true,
    },
  ],
  [
    'a separate body',
    [users.create, { body: { external_user_id: 'x' } }, base, key, 'agent'],
    {
      method: 'POST',
      path: '/v2/users',
      headers: { ...common, 'content-type': 'application/json', 'x-api-key': 'k' },
      body: '{"external_user_id":"x"}',
    },
  ],
  [
    'an action token instead of a user ID',
    [contract.wellbeing, { user, query: { language: 'nl' } }, base, token, 'agent'],
    {
      method: 'GET',
      path: '/v2/userprofiles/wellbeing?language=nl',
      headers: { ...common, authorization: 'Token t' },
    },
  ],
  [
    'a user and other query parameters',
    [contract.wellbeing, { user, query: { language: 'nl' } }, base, key, 'agent'],
    {
      method: 'GET',
      path: '/v2/userprofiles/wellbeing?external_user_id=a%2Fb&language=nl',
      headers: { ...common, 'x-api-key': 'k' },
    },
  ],
  [
    'a user and other fields in the body',
    [users.authenticate, { user, body: { language: 'nl' } }, base, key, 'agent'],
    {
      method: 'POST',
      path: '/v2/users/authenticate',
      headers: { ...common, 'content-type': 'application/json', 'x-api-key': 'k' },
      body: '{"external_user_id":"a/b","language":"nl"}',
      secretReply: true,
    },
  ],
  [
    'a body that is already JSON text',
    [questions.answerMany, { user, json: '[1.0]' }, base, key, 'agent'],
    {
      method: 'POST',
      path: '/v2/questions/answer/many?external_user_id=a%2Fb',
      headers: { ...common, 'content-type': 'application/json', 'x-api-key': 'k' },
      body: '[1.0]',
    },
  ],
])('the client builds the request for %s', (_, call, expected) => {
  expect(buildRequest(...call)).toEqual({
    origin: 'https://api.test',
    route: call[0].path,
    body: undefined,
    secretReply: false,
    ...expected,
  })
})

test('the client sends no credential to an endpoint that needs none', () => {
  const open = { ...questions.all, credentials: [] }
  expect(buildRequest(open, {}, base, key, 'agent').headers).toEqual(common)
  expect(buildRequest(open, {}, base, undefined, 'agent').headers).toEqual(common)
})

test('the accept header for an image contains the image type before JSON', () => {
  expect(buildRequest(ceLabel, {}, base, key, 'agent').headers['accept']).toBe('image/png, application/json')
})

// spec 2.1:13
test.each([
  ['a b/ü', 'a b/ü'],
  ['100%', '100%25'],
  ['a%20b', 'a%2520b'],
])('the client sends the external user ID "%s" as "%s" in a request body (spec 2.1, 4.1)', (id, sent) => {
  const created = buildRequest(users.create, { body: { external_user_id: id } }, base, key, 'agent')
  const token = buildRequest(users.authenticate, { user: { external_user_id: id } }, base, key, 'agent')
  for (const { body } of [created, token]) expect(JSON.parse(body!)).toEqual({ external_user_id: sent })
})

// spec 2.1:14
test('an external user ID with invalid Unicode is refused in a query and in a body (spec 2.1)', () => {
  const lone = { external_user_id: '\ud800' }
  expect(() => buildRequest(users.get, { user: lone }, base, key, 'agent')).toThrow('not valid Unicode')
  expect(() => buildRequest(users.authenticate, { user: lone }, base, key, 'agent')).toThrow(
    'not valid Unicode',
  )
})

// spec 4:6
test('the client adds the path of an endpoint to the path of the base URL (spec 4)', () => {
  const request = buildRequest(ceLabel, {}, new URL('https://api.test/region/eu/'), undefined, 'agent')
  expect([request.origin, request.path]).toEqual(['https://api.test', '/region/eu/v1/regulatory/ce-label'])
})
