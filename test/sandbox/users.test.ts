import { expect, it } from 'vitest'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { call, createUser, scan, answer, tokenOf } = fixture
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const unknownId = '00000000-0000-4000-8000-000000000000'

// spec 2.1:1-2, 2.1:8, 4.1:1, 4.1:3, 1:3
it('the response to the creation of a user has default values and a null external user ID', async () => {
  const reply = await call('POST', '/v2/users', { body: { external_user_id: 'a b/ü' } })
  expect(reply.status).toBe(201)
  expect(reply.body).toEqual({
    user_id: expect.stringMatching(uuid),
    customer: 'Acme Wellness',
    external_user_id: null,
    birth_date: null,
    sex: null,
    language: 'en',
    preferred_unit_system: null,
  })
  const found = await call('GET', '/v2/users', { query: { external_user_id: 'a b/ü' } })
  expect([found.status, found.body]).toStrictEqual([200, reply.body])
})

// spec 2.1:2
it('the sandbox stores the external user ID only as a hash', async () => {
  await call('POST', '/v2/users', { body: { external_user_id: 'very-readable-id' } })
  const rows = JSON.stringify(fixture.store.all('select * from user'))
  expect(rows).not.toContain('very-readable-id')
})

// spec 2.1:3
it('the sandbox refuses to create or update a user if another user has the same external user ID', async () => {
  const first = await createUser()
  const second = await createUser()
  const created = await call('POST', '/v2/users', { body: { external_user_id: first.externalUserId } })
  expect([created.status, created.body.detail]).toEqual([400, expect.stringContaining('already exists')])
  const body = { external_user_id: first.externalUserId, sex: 'M' }
  const updated = await call('PUT', `/v2/users/${second.userId}`, { body })
  expect([updated.status, updated.body.detail]).toEqual([400, expect.stringContaining('already exists')])
  const { body: stored } = await call('GET', '/v2/users', { query: { user_id: second.userId } })
  expect(stored.sex).toBeNull()
})

// spec 2.1:6-9, 7:2
it('the sandbox returns every invalid field of a request body', async () => {
  const body = { sex: 'X', birth_date: '2026-02-30', language: 'de', preferred_unit_system: 1 }
  const reply = await call('POST', '/v2/users', { body })
  expect(reply.status).toBe(422)
  const fields = reply.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
  expect(fields.toSorted()).toEqual([
    'body.birth_date',
    'body.external_user_id',
    'body.language',
    'body.preferred_unit_system',
    'body.sex',
  ])
  expect(reply.body.detail).toContainEqual({
    loc: ['body', 'external_user_id'],
    msg: 'field required',
    type: 'value_error.missing',
  })
})

// spec 2.1:15, 4.1:4
it('the sandbox finds a user by external user ID, and by user ID with and without dashes', async () => {
  const { externalUserId, userId } = await createUser({ sex: 'F' })
  const forms: Record<string, string>[] = [
    { external_user_id: externalUserId },
    { user_id: userId },
    { user_id: userId.replaceAll('-', '') },
    { user_id: userId.toUpperCase() },
  ]
  for (const query of forms) {
    const reply = await call('GET', '/v2/users', { query })
    expect([reply.status, reply.body.user_id]).toEqual([200, userId])
  }
})

// spec 4.4:2, 7:3-4
it('the sandbox returns 400 for a malformed ID and 404 for an unknown ID', async () => {
  const malformed = await call('GET', '/v2/users', { query: { user_id: 'nonsense' } })
  expect([malformed.status, malformed.body]).toEqual([400, { detail: 'invalid uuid provided' }])
  const unknown = await call('GET', '/v2/users', { query: { user_id: unknownId } })
  expect([unknown.status, unknown.body]).toEqual([404, { detail: 'user not found' }])
  const stranger = await call('GET', '/v2/users', { query: { external_user_id: 'nobody' } })
  expect([stranger.status, stranger.body]).toEqual([404, { detail: 'user not found' }])
})

// spec 4:3
it('a request without a user ID, or with two user IDs, gets status 400', async () => {
  const { externalUserId, userId } = await createUser()
  expect((await call('GET', '/v2/users')).status).toBe(400)
  const both = await call('GET', '/v2/users', {
    query: { external_user_id: externalUserId, user_id: userId },
  })
  expect(both.status).toBe(400)
  const twice = await call('GET', `/v2/users?external_user_id=${externalUserId}&external_user_id=other`)
  expect(twice.status).toBe(400)
})

// spec 4.1:5, 1:3
it('an update keeps omitted fields and clears fields that are null', async () => {
  const { userId } = await createUser({ birth_date: '1980-05-06', sex: 'F', language: 'nl' })
  const updated = await call('PUT', `/v2/users/${userId}`, { body: { preferred_unit_system: 'imperial' } })
  expect(updated.status).toBe(200)
  const kept = { birth_date: '1980-05-06', sex: 'F', language: 'nl', preferred_unit_system: 'imperial' }
  expect(updated.body).toMatchObject(kept)
  const cleared = await call('PUT', `/v2/users/${userId}`, { body: { birth_date: null } })
  expect(cleared.body).toMatchObject({ ...kept, birth_date: null })
})

// spec 2.1:4
it('after an update of the external user ID, the sandbox finds the user only by the new ID', async () => {
  const { externalUserId, userId } = await createUser()
  const body = { external_user_id: `${externalUserId}-new` }
  expect((await call('PUT', `/v2/users/${userId.replaceAll('-', '')}`, { body })).status).toBe(200)
  expect((await call('GET', '/v2/users', { query: { external_user_id: externalUserId } })).status).toBe(404)
  expect((await call('GET', '/v2/users', { query: body })).body.user_id).toBe(userId)
})

// spec 7:4
it('the sandbox returns 400, 404 or 422 for an invalid update', async () => {
  const { userId } = await createUser()
  expect((await call('PUT', '/v2/users/nonsense', { body: {} })).body).toEqual({
    detail: 'invalid uuid provided',
  })
  expect((await call('PUT', `/v2/users/${unknownId}`, { body: {} })).status).toBe(404)
  expect((await call('PUT', `/v2/users/${userId}`, { body: { sex: 'X' } })).status).toBe(422)
  expect((await call('PUT', `/v2/users/${userId}`, { body: { external_user_id: '' } })).status).toBe(422)
})

// spec 2.2:1-2, 4.1:6, 2.2:4
it('an action token for either kind of user ID expires after six hours', async () => {
  const { externalUserId, userId } = await createUser()
  for (const body of [{ external_user_id: externalUserId }, { user_id: userId }]) {
    const reply = await call('POST', '/v2/users/authenticate', { body })
    expect(reply.status).toBe(201)
    const claims = JSON.parse(Buffer.from(reply.body.token.split('.')[1], 'base64url').toString())
    expect(claims.exp).toBe(fixture.nowMs / 1000 + 6 * 60 * 60)
    expect(claims).not.toHaveProperty('sub')
    expect(claims).not.toHaveProperty('iat')
  }
})

// spec 4:3, 7:2
it('the sandbox refuses to create an action token if the request has no user ID, two user IDs, or an invalid user ID', async () => {
  const { externalUserId, userId } = await createUser()
  for (const body of [
    {},
    { external_user_id: externalUserId, user_id: userId },
    { user_id: 'nonsense' },
    { external_user_id: 7 },
    [],
    'null',
  ]) {
    const reply = await call('POST', '/v2/users/authenticate', { body })
    expect([reply.status, Array.isArray(reply.body.detail)]).toEqual([422, true])
  }
  const unknown = await call('POST', '/v2/users/authenticate', { body: { external_user_id: 'nobody' } })
  expect([unknown.status, unknown.body.detail]).toEqual([404, 'user not found'])
})

// spec 3:1, 4.1:7-8, 1:3, 5:9
it('deleting a user deletes the user’s scans and answers and makes the user’s tokens invalid', async () => {
  const { externalUserId, userId } = await createUser()
  scan(externalUserId, 3)
  await answer(externalUserId, { weight: 70 })
  const token = await tokenOf(externalUserId)
  const reply = await call('DELETE', '/v2/users/', { query: { user_id: userId } })
  expect([reply.status, reply.body]).toEqual([204, ''])
  expect((await call('GET', '/v2/face-scans/', { token })).status).toBe(401)
  expect((await call('DELETE', '/v2/users/', { query: { user_id: userId } })).status).toBe(404)
  for (const table of ['user', 'scan', 'answer']) {
    const rows = fixture.store.all(`select * from ${table} where user_id = ?`, userId)
    expect(rows).toEqual([])
  }
})

// spec 4.1:7, 9:2
it('the sandbox deletes a user only by user_id and only at the path with a trailing slash', async () => {
  const { externalUserId, userId } = await createUser()
  const external = await call('DELETE', '/v2/users/', { query: { external_user_id: externalUserId } })
  expect(external.status).toBe(400)
  expect((await call('DELETE', '/v2/users/')).status).toBe(400)
  expect((await call('DELETE', '/v2/users/', { query: { user_id: 'nonsense' } })).status).toBe(400)
  expect((await call('DELETE', '/v2/users', { query: { user_id: userId } })).status).toBe(404)
  expect((await call('GET', '/v2/users', { query: { user_id: userId } })).status).toBe(200)
})

// spec 1:6-7, 2.1:10, 1:9
it('the sandbox returns a user’s weight and height from the latest answers, in the user’s units', async () => {
  const { externalUserId, userId } = await createUser()
  const details = async () => (await call('GET', '/v2/users', { query: { user_id: userId } })).body
  for (const name of ['weight', 'height', 'hypertension']) expect(await details()).not.toHaveProperty(name)
  await answer(externalUserId, { weight: 90, height: 180 })
  await answer(externalUserId, { weight: 70 })
  expect(await details()).toMatchObject({
    weight: { value: 70, unit: 'kg' },
    height: { value: 180, unit: 'cm' },
  })
  await call('PUT', `/v2/users/${userId}`, { body: { preferred_unit_system: 'imperial' } })
  expect(await details()).toMatchObject({
    weight: { value: 154.32, unit: 'lb' },
    height: { value: 70.87, unit: 'in' },
  })
  scan(externalUserId, 2)
  expect([0, 1, 2]).toContain((await details()).hypertension)
})

// spec 2.1:5
it('a strict sandbox refuses an update of the read-only field customer (spec 2.1)', async () => {
  const { userId } = await createUser()
  const updated = await call('PUT', `/v2/users/${userId}`, { body: { customer: 'Other' } })
  expect(updated.status).toBe(422)
  expect(updated.body.detail).toEqual([
    { loc: ['body', 'customer'], msg: 'unknown field', type: 'value_error.extra' },
  ])
})

// spec 2.1:17
it('the sandbox returns 404 for a scan link of an unknown user (spec 2.1)', async () => {
  const query = { external_user_id: 'not-created' }
  expect((await call('GET', '/v2/userjourneys/scan', { query })).status).toBe(404)
})

// spec 7:8
it('the error for a missing field contains the path of the field (spec 7)', async () => {
  const reply = await call('POST', '/v2/users', { body: {} })
  const missing = { loc: ['body', 'external_user_id'], msg: 'field required', type: 'value_error.missing' }
  expect([reply.status, reply.body.detail]).toEqual([422, [missing]])
})
