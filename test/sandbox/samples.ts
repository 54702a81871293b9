import type { Fixture } from './fixture.ts'

export interface Person {
  externalUserId: string
  userId: string
  scanId: string
  token: string
}

/** The parts of a request, except for its credential. */
export interface Sample {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** For each endpoint, a request that succeeds. `identifier` contains the user ID, and is empty if the request has an action token. */
export const samples: Record<string, (person: Person, identifier: object) => Sample> = {
  'users.create': ({ externalUserId }, identifier) => ({
    body: { ...identifier, external_user_id: `${externalUserId}-${created++}` },
  }),
  'users.get': (_, query) => ({ query: { ...query } }),
  'users.update': ({ userId }) => ({ path: { user_id: userId }, body: { sex: 'F' } }),
  'users.authenticate': (_, identifier) => ({ body: { ...identifier } }),
  'users.delete': ({ userId }) => ({ query: { user_id: userId } }),
  scanUrl: (_, query) => ({ query: { ...query } }),
  'biomarkers.get': ({ scanId }, query) => ({ path: { face_scan_id: scanId }, query: { ...query } }),
  'biomarkers.list': (_, query) => ({ query: { ...query } }),
  'biomarkers.latest': (_, query) => ({ query: { ...query } }),
  metrics: (_, query) => ({ query: { ...query } }),
  wellbeing: (_, query) => ({ query: { ...query } }),
  summary: () => ({ path: { profile: 'mental' }, query: { language: 'en' } }),
  'questions.all': () => ({}),
  'questions.answered': (_, query) => ({ query: { ...query } }),
  'questions.answer': (_, query) => ({ query: { ...query }, body: { ...answer } }),
  'questions.answerMany': (_, query) => ({ query: { ...query }, body: [{ ...answer }] }),
  dashboardUrl: (_, identifier) => ({ body: { ...identifier } }),
  recommendations: (_, query) => ({ query: { ...query } }),
  ceLabel: () => ({}),
  'widgets.biomarker': ({ scanId }) => ({
    body: { data: { face_scan_id: scanId, parameter: 'heart_rate' } },
  }),
  'widgets.metric': () => ({ body: { data: { parameter: 'sleep_quality' } } }),
  'widgets.graph': () => ({ body: { data: { parameter: 'heart_rate' } } }),
}

let created = 0
const answer = { lookup_key: 'weight', value: 70, timezone: 'UTC' }

/** A user with scans, answers, and known metrics. */
export async function createPerson({ createUser, scan, answer, tokenOf, call }: Fixture): Promise<Person> {
  const user = await createUser()
  scan(user.externalUserId, 5)
  await answer(user.externalUserId, { weight: 70, height: 170 })
  const token = await tokenOf(user.externalUserId)
  const [latest] = (await call('GET', '/v2/face-scans/latest', { token })).body
  return { ...user, token, scanId: latest.face_scan_id }
}

/** The method and path of a call such as `GET /v2/face-scans/{face_scan_id}`, with the path parameters and query of the sample. */
export function locate(call: string, { path = {}, query = {} }: Sample): { method: string; path: string } {
  const [method = '', template = ''] = call.split(' ')
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return { method, path: search.size > 0 ? `${filled}?${search}` : filled }
}
