import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { type EndpointClauses, endpointClauses } from '../contract/specification.ts'
import { useSandbox } from './fixture.ts'
import { createPerson, locate, type Person, samples } from './samples.ts'

const fixture = useSandbox()
const { call } = fixture

interface Attempt {
  headers(person: Person): Record<string, string> | Promise<Record<string, string>>
  /** The expected status. `allowed` contains the statuses for a valid key and for a valid token. */
  expected(allowed: { key: number; token: number }, name: string): number
  /** States whether the query contains a user ID: never or always (default: only if the endpoint requires a user ID). */
  identifier?: 'none' | 'always'
}

const unauthenticated = () => 401

const attempts: Record<string, Attempt> = {
  none: { headers: () => ({}), expected: unauthenticated },
  'wrong key': { headers: () => ({ 'x-api-key': 'x'.repeat(40) }), expected: unauthenticated },
  '-DEV key': {
    headers: () => ({ 'x-api-key': fixture.sandbox.keys.development.key }),
    expected: ({ key }) => key,
  },
  'production key': {
    headers: () => ({ 'x-api-key': fixture.sandbox.keys.production.key }),
    expected: ({ key }) => key,
  },
  'valid token': {
    headers: ({ token }) => bearing(token),
    expected: ({ token }) => token,
    identifier: 'none',
  },
  'token of another user': {
    headers: async () => bearing((await newPerson()).token),
    // A token reads only the data of its own user. The scan of another user is not found.
    expected: ({ token }, name) => (['biomarkers.get', 'widgets.biomarker'].includes(name) ? 404 : token),
    identifier: 'none',
  },
  expired: { headers: ({ userId }) => forged(userId, { expired: true }), expected: unauthenticated },
  tampered: {
    headers: async ({ token }) => bearing(tamper(token, (await newPerson()).userId)),
    expected: unauthenticated,
  },
  'alg:none': { headers: ({ token }) => bearing(unsigned(token)), expected: unauthenticated },
  'foreign signature': {
    headers: ({ userId }) => forged(userId, { secret: new Uint8Array(32) }),
    expected: unauthenticated,
  },
  'token plus external_user_id': {
    headers: ({ token }) => bearing(token),
    expected: ({ token }) => (token === 403 ? 403 : 400),
    identifier: 'always',
  },
}

function bearing(token: string) {
  return { authorization: `Token ${token}` }
}

async function forged(userId: string, { expired = false, secret = fixture.store.tokenSecret }) {
  const seconds = fixture.nowMs / 1000
  const token = await new SignJWT({ user_id: userId })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('api')
    .setJti('any')
    .setExpirationTime(expired ? seconds - 1 : seconds + 60)
    .sign(secret)
  return bearing(token)
}

function parts(token: string): [string, string, string] {
  return token.split('.') as [string, string, string]
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function tamper(token: string, user_id: string): string {
  const [header, payload, signature] = parts(token)
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return [header, encode({ ...claims, user_id }), signature].join('.')
}

function unsigned(token: string): string {
  return [encode({ alg: 'none', typ: 'JWT' }), parts(token)[1], ''].join('.')
}

const newPerson = () => createPerson(fixture)

// spec 4:2, 4:4, 4.6:2, 4.9:1, 5:1-4
it.each(Object.entries(endpointClauses))(
  'the endpoint %s returns the specified status for every kind of credential',
  async (name, clauses) => {
    const { accepts, status } = clauses
    const allowed = {
      key: accepts === 'token' ? 403 : status,
      token: accepts === 'key' ? 403 : status,
    }
    for (const [label, attempt] of Object.entries(attempts)) {
      const expected = accepts === 'none' ? 200 : attempt.expected(allowed, name)
      expect([label, await statusOf(name, clauses, attempt)]).toEqual([label, expected])
    }
  },
)

async function statusOf(name: string, { call }: EndpointClauses, attempt: Attempt): Promise<number> {
  const person = await newPerson()
  const identifier = attempt.identifier === 'none' ? {} : { external_user_id: person.externalUserId }
  const sample = samples[name]!(person, identifier)
  const query = attempt.identifier === 'always' ? { ...sample.query, ...identifier } : sample.query
  const { method, path } = locate(call, { ...sample, query: query ?? {} })
  const headers: Record<string, string> = { accept: 'application/json', ...(await attempt.headers(person)) }
  const body = sample.body === undefined ? null : JSON.stringify(sample.body)
  if (body) headers['content-type'] = 'application/json'
  return (await fetch(fixture.sandbox.url + path, { method, headers, body })).status
}

// spec 4:5, 7:1
it('the sandbox returns the same error text for every missing or invalid credential', async () => {
  const credentials: Record<string, string>[] = [
    {},
    { 'x-api-key': '' },
    { authorization: 'Bearer abc' },
    { authorization: 'Token' },
  ]
  for (const headers of credentials) {
    const reply = await fetch(`${fixture.sandbox.url}/v2/questions/all`, { headers })
    expect([reply.status, await reply.json()]).toEqual([401, { detail: 'missing or invalid credentials' }])
  }
})

it('the sandbox accepts a request that has an API key and a token, even if the scheme "token" is in lower case', async () => {
  const { token, externalUserId } = await newPerson()
  const lower = await call('GET', '/v2/face-scans/', { headers: { authorization: `token ${token}` } })
  expect(lower.status).toBe(400)
  const both = await call('GET', '/v2/face-scans/', {
    query: { external_user_id: externalUserId },
    headers: { authorization: `token ${token}` },
  })
  expect(both.status).toBe(200)
  const invalid = await call('GET', '/v2/face-scans/', { headers: { authorization: 'Token nonsense' } })
  expect(invalid.status).toBe(401)
})

// spec 2.2:2
it('the sandbox refuses an action token six hours after its creation', async () => {
  const { token } = await newPerson()
  const issuedAtMs = fixture.nowMs
  const statusAfter = async (hours: number) => {
    fixture.nowMs = issuedAtMs + hours * 60 * 60 * 1000
    const { status } = await call('GET', '/v2/face-scans/', { token })
    fixture.nowMs = issuedAtMs
    return status
  }
  expect([await statusAfter(5.9), await statusAfter(6.1)]).toEqual([200, 401])
})
