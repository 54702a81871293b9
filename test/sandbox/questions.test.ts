import { expect, it } from 'vitest'
import { lookupKeys } from '../../src/contract/values.ts'
import { useSandbox } from './fixture.ts'

const { call, createUser, scan } = useSandbox()
const good = { lookup_key: 'weight', value: 70, timezone: 'UTC' }

async function answeredBy(externalUserId: string, page?: number) {
  const query = { external_user_id: externalUserId, ...(page === undefined ? {} : { page }) }
  return await call('GET', '/v2/questions/answered', { query })
}

// spec 2.6:6, 4.5:1, 4.5:8
it('the sandbox lists every lookup key', async () => {
  const reply = await call('GET', '/v2/questions/all')
  expect([reply.status, reply.body]).toEqual([200, [...lookupKeys]])
})

// spec 2.6:4, 4.5:4
it('the sandbox saves an answer for a user ID and for an external user ID', async () => {
  const { externalUserId, userId } = await createUser()
  const forms: Record<string, string>[] = [{ external_user_id: externalUserId }, { user_id: userId }]
  for (const query of forms) {
    const reply = await call('POST', '/v2/questions/answer', {
      query,
      body: good,
    })
    expect([reply.status, reply.body]).toEqual([201, { lookup_key: 'weight', value: 70, user_id: userId }])
  }
  expect((await answeredBy(externalUserId)).body.pagination.total_items).toBe(2)
})

// spec 4.5:5
it('the sandbox saves several answers and returns them in the order of the request', async () => {
  const { externalUserId, userId } = await createUser()
  const body = ['smoking', 'age', 'height'].map((lookup_key, value) => ({
    lookup_key,
    value,
    timezone: 'UTC',
  }))
  const reply = await call('POST', '/v2/questions/answer/many', { query: { user_id: userId }, body })
  expect(reply.status).toBe(201)
  expect(reply.body).toEqual(body.map(({ lookup_key, value }) => ({ lookup_key, value, user_id: userId })))
  const { items } = (await answeredBy(externalUserId)).body
  expect(items.map((item: { question_lookup_key: string }) => item.question_lookup_key)).toEqual([
    'smoking',
    'age',
    'height',
  ])
})

it('the error for unknown lookup keys contains their positions, and no answer of the request is stored', async () => {
  const { externalUserId } = await createUser()
  const query = { external_user_id: externalUserId }
  const body = [good, { ...good, lookup_key: 'shoe_size' }, { ...good, lookup_key: 'iq' }]
  const reply = await call('POST', '/v2/questions/answer/many', { query, body })
  expect(reply.status).toBe(422)
  expect(reply.body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
    ['body', 1, 'lookup_key'],
    ['body', 2, 'lookup_key'],
  ])
  expect((await answeredBy(externalUserId)).body.items).toEqual([])
})

// spec 2.6:1-3
it.each([
  ['a fraction', { ...good, value: 1.5 }, 'body.value'],
  ['a value that is text', { ...good, value: '7' }, 'body.value'],
  ['no value', { lookup_key: 'weight', timezone: 'UTC' }, 'body.value'],
  ['an unknown time zone', { ...good, timezone: 'Europe/Atlantis' }, 'body.timezone'],
  ['an unknown key', { ...good, lookup_key: 'shoe_size' }, 'body.lookup_key'],
  ['a list', [good], 'body'],
])('the sandbox returns 422 for an answer with %s', async (_, body, where) => {
  const { externalUserId } = await createUser()
  const reply = await call('POST', '/v2/questions/answer', {
    query: { external_user_id: externalUserId },
    body,
  })
  expect([reply.status, reply.body.detail[0].loc.join('.')]).toEqual([422, where])
})

// spec 2.6:2
it('the sandbox stores the smallest and the largest allowed value', async () => {
  const { externalUserId } = await createUser()
  for (const value of [-1, 0, Number.MAX_SAFE_INTEGER]) {
    const query = { external_user_id: externalUserId }
    const reply = await call('POST', '/v2/questions/answer', { query, body: { ...good, value } })
    expect([reply.status, reply.body.value]).toEqual([201, value])
  }
  const { items } = (await answeredBy(externalUserId)).body
  expect(items.at(-1).answer).toBe(Number.MAX_SAFE_INTEGER)
})

// spec 2.6:5
it.each([
  ['UTC', '2026-03-10T12:00:00.000000+00:00'],
  ['Asia/Kolkata', '2026-03-10T17:30:00.000000+05:30'],
  ['America/St_Johns', '2026-03-10T09:30:00.000000-02:30'],
  ['Europe/Kyiv', '2026-03-10T14:00:00.000000+02:00'],
])('the sandbox returns the time of an answer in the time zone %s', async (timezone, local_timestamp) => {
  const { externalUserId } = await createUser()
  const query = { external_user_id: externalUserId }
  await call('POST', '/v2/questions/answer', { query, body: { ...good, timezone } })
  expect((await answeredBy(externalUserId)).body.items[0]).toEqual({
    question_lookup_key: 'weight',
    answer: 70,
    score: null,
    health_scan_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    local_timestamp,
  })
})

it('the sandbox returns an answer with the ID of the user’s latest face scan', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 3)
  const query = { external_user_id: externalUserId }
  await call('POST', '/v2/questions/answer', { query, body: good })
  const [latest] = (await call('GET', '/v2/face-scans/latest', { query })).body
  expect((await answeredBy(externalUserId)).body.items[0].health_scan_id).toBe(latest.face_scan_id)
})

// spec 4.5:2
it('the sandbox returns answers in pages of fifty', async () => {
  const { externalUserId } = await createUser()
  const body = Array.from({ length: 120 }, (_, value) => ({ ...good, value }))
  await call('POST', '/v2/questions/answer/many', { query: { external_user_id: externalUserId }, body })
  const pages = [
    await answeredBy(externalUserId),
    await answeredBy(externalUserId, 2),
    await answeredBy(externalUserId, 3),
  ]
  const values = pages.flatMap((page) => page.body.items.map((item: { answer: number }) => item.answer))
  expect(values).toEqual(body.map(({ value }) => value))
  expect(pages.map(({ body }) => body.pagination)).toEqual([
    { page: 1, page_size: 50, total_pages: 3, total_items: 120, next_page: 2 },
    { page: 2, page_size: 50, total_pages: 3, total_items: 120, next_page: 3 },
    { page: 3, page_size: 50, total_pages: 3, total_items: 120, next_page: null },
  ])
  expect((await answeredBy(externalUserId, 4)).body.items).toEqual([])
  expect((await answeredBy(externalUserId, 0)).status).toBe(400)
})

// spec 4.5:3
it('the question endpoints refuse invalid user IDs and accept an empty list of answers', async () => {
  const { externalUserId, userId } = await createUser()
  expect((await call('GET', '/v2/questions/answered')).status).toBe(400)
  expect((await call('GET', '/v2/questions/answered', { query: { user_id: userId } })).status).toBe(400)
  for (const [path, body] of [
    ['/v2/questions/answer', good] as const,
    ['/v2/questions/answer/many', [good]] as const,
  ]) {
    expect((await call('POST', path, { body })).status).toBe(400)
    const both = { external_user_id: externalUserId, user_id: userId }
    expect((await call('POST', path, { query: both, body })).status).toBe(400)
    expect((await call('POST', path, { query: { external_user_id: 'nobody' }, body })).status).toBe(404)
  }
  const empty = await call('POST', '/v2/questions/answer/many', { query: { user_id: userId }, body: [] })
  expect([empty.status, empty.body]).toEqual([201, []])
})
