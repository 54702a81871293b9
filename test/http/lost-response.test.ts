import { expect, test } from 'vitest'
import { FacescanError } from '../../src/base/errors.ts'
import { renderHints } from '../../src/output/hint.ts'
import { reply, reset, serve } from '../helpers/hostile-server.ts'
import { createUser, testApi, user } from './client.ts'

test('the outcome of a deletion is unknown if its first attempt gets no response and its second attempt gets status 404', async () => {
  const server = await serve((request) =>
    request.index === 0 ? reset() : reply(404, { detail: 'user not found' }),
  )
  const call = testApi(server.url).users.delete({ user: { user_id: user.user_id } })
  await expect(call).rejects.toMatchObject({ code: 'not_found', details: { applied: 'maybe' } })
  expect(server.requests).toHaveLength(2)
})

test('a deletion fails if its first attempt gets status 429 and its second attempt gets status 404', async () => {
  const server = await serve((request) => reply(request.index === 0 ? 429 : 404, { detail: 'no' }))
  const call = testApi(server.url).users.delete({ user: { user_id: user.user_id } })
  await expect(call).rejects.toMatchObject({ code: 'not_found' })
  expect(server.requests).toHaveLength(2)
})

test('a deletion fails if its first attempt gets status 404', async () => {
  const server = await serve(() => reply(404, { detail: 'user not found' }))
  await expect(testApi(server.url).users.delete({ user: { user_id: user.user_id } })).rejects.toMatchObject({
    exitCode: 4,
  })
  expect(server.requests).toHaveLength(1)
})

test.each([
  [500, 'contains'],
  [408, 'contains'],
  [400, 'does not contain'],
  [409, 'does not contain'],
])('the error for a change with status %i %s the text "may have been applied"', async (status, verb) => {
  const server = await serve(() => reply(status, { detail: 'no' }))
  const error = await createUser(testApi(server.url)).catch((thrown: FacescanError) => thrown)
  const hint = error instanceof FacescanError ? renderHints(error) : ''
  expect(hint?.includes('may have been applied') ?? false).toBe(verb === 'contains')
})

test.each([
  ['a deletion that was rejected after a lost attempt', 'delete', 410, 6],
  ['an update with a 404 after a lost attempt', 'update', 404, 4],
] as const)('the client reports an error for %s', async (_, verb, status, exitCode) => {
  const server = await serve((request) => (request.index === 0 ? reset() : reply(status, { detail: 'no' })))
  const { users } = testApi(server.url)
  const call =
    verb === 'delete'
      ? users.delete({ user: { user_id: user.user_id } })
      : users.update({ params: { user_id: user.user_id }, body: { sex: 'F' } })
  await expect(call).rejects.toMatchObject({ exitCode })
  expect(server.requests).toHaveLength(2)
})
