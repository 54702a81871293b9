import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { biomarkerNames, metricNames } from '../../src/contract/biomarkers.ts'
import { textsIn } from '../../src/sandbox/texts/index.ts'
import { useSandbox } from './fixture.ts'

/** Behavior of the sandbox that the specification does not define (src/contract/README.md lists the choices). */
describe('the sandbox in both revisions', () => {
  const fixture = useSandbox()
  const { call, createUser, scan, tokenOf } = fixture

  // spec 2.1:11
  it('the sandbox omits weight, height, and hypertension from a user without answers and scans (spec 2.1)', async () => {
    const { externalUserId } = await createUser()
    const { body } = await call('GET', '/v2/users', { query: { external_user_id: externalUserId } })
    expect(Object.keys(body)).toEqual(expect.not.arrayContaining(['weight', 'height', 'hypertension']))
  })

  // spec 2.1:12
  it('a percent-encoded external user ID in a body selects the user with the decoded ID (spec 2.1, 4.1)', async () => {
    const created = await call('POST', '/v2/users', { body: { external_user_id: 'a%20b%2Fc' } })
    const { user_id } = created.body
    expect((await call('GET', '/v2/users', { query: { external_user_id: 'a b/c' } })).body.user_id).toBe(
      user_id,
    )
    const again = await call('POST', '/v2/users', { body: { external_user_id: 'a b/c' } })
    expect([again.status, again.body.detail]).toEqual([400, expect.stringContaining('already exists')])
    for (const external_user_id of ['a%20b%2Fc', 'a b/c']) {
      const request = { body: { external_user_id } }
      expect((await call('POST', '/v2/users/authenticate', request)).status).toBe(201)
      expect((await call('POST', '/v2/dashboards/health', request)).status).toBe(201)
    }
    const literal = await call('POST', '/v2/users', { body: { external_user_id: '100%' } })
    expect((await call('GET', '/v2/users', { query: { external_user_id: '100%' } })).body.user_id).toBe(
      literal.body.user_id,
    )
  })

  // spec 2.8:1, 2.8:4, 4.9:6, 2.1:16
  it('a widget has null only in nullable fields, and texts in the user’s language (spec 2.8, 4.9)', async () => {
    const { externalUserId } = await createUser({ language: 'nl' })
    scan(externalUserId, 1)
    const token = await tokenOf(externalUserId)
    const texts = await textsIn('nl')
    const levels = Object.entries(texts).flatMap(([name, text]) => (name.startsWith('level.') ? text : []))
    const [{ face_scan_id }] = (await call('GET', '/v2/face-scans/latest', { token })).body
    const widget = async (kind: string, data: object) =>
      (await call('POST', `/v2/widgets/${kind}`, { token, body: { data } })).body
    for (const parameter of biomarkerNames) {
      const { data } = await widget('biomarker', { face_scan_id, parameter })
      expect(Object.values(data)).not.toContain(null)
      expect(data.title).toBe(texts[`biomarker.${parameter}`])
      expect(levels).toContain(data.zone)
    }
    for (const parameter of metricNames) {
      const { data } = await widget('metric', { parameter })
      expect([data.title, data.locked]).toEqual([texts[`metric.${parameter}`], true])
    }
    const graph = await widget('graph', { parameter: 'heart_rate' })
    expect(graph.config.title).toBe(texts['biomarker.heart_rate'])
    expect(graph.data[0]).toMatchObject({ value: null, hint: texts['biomarker.noValue'] })
  })

  // spec 4.2:3
  it.each(['2027-01-01T00:00:00Z', '2027-01-01T00:00:00+01:00'])(
    'the sandbox refuses expire_at %s, which has a time zone (spec 4.2)',
    async (expire_at) => {
      const { externalUserId } = await createUser()
      const query = { external_user_id: externalUserId, expire_at }
      const reply = await call('GET', '/v2/userjourneys/scan', { query })
      expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining('expire_at')])
    },
  )

  // spec 4.2:3
  it('the sandbox accepts expire_at without a time zone (spec 4.2)', async () => {
    const { externalUserId } = await createUser()
    const query = { external_user_id: externalUserId, expire_at: '2027-01-01T00:00:00' }
    expect((await call('GET', '/v2/userjourneys/scan', { query })).status).toBe(200)
  })

  // spec 4.3:7-8
  it('a face scan can be read with its user’s action token, but not with another token (spec 4.3)', async () => {
    const { externalUserId } = await createUser()
    scan(externalUserId, 1)
    const token = await tokenOf(externalUserId)
    const [latest] = (await call('GET', '/v2/face-scans/latest', { token })).body
    const path = `/v2/face-scans/${latest.face_scan_id}`
    expect((await call('GET', path, { token })).body).toEqual(latest)
    const other = await tokenOf((await createUser()).externalUserId)
    expect((await call('GET', path, { token: other })).status).toBe(404)
  })

  // spec 4.5:6
  it('the sandbox saves several answers with an action token (spec 4.5)', async () => {
    const { externalUserId, userId } = await createUser()
    const body = [{ lookup_key: 'weight', value: 70, timezone: 'UTC' }]
    const token = await tokenOf(externalUserId)
    const reply = await call('POST', '/v2/questions/answer/many', { token, body })
    expect([reply.status, reply.body]).toEqual([201, [{ lookup_key: 'weight', value: 70, user_id: userId }]])
  })

  // spec 4.5:3
  it('the error for answers without a user ID names the missing field (spec 4.5)', async () => {
    const reply = await call('GET', '/v2/questions/answered')
    expect([reply.status, reply.body.detail]).toEqual([400, 'external_user_id is required'])
  })

  // spec 4.6:4
  it('the sandbox accepts any text as the name of a disabled dashboard section (spec 4.6)', async () => {
    const { externalUserId } = await createUser()
    const body = { external_user_id: externalUserId, disabled_sections: ['todos', 'cellar'] }
    expect((await call('POST', '/v2/dashboards/health', { body })).status).toBe(201)
  })

  // spec 7:7
  it.each(['1e1', '0x10', '-1', '+1', '1.0', ' 1', '', '0'])(
    'the sandbox returns 400 for the count "%s" in a query (spec 4.3)',
    async (count) => {
      const { externalUserId } = await createUser()
      const query = { external_user_id: externalUserId, count }
      const reply = await call('GET', '/v2/face-scans/', { query })
      expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining('count')])
    },
  )

  // spec 2.1:14
  it('an ID with invalid Unicode causes status 400 in a query and 422 in a body (spec 2.1)', async () => {
    for (const escaped of ['%FF', 'a%C3', '%ED%A0%80']) {
      const reply = await call('GET', `/v2/users?external_user_id=${escaped}`)
      expect([escaped, reply.status]).toEqual([escaped, 400])
    }
    const surrogate = await call('POST', '/v2/users', { body: '{"external_user_id":"\\ud800"}' })
    expect([surrogate.status, surrogate.body.detail[0].loc]).toEqual([422, ['body', 'external_user_id']])
    const key = { 'x-api-key': fixture.sandbox.keys.development.key, 'content-type': 'application/json' }
    const body = Buffer.concat([Buffer.from('{"external_user_id":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const reply = await fetch(`${fixture.sandbox.url}/v2/users`, { method: 'POST', headers: key, body })
    expect(reply.status).toBe(422)
  })

  // spec 4.2:5
  it.each(['scan', 'dashboard'])(
    'the sandbox does not accept the token of a %s link as an action token (spec 4.2, 4.6)',
    async (kind) => {
      const { externalUserId } = await createUser()
      const { body: link } =
        kind === 'scan'
          ? await call('GET', '/v2/userjourneys/scan', { query: { external_user_id: externalUserId } })
          : await call('POST', '/v2/dashboards/health', { body: { external_user_id: externalUserId } })
      const token = new URL(link).searchParams.get('action_token') ?? ''
      expect((await call('GET', '/v2/face-scans/', { token })).status).toBe(401)
    },
  )

  // spec 7:5
  it('the sandbox returns 400 and an error in JSON for a request without a Host header (spec 7)', async () => {
    const { hostname, port } = new URL(fixture.sandbox.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET /v2/questions/all HTTP/1.1\r\nConnection: close\r\n\r\n')
    let received = ''
    for await (const chunk of socket) received += String(chunk)
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({ detail: expect.stringContaining('Host') })
  })

  it('the sandbox returns 500 instead of a response that violates the contract (spec 2.1)', async () => {
    const { externalUserId, userId } = await createUser()
    fixture.store.run('update user set sex = ? where user_id = ?', 'X', userId)
    const reply = await call('GET', '/v2/users', { query: { external_user_id: externalUserId } })
    expect([reply.status, reply.body]).toEqual([500, { detail: 'internal error' }])
  })
})

describe('the sandbox with the earlier revision', () => {
  const { call, createUser, tokenOf } = useSandbox({ revision: 'earlier' })

  // spec 4.1:2, 9:2
  it('the sandbox creates a user without an external user ID in the earlier revision (spec 4.1, 9)', async () => {
    const created = await Promise.all([1, 2].map(() => call('POST', '/v2/users', { body: { sex: 'F' } })))
    expect(created.map(({ status }) => status)).toEqual([201, 201])
    const { user_id } = created[0]!.body
    expect((await call('GET', '/v2/users', { query: { user_id } })).body.sex).toBe('F')
  })

  // spec 2.4:5
  it('the sandbox returns wellbeing scores without a status label in the earlier revision (spec 2.4, 9)', async () => {
    const token = await tokenOf((await createUser()).externalUserId)
    const { body } = await call('GET', '/v2/userprofiles/wellbeing', { token })
    expect(body).toEqual({ mental: 50, physical: 50, energy_sleep: 50 })
  })
})

describe('the sandbox with the current revision', () => {
  const { call, createUser } = useSandbox({ revision: 'current' })

  // spec 4.1:2
  it('in the current revision of the API, the sandbox refuses to create a user without an external user ID (spec 4.1)', async () => {
    const reply = await call('POST', '/v2/users', { body: { sex: 'F' } })
    expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['body', 'external_user_id']])
  })

  // spec 9:3
  it('in the current revision of the API, user_id causes status 422 in a body and 400 in a query (spec 9)', async () => {
    const { userId } = await createUser()
    const inBody = await call('POST', '/v2/users/authenticate', { body: { user_id: userId } })
    expect([inBody.status, inBody.body.detail[0].loc]).toEqual([422, ['body', 'user_id']])
    const inQuery = await call('GET', '/v2/users', { query: { user_id: userId } })
    expect([inQuery.status, inQuery.body.detail]).toEqual([400, expect.stringContaining('user_id')])
  })
})
