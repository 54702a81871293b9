import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { endpoints } from '../../src/contract/index.ts'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { createUser, scan, tokenOf, call } = fixture

/** What each endpoint answers to a key, and to a token of its user; written down here rather than read from the contract. */
const permissions: Record<string, { key: number; token: number }> = {
  'users.create': { key: 201, token: 403 },
  'users.get': { key: 200, token: 403 },
  'users.update': { key: 200, token: 403 },
  'users.authenticate': { key: 201, token: 403 },
  'users.delete': { key: 204, token: 403 },
  scanUrl: { key: 200, token: 403 },
  'biomarkers.get': { key: 200, token: 200 },
  'biomarkers.list': { key: 200, token: 200 },
  'biomarkers.latest': { key: 200, token: 200 },
  metrics: { key: 200, token: 403 },
  wellbeing: { key: 200, token: 200 },
  summary: { key: 403, token: 200 },
  'questions.all': { key: 200, token: 403 },
  'questions.answered': { key: 200, token: 403 },
  'questions.answer': { key: 201, token: 403 },
  'questions.answerMany': { key: 201, token: 201 },
  dashboardUrl: { key: 201, token: 403 },
  recommendations: { key: 200, token: 200 },
  ceLabel: { key: 200, token: 200 },
  'widgets.biomarker': { key: 403, token: 200 },
  'widgets.metric': { key: 403, token: 200 },
  'widgets.graph': { key: 403, token: 200 },
}

interface Person {
  externalUserId: string
  userId: string
  scanId: string
  token: string
}

interface Sample {
  path: string
  body?: object
  identifier?: 'query' | 'body'
}

/** A request that succeeds with the right credential; with a token the identifier is left out. */
const requests: Record<string, (user: Person) => Sample> = {
  'users.create': (user) => ({
    path: '/v2/users',
    body: { external_user_id: `${user.externalUserId}-twin` },
  }),
  'users.get': () => ({ path: '/v2/users', identifier: 'query' }),
  'users.update': (user) => ({ path: `/v2/users/${user.userId}`, body: { sex: 'F' } }),
  'users.authenticate': () => ({ path: '/v2/users/authenticate', body: {}, identifier: 'body' }),
  'users.delete': (user) => ({ path: `/v2/users/?user_id=${user.userId}` }),
  scanUrl: () => ({ path: '/v2/userjourneys/scan', identifier: 'query' }),
  'biomarkers.get': (user) => ({ path: `/v2/face-scans/${user.scanId}`, identifier: 'query' }),
  'biomarkers.list': () => ({ path: '/v2/face-scans/', identifier: 'query' }),
  'biomarkers.latest': () => ({ path: '/v2/face-scans/latest', identifier: 'query' }),
  metrics: () => ({ path: '/v2/metrics', identifier: 'query' }),
  wellbeing: () => ({ path: '/v2/userprofiles/wellbeing', identifier: 'query' }),
  summary: () => ({ path: '/v2/userprofiles/summary/mental?language=en' }),
  'questions.all': () => ({ path: '/v2/questions/all' }),
  'questions.answered': () => ({ path: '/v2/questions/answered', identifier: 'query' }),
  'questions.answer': () => ({ path: '/v2/questions/answer', body: answer, identifier: 'query' }),
  'questions.answerMany': () => ({ path: '/v2/questions/answer/many', body: [answer], identifier: 'query' }),
  dashboardUrl: () => ({ path: '/v2/dashboards/health', body: {}, identifier: 'body' }),
  recommendations: () => ({ path: '/v2/recommendations', identifier: 'query' }),
  ceLabel: () => ({ path: '/v1/regulatory/ce-label' }),
  'widgets.biomarker': (user) => ({
    path: '/v2/widgets/biomarker',
    body: { data: { face_scan_id: user.scanId, parameter: 'heart_rate' } },
  }),
  'widgets.metric': () => ({ path: '/v2/widgets/metric', body: { data: { parameter: 'sleep_quality' } } }),
  'widgets.graph': () => ({ path: '/v2/widgets/graph', body: { data: { parameter: 'heart_rate' } } }),
}

const answer = { lookup_key: 'weight', value: 70, timezone: 'UTC' }

interface Attempt {
  headers(user: Person): Record<string, string> | Promise<Record<string, string>>
  /** The status for an endpoint that is not public. */
  expected(name: string, allowed: { key: number; token: number }): number
  identified: boolean
}

const unauthenticated = () => 401
const byKey: Attempt['expected'] = (_, { key }) => key

const attempts: Record<string, Attempt> = {
  none: { headers: () => ({}), expected: unauthenticated, identified: true },
  'wrong key': {
    headers: () => ({ 'x-api-key': 'x'.repeat(40) }),
    expected: unauthenticated,
    identified: true,
  },
  '-DEV key': {
    headers: () => ({ 'x-api-key': fixture.sandbox.keys.development.key }),
    expected: byKey,
    identified: true,
  },
  'production key': {
    headers: () => ({ 'x-api-key': fixture.sandbox.keys.production.key }),
    expected: byKey,
    identified: true,
  },
  'valid token': {
    headers: ({ token }) => bearing(token),
    expected: (_, { token }) => token,
    identified: false,
  },
  'token of another user': {
    headers: async () => bearing((await newPerson()).token),
    // A token reads the data of its own user, so a scan of another user is not found.
    expected: (name, { token }) => (['biomarkers.get', 'widgets.biomarker'].includes(name) ? 404 : token),
    identified: false,
  },
  expired: {
    headers: ({ userId }) => forged(userId, { expired: true }),
    expected: unauthenticated,
    identified: false,
  },
  tampered: {
    headers: async ({ token }) => bearing(tamper(token, (await newPerson()).userId)),
    expected: unauthenticated,
    identified: false,
  },
  'alg:none': {
    headers: ({ token }) => bearing(unsigned(token)),
    expected: unauthenticated,
    identified: false,
  },
  'foreign signature': {
    headers: ({ userId }) => forged(userId, { secret: new Uint8Array(32) }),
    expected: unauthenticated,
    identified: false,
  },
  'token plus external_user_id': {
    headers: ({ token }) => bearing(token),
    expected: (_, { token }) => (token === 403 ? 403 : 400),
    identified: true,
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

async function newPerson(): Promise<Person> {
  const user = await createUser()
  scan(user.externalUserId, 5)
  const token = await tokenOf(user.externalUserId)
  const [latest] = (await call('GET', '/v2/face-scans/latest', { token })).body
  return { ...user, token, scanId: latest.face_scan_id }
}

const covered = new Set<string>()

// spec 4:2, 4:4, 4.6:2, 4.9:1, 5:1-4
it.each(endpoints())('%s returns the specified status for every credential', async (name, endpoint) => {
  for (const [label, attempt] of Object.entries(attempts)) {
    const person = await newPerson()
    const status = await statusOf(name, endpoint.method, person, attempt)
    const allowed = permissions[name] ?? { key: 0, token: 0 }
    const expected = endpoint.path.startsWith('/v1/') ? 200 : attempt.expected(name, allowed)
    expect([label, status]).toEqual([label, expected])
    covered.add(`${name} with ${label}`)
  }
})

async function statusOf(name: string, method: string, person: Person, attempt: Attempt): Promise<number> {
  const { path, body, identifier } = requests[name]!(person)
  const url = new URL(fixture.sandbox.url + path)
  const headers: Record<string, string> = { accept: 'application/json', ...(await attempt.headers(person)) }
  if (attempt.identified && identifier !== 'body' && needsIdentifier(identifier, headers)) {
    url.searchParams.set('external_user_id', person.externalUserId)
  }
  const inBody =
    attempt.identified && identifier === 'body' ? { external_user_id: person.externalUserId } : {}
  if (body) headers['content-type'] = 'application/json'
  const sent = body && JSON.stringify(Array.isArray(body) ? body : { ...body, ...inBody })
  return (await fetch(url, { method, headers, ...(sent ? { body: sent } : {}) })).status
}

/** A token together with an identifier is wrong everywhere, so there it is always added. */
function needsIdentifier(identifier: string | undefined, headers: Record<string, string>): boolean {
  return identifier === 'query' || 'authorization' in headers
}

it('tests every endpoint with every credential', () => {
  const pairs = endpoints().flatMap(([name]) => Object.keys(attempts).map((label) => `${name} with ${label}`))
  expect(pairs.filter((pair) => !covered.has(pair))).toEqual([])
})

// spec 4:5, 7:1
it('returns the same detail for every missing or invalid credential', async () => {
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

it('accepts an authorization scheme in any case, and a key together with a token', async () => {
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
it('refuses a token six hours after its creation', async () => {
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
