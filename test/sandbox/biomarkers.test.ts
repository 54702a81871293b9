import { expect, it } from 'vitest'
import { biomarkerFacts, biomarkerNames } from '../../src/contract/biomarkers.ts'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { call, createUser, scan, tokenOf } = fixture

async function userWithScans(count: number) {
  const user = await createUser()
  scan(user.externalUserId, count)
  const query = { external_user_id: user.externalUserId }
  const { body } = await call('GET', '/v2/face-scans/', { query: { ...query, count: 1000 } })
  return {
    ...user,
    query,
    scans: body as { face_scan_id: string; timestamp: string; timestamp_epoch: number }[],
  }
}

// spec 2.3:1-3
it('the sandbox returns plausible biomarkers with their time as text and as seconds since 1970', async () => {
  const { scans } = await userWithScans(30)
  expect(scans).toHaveLength(30)
  for (const record of scans) {
    for (const name of biomarkerNames) {
      const [low, high] = biomarkerFacts[name].plausible
      const value = (record as unknown as Record<string, number>)[name]
      expect(value).toBeGreaterThanOrEqual(low)
      expect(value).toBeLessThanOrEqual(high)
    }
    expect(record.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00$/)
    expect(Math.floor(Date.parse(record.timestamp) / 1000)).toBe(record.timestamp_epoch)
  }
})

// spec 4.3:2, 4.3:4-5, 8:2
it('the sandbox lists ten scans by default, with the oldest scan first', async () => {
  const { query, scans } = await userWithScans(12)
  const { body } = await call('GET', '/v2/face-scans/', { query })
  expect(body).toEqual(scans.slice(0, 10))
  const newest = await call('GET', '/v2/face-scans/', { query: { ...query, order: 'desc', count: 3 } })
  expect(newest.body).toEqual(scans.toReversed().slice(0, 3))
})

// spec 4.3:3
it('the sandbox lists scans between start and end, and reads a time without a zone as UTC', async () => {
  const { query, scans } = await userWithScans(6)
  const [start, end] = [scans[1]?.timestamp ?? '', scans[4]?.timestamp ?? '']
  const { body } = await call('GET', '/v2/face-scans/', { query: { ...query, start, end } })
  expect(body).toEqual(scans.slice(2, 4))
  const local = await call('GET', '/v2/face-scans/', {
    query: { ...query, start: start.replace('+00:00', ''), end: end.replace('+00:00', '') },
  })
  expect(local.body).toEqual(scans.slice(2, 4))
})

// spec 4.3:6, 8:2
it('the sandbox returns the latest scan, or several scans with the newest first if count is set', async () => {
  const { query, scans } = await userWithScans(4)
  expect((await call('GET', '/v2/face-scans/latest', { query })).body).toEqual([scans[3]])
  const two = await call('GET', '/v2/face-scans/latest', { query: { ...query, count: 2 } })
  expect(two.body).toEqual([scans[3], scans[2]])
})

it('the sandbox returns an empty list for a user without scans', async () => {
  const { externalUserId } = await createUser()
  const query = { external_user_id: externalUserId }
  for (const path of ['/v2/face-scans/', '/v2/face-scans/latest']) {
    const reply = await call('GET', path, { query })
    expect([reply.status, reply.body]).toEqual([200, []])
  }
})

// spec 4.3:1
it('the sandbox returns one scan by its ID, with and without dashes', async () => {
  const { query, scans } = await userWithScans(1)
  const id = scans[0]?.face_scan_id ?? ''
  for (const form of [id, id.replaceAll('-', '')]) {
    expect((await call('GET', `/v2/face-scans/${form}`, { query })).body).toEqual(scans[0])
  }
})

// spec 4.3:8
it('the sandbox returns 404 for another user’s scan and 400 for a malformed ID', async () => {
  const { scans } = await userWithScans(1)
  const other = await createUser()
  const query = { external_user_id: other.externalUserId }
  const hidden = await call('GET', `/v2/face-scans/${scans[0]?.face_scan_id}`, { query })
  expect([hidden.status, hidden.body]).toEqual([404, { detail: 'face scan not found' }])
  const malformed = await call('GET', '/v2/face-scans/nonsense', { query })
  expect([malformed.status, malformed.body]).toEqual([400, { detail: 'invalid uuid provided' }])
})

it.each([
  ['count', '0'],
  ['count', '1.5'],
  ['count', 'many'],
  ['count', '1001'],
  ['order', 'sideways'],
  ['start', 'yesterday'],
  ['end', '2026-13-01T00:00:00'],
])('the sandbox returns 400 for a request for scans with the parameter %s=%s', async (name, value) => {
  const { externalUserId } = await createUser()
  const reply = await call('GET', '/v2/face-scans/', {
    query: { external_user_id: externalUserId, [name]: value },
  })
  expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining(name)])
})

// spec 5:4
it('with an action token, the sandbox lists only the user’s own scans', async () => {
  const { externalUserId, scans } = await userWithScans(2)
  const token = await tokenOf(externalUserId)
  const other = await tokenOf((await createUser()).externalUserId)
  expect((await call('GET', '/v2/face-scans/', { token })).body).toEqual(scans)
  expect((await call('GET', '/v2/face-scans/latest', { token })).body).toEqual([scans[1]])
  expect((await call('GET', '/v2/face-scans/', { token: other })).body).toEqual([])
})

it('recording scans twice with the same seed gives identical scans', async () => {
  const [first, second] = [await createUser(), await createUser()]
  const values = async ({ externalUserId }: { externalUserId: string }) => {
    const { body } = await call('GET', '/v2/face-scans/', {
      query: { external_user_id: externalUserId, count: 20 },
    })
    return body.map((record: { heart_rate: number }) => record.heart_rate)
  }
  scan(first.externalUserId, 5)
  scan(first.externalUserId, 5)
  scan(second.externalUserId, 5)
  const of = await values(first)
  expect(new Set(of).size).toBeLessThanOrEqual(5)
  expect(await values(second)).not.toEqual(of.slice(0, 5))
})

// spec 4.2:1-2, 4.2:4, 2.1:16, 9:5
it('the sandbox returns a scan link with a new host name for each request, in the requested language', async () => {
  const { externalUserId, userId } = await createUser({ language: 'nl' })
  const link = async (query: Record<string, string>) =>
    new URL((await call('GET', '/v2/userjourneys/scan', { query })).body)
  const [first, second] = [await link({ external_user_id: externalUserId }), await link({ user_id: userId })]
  expect(first.hostname).toMatch(/\.localhost$/)
  expect(first.hostname).not.toBe(second.hostname)
  expect(first.port).toBe(new URL(fixture.sandbox.url).port)
  expect(first.searchParams.get('language')).toBe('nl')
  expect((await link({ user_id: userId, language: 'es' })).searchParams.get('language')).toBe('es')
})

// spec 4.2:3
it('a scan link expires at expire_at, and an expire_at in the past is refused', async () => {
  const { externalUserId } = await createUser()
  const query = { external_user_id: externalUserId }
  const { body } = await call('GET', '/v2/userjourneys/scan', {
    query: { ...query, expire_at: '2026-03-11T00:00:00' },
  })
  const token = new URL(body).searchParams.get('action_token') ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims.exp).toBe(Date.parse('2026-03-11T00:00:00Z') / 1000)
  for (const expire_at of ['2026-03-09T00:00:00', '2026-03-11T00:00:00+01:00', 'soon']) {
    const refused = await call('GET', '/v2/userjourneys/scan', { query: { ...query, expire_at } })
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('expire_at')])
  }
})

// spec 4.2:5
it('the sandbox does not accept the token of a scan link as an action token', async () => {
  const { externalUserId } = await createUser()
  const { body } = await call('GET', '/v2/userjourneys/scan', { query: { external_user_id: externalUserId } })
  const token = new URL(body).searchParams.get('action_token') ?? ''
  expect((await call('GET', '/v2/face-scans/', { token })).status).toBe(401)
})
