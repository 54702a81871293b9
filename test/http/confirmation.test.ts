import { expect, test } from 'vitest'
import type { Step } from '../../src/http/chain.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { createUser, testApi, user } from './client.ts'

type Api = ReturnType<typeof testApi>

const other = { ...user, user_id: '00000000-0000-4000-8000-000000000000' }
const updateUser = (api: Api) => api.users.update({ params: { user_id: user.user_id }, body: { sex: 'F' } })
const deleteUser = (api: Api) => api.users.delete({ user: { user_id: user.user_id } })
const answer = { lookup_key: 'height', value: 180 }
const saveAnswer = (api: Api) =>
  api.questions.answer({ user: { user_id: user.user_id }, body: { ...answer, timezone: 'UTC' } })
const answers = [answer, { lookup_key: 'weight', value: 72 }, { lookup_key: 'weight', value: 9 }]
const saveAnswers = (api: Api) => {
  const body = answers.map((one) => ({ ...one, timezone: 'UTC' }))
  return api.questions.answerMany({ user: { user_id: user.user_id }, body })
}
const { user_id } = user
const reversed = answers.map((one) => ({ ...one, user_id })).toReversed()

/**
 * Sends a change to a server that responds with `status` and `body`. Returns the result, and the differences between the response and the
 * contract.
 */
async function change(call: (api: Api) => Promise<unknown>, status: number, body: unknown) {
  const server = await serve(() => reply(status, body))
  const problems: string[] = []
  const record: Step = async (sent, next) => {
    const response = await next(sent)
    problems.push(...(response.content?.problems ?? []))
    return response
  }
  const result = await call(testApi(server.url, { perCall: [record] }))
  return { result, problems }
}

test.each([
  ['a creation with status 202', createUser, 202, user, 'returned 202, which does not confirm the change'],
  ['a creation without a body', createUser, 201, '', 'returned 201 without a body'],
  ['an update without a body', updateUser, 204, '', 'returned 204 without a body'],
  ['a deletion with status 202', deleteUser, 202, '', 'returned 202, which does not confirm the change'],
  ['a deletion with status 200', deleteUser, 200, '', 'returned 200, which does not confirm the change'],
  ['a deletion with a body', deleteUser, 200, 'true', 'returned 200, which does not confirm the change'],
  ['an update of another user', updateUser, 200, other, 'user_id differs from the request'],
  ['an update with another value', updateUser, 200, { ...user, sex: 'M' }, 'sex differs from the request'],
  ['an answer of another user', saveAnswer, 201, { ...answer, ...other }, 'user_id differs from the request'],
  ['an answer without a user', saveAnswer, 201, answer, 'user_id is missing'],
  [
    'several answers with another value',
    saveAnswers,
    201,
    [...reversed.slice(1), { ...answers[0], value: 181, user_id }],
    'differs from the request',
  ],
] as const)('the response to %s, which does not confirm the change, is an error', async (...row) => {
  const [, call, status, body, message] = row
  await expect(change(call, status, body)).rejects.toMatchObject({
    message: expect.stringContaining(message),
    details: { status, applied: 'maybe', retryable: false },
  })
})

const updated = { ...user, sex: 'F' }
const saved = { ...answer, user_id: user.user_id }
const absent = ['external_user_id', 'birth_date', 'language', 'preferred_unit_system']
const complete = { ...updated, ...Object.fromEntries(absent.map((name) => [name, null])) }

test.each([
  ['an update', updateUser, 200, complete, complete, []],
  ['an answer', saveAnswer, 201, saved, saved, []],
  ['several answers in another order', saveAnswers, 201, reversed, reversed, []],
  ['an update with another success status', updateUser, 299, complete, complete, []],
  ['a deletion', deleteUser, 204, '', null, []],
] as const)('the response to %s confirms the change', async (_, call, status, body, result, problems) => {
  expect(await change(call, status, body)).toEqual({ result, problems })
})

test.each([
  ['a path of the contract', '/v2/users'],
  ['another path', '/v9'],
])('the response to a raw request to %s is not compared with the contract', async (_, path) => {
  const call = (api: Api) => api.raw({ method: 'GET', path })
  expect(await change(call, 200, '[1]')).toEqual({ result: [1], problems: [] })
})
