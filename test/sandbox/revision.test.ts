import { expect, it } from 'vitest'
import { useSandbox } from './fixture.ts'

const { call, createUser } = useSandbox({ revision: 'current' })

// spec 9:2-3
it('the sandbox with the current revision of the API accepts user IDs only to delete a user', async () => {
  const { externalUserId, userId } = await createUser()
  const answer = { lookup_key: 'weight', value: 70, timezone: 'UTC' }
  const internal: [string, string, object?][] = [
    ['GET', '/v2/users'],
    ['GET', '/v2/userjourneys/scan'],
    ['GET', '/v2/recommendations'],
    ['POST', '/v2/questions/answer', answer],
    ['POST', '/v2/questions/answer/many', [answer]],
  ]
  for (const [method, path, body] of internal) {
    const refused = await call(method, path, { query: { user_id: userId }, body })
    expect([path, refused.status, refused.body.detail]).toEqual([
      path,
      400,
      expect.stringContaining('user_id'),
    ])
    const accepted = await call(method, path, { query: { external_user_id: externalUserId }, body })
    expect([path, accepted.status < 300]).toEqual([path, true])
  }
  for (const path of ['/v2/users/authenticate', '/v2/dashboards/health']) {
    const { status, body } = await call('POST', path, { body: { user_id: userId } })
    expect([path, status, body.detail[0].loc]).toEqual([path, 422, ['body', 'user_id']])
  }
  expect((await call('DELETE', '/v2/users/', { query: { user_id: userId } })).status).toBe(204)
})
