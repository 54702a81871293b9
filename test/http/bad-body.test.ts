import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { FacescanError } from '../../src/base/errors.ts'
import { contract } from '../../src/contract/index.ts'
import { findIssues } from '../../src/contract/lenient.ts'
import { describeMismatch, emptyList } from '../../src/http/bad-body.ts'
import type { Step } from '../../src/http/chain.ts'
import { renderHints } from '../../src/output/hint.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { createUser, getUser, testApi } from './client.ts'

// The tables of test cases contain the names of schemas instead of the schemas, because the message of a failed test cannot print a schema.
const schemas = {
  user: contract.users.get.replies[200],
  scans: contract.biomarkers.list.replies[200],
  texts: contract.questions.all.replies[200],
  link: contract.scanUrl.replies[200],
  advice: contract.recommendations.replies[200],
  answers: contract.questions.answered.replies[200],
  scores: contract.wellbeing.replies[200],
}

test.each([
  ['a user without fields', 'printed', 'user', {}],
  ['a user with a weight of another type', 'printed', 'user', { weight: [] }],
  ['a text instead of a user', 'refused', 'user', 'text'],
  ['a list of scans without fields', 'printed', 'scans', [{}, {}]],
  ['a list with a scan and null', 'refused', 'scans', [{}, null]],
  ['a list with a list instead of a scan', 'refused', 'scans', [[]]],
  ['an object instead of a list', 'refused', 'scans', {}],
  ['a list with a number instead of a text', 'refused', 'texts', ['a', 1]],
  ['a number instead of a text', 'refused', 'link', 5],
  ['an empty text', 'printed', 'link', ''],
  ['a text instead of a score', 'printed', 'scores', { mental: 'high' }],
  ['an object without its list', 'refused', 'advice', {}],
  ['an object with null instead of its list', 'refused', 'advice', { recommendations: null }],
  ['an object with a list of objects without fields', 'printed', 'advice', { recommendations: [{}] }],
  ['an object with a list of null', 'refused', 'advice', { recommendations: [{}, null] }],
  ['a page without its pagination', 'refused', 'answers', { items: [] }],
  ['a page with a list as its pagination', 'refused', 'answers', { items: [], pagination: [] }],
  ['a page with an empty pagination', 'printed', 'answers', { items: [], pagination: {} }],
] as const)('a response with %s, which differs from the contract, is %s', (_, result, name, value) => {
  const schema = schemas[name]
  const { isUsable } = describeMismatch(schema, value, findIssues(schema, value))
  expect(isUsable ? 'printed' : 'refused').toBe(result)
})

test('if a user in a response lacks some fields, the client returns the user and reports these fields', async () => {
  const server = await serve(() => reply(200, '{}'))
  const problems: string[] = []
  const record: Step = async (call, next) => {
    const response = await next(call)
    problems.push(...(response.content?.problems ?? []))
    return response
  }
  expect(await getUser(testApi(server.url, { perCall: [record] }))).toEqual({})
  expect(problems).toEqual(['user_id: missing', 'customer: missing'])
})

test('a response with status 200 and an object instead of a list is an error', async () => {
  const server = await serve(() => reply(200, '{}'))
  const call = testApi(server.url).biomarkers.list({ user: { external_user_id: '4711' } })
  await expect(call).rejects.toThrow('expected array, received object')
})

const number = z.number()
const forms = {
  'a list': z.array(z.string()),
  'an object with a list, a number, and a nullable text': z.strictObject({
    items: z.array(number),
    total: number,
    next: z.nullable(z.string()),
  }),
  'an object with a list and a text': z.strictObject({ items: z.array(number), name: z.string() }),
  'an object with a list and an object with a text': z.strictObject({
    items: z.array(number),
    page: z.strictObject({ name: z.string() }),
  }),
  'an object with only a number': z.strictObject({ score: number }),
  'a number': number,
}
test.each([
  ['a list', []],
  ['an object with a list, a number, and a nullable text', { items: [], total: 0, next: null }],
  ['an object with a list and a text', undefined],
  ['an object with a list and an object with a text', undefined],
  ['an object with only a number', undefined],
  ['a number', undefined],
] as const)('if %s is expected but the response is empty, the result is %o', (form, empty) => {
  expect(emptyList(forms[form])).toEqual(empty)
})

const page = '<html>'
const baseUrlHint = 'Check that the base URL points to the service, not to a web page or proxy.'
const changeHint = 'The change may have been applied. Check the current data before you repeat the command.'

test.each([
  ['a read that returns a web page', getUser, page, [baseUrlHint], {}],
  [
    'a read that returns null',
    getUser,
    'null',
    ["Show the raw response: facescan api GET '/v2/users?external_user_id=4711'"],
    {},
  ],
  [
    'a change that returns a web page',
    createUser,
    page,
    [changeHint, baseUrlHint],
    { applied: 'maybe', retryable: false },
  ],
  ['a change that returns null', createUser, 'null', [changeHint], { applied: 'maybe', retryable: false }],
  ['a change that returns nothing', createUser, '', [changeHint], { applied: 'maybe', retryable: false }],
] as const)('the error for %s has the hints for its cause', async (_, send, body, hints, details) => {
  const server = await serve(() => reply(200, body))
  const error = await send(testApi(server.url)).catch((thrown: unknown) => thrown)
  if (!(error instanceof FacescanError)) return expect.unreachable()
  expect(renderHints(error)?.split('\n')).toEqual(hints)
  expect(error.details).toMatchObject({ status: 200, ...details })
})
