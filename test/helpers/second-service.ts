import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority } from './certificates.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

// biome-ignore lint/suspicious/noExplicitAny: the service reads fields of any body.
type Body = any

interface User {
  user_id: string
  fields: Record<string, Json>
  scans: Record<string, Json>[]
  answers: { question_lookup_key: string; answer: number; local_timestamp: string }[]
}

interface Call {
  query: URLSearchParams
  body: Body
  params: string[]
  user: User
}

type Reply = readonly [status: number, body?: Json | Buffer]

export interface SecondService {
  url: string
  key: string
  /** Certificate of the authority that signed the certificate of the server, in PEM format. */
  authority: string
  /** Method and path of each request, in order. */
  requests: string[]
  close(): Promise<void>
}

/** Maximum number of scans and answers per response, even if a request asks for more. */
const cap = 3
const dayMs = 86_400_000
const biomarkers = [
  'diastolic_blood_pressure',
  'systolic_blood_pressure',
  'resonant_breathing_score',
  'heart_rate_variability',
  'respiratory_rate',
  'heart_rate',
]
const metrics = [
  'sleep_quality',
  'mental_stress',
  'mental_health_risk',
  'hypertension',
  'general_fitness',
  'energy_balance',
]

class Refused extends Error {
  readonly status: number
  readonly body: Json

  constructor(status: number, body: Json) {
    super('refused')
    this.status = status
    this.body = body
  }
}

/**
 * A second implementation of the specification, without code from the sandbox. It differs from the sandbox in details that the
 * specification does not define: other texts, another order of fields, additional fields, IDs in upper case, `1.0` instead of 1, at most
 * three items per response, status 204 for an empty list, bodies in chunks of one byte, one connection per request, and HTTPS with its own
 * certificate authority.
 */
export async function startSecondService(): Promise<SecondService> {
  const authority = await createAuthority('Second Authority')
  const key = 'second.service-key!with_other@characters0'
  const users = new Map<string, User>()
  const requests: string[] = []
  const server = createServer(
    await authority.issue(['localhost', '127.0.0.1']),
    async (request, response) => {
      requests.push(`${request.method} ${request.url?.split('?')[0]}`)
      const [status, body] = await answer(request, users, key).catch((error: unknown): Reply => {
        if (error instanceof Refused) return [error.status, error.body]
        return [500, { detail: String(error) }]
      })
      await send(response, status, body)
    },
  )
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    key,
    authority: authority.cert,
    requests,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

async function answer(request: IncomingMessage, users: Map<string, User>, key: string): Promise<Reply> {
  const url = new URL(request.url ?? '/', 'https://localhost')
  const text = await readAll(request)
  const body = text === '' ? undefined : JSON.parse(text)
  for (const [route, handle, finds] of routes) {
    const [method, path] = route.split(' ')
    const match = new RegExp(`^${path}$`).exec(url.pathname)
    if (!match || method !== request.method) continue
    const find = () => identify(request, { query: url.searchParams, body, users, key })
    const call = { query: url.searchParams, body, params: match.slice(1), user: finds ? find() : nobody }
    if (!finds && !path?.includes('/v1/') && request.headers['x-api-key'] !== key) throw unauthorized()
    return handle(call, users)
  }
  throw new Refused(404, { detail: 'Nothing lives here.', see: 'the manual' })
}

const nobody: User = { user_id: '', fields: {}, scans: [], answers: [] }
const unauthorized = () => new Refused(401, { reason: 'x', detail: 'Who are you?' })
const missing = () => new Refused(404, { reason: 'x', detail: 'We have never met this person.' })

interface Asked {
  query: URLSearchParams
  body: Body
  users: Map<string, User>
  key: string
}

/** Returns the user of the action token. If the request has an API key instead, returns the user whose ID is in the query or the body. */
function identify({ headers }: IncomingMessage, { query, body, users, key }: Asked): User {
  const token = /^Token (.+)$/.exec(headers.authorization ?? '')?.[1]
  const given = (name: string) => query.get(name) ?? body?.[name] ?? undefined
  const [external, internal] = [given('external_user_id'), given('user_id')]
  if (token !== undefined) {
    if (external !== undefined || internal !== undefined)
      throw new Refused(400, { detail: 'Only one identity.' })
    const id = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).person
    return findInternal(users, id) ?? orThrow(unauthorized())
  }
  if (headers['x-api-key'] !== key) throw unauthorized()
  if ((external === undefined) === (internal === undefined))
    throw new Refused(400, { detail: 'Exactly one identity.' })
  return (external === undefined ? findInternal(users, internal) : users.get(external)) ?? orThrow(missing())
}

function orThrow(error: Error): never {
  throw error
}

function findInternal(users: Map<string, User>, id: string): User | undefined {
  const digits = (text: string) => text.replaceAll('-', '').toUpperCase()
  return [...users.values()].find((user) => digits(user.user_id) === digits(id))
}

type Route = readonly [
  route: string,
  handle: (call: Call, users: Map<string, User>) => Reply,
  findsUser?: boolean,
]

const routes: readonly Route[] = [
  ['POST /v2/users', createUser],
  ['GET /v2/users', ({ user }) => [200, { ...shown(user), weight: { unit: 'kg', value: 72 } }], true],
  ['PUT /v2/users/([^/]+)', updateUser],
  ['DELETE /v2/users/', deleteUser, true],
  ['POST /v2/users/authenticate', ({ user }) => [201, { kind: 'jwt', token: tokenOf(user) }], true],
  ['GET /v2/userjourneys/scan', ({ user }) => [200, `https://a.example/go?t=${tokenOf(user)}`], true],
  ['GET /v2/face-scans/', ({ user, query }) => list(scansOf(user, query)), true],
  [
    'GET /v2/face-scans/latest',
    ({ user }) => list(scansOf(user, new URLSearchParams('order=desc&count=1'))),
    true,
  ],
  [
    'GET /v2/face-scans/([^/]+)',
    ({ user, params }) => [
      200,
      user.scans.find((scan) => String(scan['face_scan_id']).toLowerCase() === params[0]?.toLowerCase()) ??
        orThrow(missing()),
    ],
    true,
  ],
  ['GET /v2/metrics', ({ user }) => (user.scans.length === 0 ? [204] : [200, scores()]), true],
  [
    'GET /v2/userprofiles/wellbeing',
    () => [
      200,
      {
        energy_sleep: { assessment: 'fair', score: 51 },
        mental: 50,
        physical: 61.25,
        status_label: 'GNN',
        rev: 9,
      },
    ],
    true,
  ],
  [
    'GET /v2/userprofiles/summary/(physical|mental|energy_sleep)',
    ({ params }) => [200, { tip: `Rest (${params[0]}).`, more: [], feedback: 'Well done.' }],
    true,
  ],
  ['GET /v2/questions/all', () => [200, ['smoking', 'height', 'weight', 'new_question']]],
  ['GET /v2/questions/answered', answered, true],
  ['POST /v2/questions/answer', ({ user, body }) => [201, save(user, body)], true],
  [
    'POST /v2/questions/answer/many',
    ({ user, body }) => [201, body.map((one: { lookup_key: string; value: number }) => save(user, one))],
    true,
  ],
  ['POST /v2/dashboards/health', () => [201, 'https://d.example/?language=en&action_token=a.b.c'], true],
  ['GET /v2/recommendations', ({ user }) => [200, { recommendations: advice(user), count: 2 }], true],
  ['GET /v1/regulatory/ce-label', () => [200, Buffer.from('89504e470d0a1a0a', 'hex')]],
  [
    'POST /v2/widgets/graph',
    ({ body }) => [200, { config: { y_range: [null, null], title: body.data.title ?? 'A' }, data: [] }],
    true,
  ],
]

function createUser({ body }: Call, users: Map<string, User>): Reply {
  const { external_user_id: id, ...fields } = body
  if (id === undefined)
    throw new Refused(422, { detail: [{ msg: 'Please send it.', loc: ['body', 'external_user_id'] }] })
  if (users.has(id)) throw new Refused(409, { detail: 'Taken.' })
  const user = { user_id: randomUUID().toUpperCase(), fields, scans: scansUntilNow(), answers: [] }
  users.set(id, id.startsWith('empty') ? { ...user, scans: [] } : user)
  return [201, shown(user)]
}

function updateUser({ body, params }: Call, users: Map<string, User>): Reply {
  const user = findInternal(users, params[0] ?? '') ?? orThrow(missing())
  Object.assign(user.fields, body)
  return [200, shown(user)]
}

function deleteUser({ user }: Call, users: Map<string, User>): Reply {
  for (const [id, other] of users) if (other === user) users.delete(id)
  return [204]
}

function shown({ user_id, fields }: User): Record<string, Json> {
  return {
    zodiac: 'unknown field',
    preferred_unit_system: fields['preferred_unit_system'] ?? null,
    language: fields['language'] ?? null,
    sex: fields['sex'] ?? null,
    birth_date: fields['birth_date'] ?? null,
    external_user_id: null,
    customer: 'Second',
    user_id,
  }
}

function tokenOf({ user_id }: User): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 6 * 3600
  return `${part({ alg: 'HS256' })}.${part({ person: user_id, exp })}.signature`
}

/** Ten scans. Two of them have the same time. */
function scansUntilNow(): Record<string, Json>[] {
  return Array.from({ length: 10 }, (_, index) => {
    const at = Date.now() - (10 - (index === 4 ? 5 : index)) * dayMs
    const values = biomarkers.map((name, other) => [name, 60 + index + other] as const)
    const timestamp = new Date(at).toISOString().replace('Z', '000+00:00')
    return {
      device: 'unknown field',
      timestamp,
      timestamp_epoch: Math.floor(at / 1000),
      ...Object.fromEntries(values),
      face_scan_id: randomUUID().toUpperCase(),
    }
  })
}

function scansOf({ scans }: User, query: URLSearchParams): Record<string, Json>[] {
  const at = (scan: Record<string, Json>) => Date.parse(String(scan['timestamp']))
  const bound = (name: string, otherwise: number) => Date.parse(query.get(name) ?? '') || otherwise
  const found = scans
    .filter((scan) => at(scan) > bound('start', 0) && at(scan) < bound('end', Number.POSITIVE_INFINITY))
    .toSorted((a, b) => at(a) - at(b))
  if (query.get('order') === 'desc') found.reverse()
  return found.slice(0, Math.min(cap, Number(query.get('count') ?? 10)))
}

/** Returns a response with a list, or with status 204 if the list is empty. */
function list(items: Json[]): Reply {
  return items.length === 0 ? [204] : [200, items]
}

function scores(): Json {
  const known = metrics.slice(1).map((name, index) => [name, { confidence: 90, score: 50 + index }])
  return {
    last_update: '2026-03-01T00:00:00.000000+01:00',
    metrics: { ...Object.fromEntries(known), sleep_quality: null },
    version: 2,
  }
}

function save(user: User, { lookup_key, value }: { lookup_key: string; value: number }): Json {
  if (lookup_key === 'no_such_key')
    throw new Refused(422, { detail: [{ msg: 'Never heard of it.', loc: ['body', 'lookup_key'] }] })
  const local_timestamp = new Date(Date.UTC(2026, 2, 1, 0, 0, user.answers.length)).toISOString()
  user.answers.push({ question_lookup_key: lookup_key, answer: value, local_timestamp })
  return { user_id: user.user_id, value, lookup_key, saved: true }
}

function answered({ user, query }: Call): Reply {
  const page = Number(query.get('page') ?? 1)
  const total = user.answers.length
  if (total === 0) return [204]
  const next = page * cap < total ? `https://localhost/v2/questions/answered?page=${page + 1}` : null
  const items = user.answers.slice((page - 1) * cap, page * cap)
  return [
    200,
    {
      pagination: {
        next_page: next,
        total_items: total,
        total_pages: Math.ceil(total / cap),
        page_size: cap,
        page,
      },
      items: items.map((item) => ({ extra: 1, health_scan_id: null, score: null, ...item })),
    },
  ]
}

function advice({ scans }: User): Json[] {
  if (scans.length === 0) return []
  return [2, 1].map((relevance) => ({
    lookup_key: `advice_${relevance}`,
    relevance,
    related_metric: 'sleep_quality',
    image_url: 'https://i.example/i.png',
    action_text: 'Go',
    action_url: 'https://a.example/',
    description: 'Sleep.',
    title: `Advice ${relevance}`,
  }))
}

/** Sends a response. The body contains `1.0` instead of 1, and arrives in chunks of one byte. */
async function send(
  response: ServerResponse,
  status: number,
  body: Json | Buffer | undefined,
): Promise<void> {
  const type = body instanceof Buffer ? 'image/png' : 'application/json; charset=UTF-8'
  response.writeHead(status, { connection: 'close', ...(body === undefined ? {} : { 'content-type': type }) })
  const bytes = body instanceof Buffer ? body : Buffer.from(body === undefined ? '' : written(body as Json))
  for (const byte of bytes) response.write(Buffer.of(byte))
  response.end()
}

function written(value: Json): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value)
  if (Array.isArray(value)) return `[ ${value.map(written).join(' ,')} ]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)} : ${written(field)}`)
  return `{\n${fields.join(',\n')}\n}`
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
