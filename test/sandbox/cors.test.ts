import { expect, it } from 'vitest'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { call, createUser, tokenOf } = fixture
const origin = 'https://app.example.com'

function preflight(headers: string) {
  return fetch(`${fixture.sandbox.url}/v2/face-scans/`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': headers,
    },
  })
}

// spec 5:6
it('the sandbox allows a CORS preflight request for a request with an action token (spec 5)', async () => {
  const reply = await preflight('authorization, content-type')
  expect(reply.status).toBe(204)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(reply.headers.get('access-control-allow-headers')).toContain('authorization')
  expect(reply.headers.get('access-control-allow-methods')).toContain('DELETE')
})

it.each(['x-api-key', 'authorization,x-api-key', 'content-type'])(
  'the sandbox does not allow a CORS preflight request with the request headers %s (spec 5)',
  async (headers) => {
    expect((await preflight(headers)).headers.get('access-control-allow-origin')).toBeNull()
  },
)

it('web pages from any origin can read responses and errors for an action token (spec 5)', async () => {
  const token = await tokenOf((await createUser()).externalUserId)
  const [good, bad] = [
    await call('GET', '/v2/face-scans/', { token, headers: { origin } }),
    await call('GET', '/v2/face-scans/', { token: 'invalid', headers: { origin } }),
  ]
  expect([good.status, bad.status]).toEqual([200, 401])
  for (const { headers } of [good, bad]) expect(headers.get('access-control-allow-origin')).toBe('*')
})

// spec 5:6
it('web pages from other origins cannot read responses for an API key (spec 5)', async () => {
  const reply = await call('GET', '/v2/questions/all', { headers: { origin } })
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null])
})
