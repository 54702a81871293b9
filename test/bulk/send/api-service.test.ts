import { describe, expect, test } from 'vitest'
import type { InTurn } from '../../../src/bulk/send/attempt.ts'
import { cutReply, refusingUrl, reply, reset } from '../../helpers/hostile-server.ts'
import { connect, item, page, serve, user } from './answer-service.ts'

/** Sends each request immediately. Does not wait for other requests. */
const once: InTurn = (ask) => ask()
/** A time that is one second after the time of `item`. Its offset (+0000) has no colon. */
const later = { local_timestamp: '2026-01-01T00:00:01+0000' }
const passing = [408, 425, 429, 500, 502, 503, 504, 599]

describe('the answers of a user', () => {
  test('all pages of a user’s answers are read, but a URL in next_page is not opened', async () => {
    const elsewhere = 'https://other.example/v2/questions/answered?external_user_id=b&seite=2&size=50'
    const pages = [page([item(1), item(2)], elsewhere), page([], '3'), page([], '4'), page([item(3)])]
    const { server, service, serviceClock } = await serve(({ index }) => pages[index] ?? page([]))
    const at = Date.UTC(2026, 0, 1)
    expect(await service.list(user, once)).toEqual({
      usable: true,
      answers: [1, 2, 3].map((value) => ({ lookup_key: 'height', value, at })),
    })
    expect(server.requests.map(({ target }) => target)).toEqual(
      ['1', '2', '3', '4'].map((name) => `/v2/questions/answered?external_user_id=a%2Fb&seite=${name}`),
    )
    expect(serviceClock.isKnown).toBe(true)
  })

  test.each(passing)('reading a user’s answers reports "unavailable" after status %i', async (status) => {
    const { service } = await serve(() => reply(status, { detail: 'later' }))
    expect(await service.list(user, once)).toBe('unavailable')
  })

  test('reading a user’s answers reports "unavailable" after a lost connection or an incomplete body', async () => {
    expect(await connect(await refusingUrl()).service.list(user, once)).toBe('unavailable')
    const { service } = await serve(() => [cutReply(200, '{"items":[],"pagination":{}}', 12), reset()])
    expect(await service.list(user, once)).toBe('unavailable')
  })

  test.each([
    ['is a 404 because the user is unknown', reply(404)],
    ['has no content', reply(204)],
  ])('the list of a user’s answers is empty if the response %s', async (_, response) => {
    const { service } = await serve(({ target }) =>
      target === '/v2/questions/all' ? reply(200, []) : response,
    )
    expect(await service.list(user, once)).toEqual({ usable: true, answers: [] })
  })

  test.each([
    ['two answers to one question', [item(1), item(2)], true],
    ['an answer to one question at two times', [item(1), item(1, later)], true],
    ['the same answer twice', [item(1), item(1)], false],
    ['answers to two questions', [item(1), item(1, { question_lookup_key: 'weight' })], false],
  ])(
    'a list shows that the service lists earlier answers only if it has two answers to one question: %s',
    async (_, items, listsHistory) => {
      const { service, serviceClock } = await serve(() => page(items))
      await service.list(user, once)
      expect(serviceClock.listsHistory).toBe(listsHistory)
    },
  )

  test('an incomplete list of answers is not used to decide whether the service lists earlier answers to a question', async () => {
    const pagination = { total_items: 3, next_page: null }
    const { service, serviceClock } = await serve(() => reply(200, { items: [item(1), item(2)], pagination }))
    await service.list(user, once)
    expect(serviceClock.listsHistory).toBe(false)
  })

  test.each([undefined, ''])(
    'a page of answers with a correct total is the last page if its next page is %j',
    async (next_page) => {
      const pagination = { next_page, total_items: 1 }
      const { service } = await serve(() => reply(200, { items: [item(1)], pagination }))
      expect(await service.list(user, once)).toMatchObject({ usable: true, answers: { length: 1 } })
    },
  )

  test('a page of answers is read even if it starts with a byte order mark and its numbers are texts', async () => {
    const pagination = { total_items: '3', next_page: null }
    const body = JSON.stringify({ items: [item('70'), item('70.0'), item(70)], pagination })
    const { service } = await serve(() => reply(200, `\uFEFF${body}`))
    expect(await service.list(user, once)).toMatchObject({
      usable: true,
      answers: [{ value: 70 }, { value: 70 }, { value: 70 }],
    })
  })

  test('if two pages of a user’s answers contain the same answer, the answer is returned twice', async () => {
    const pages = [1, 2].map((number) =>
      reply(200, { items: [item(1)], pagination: { page: number, next_page: number === 1 ? 2 : null } }),
    )
    const { service } = await serve(({ index }) => pages[index] ?? page([]))
    expect(await service.list(user, once)).toMatchObject({ usable: true, answers: { length: 2 } })
  })

  test.each([
    [
      'is refused',
      () => reply(405, { items: [], pagination: { next_page: null } }),
      'rejected the request for the answer list (405)',
    ],
    ['is not JSON', () => reply(200, 'hello'), 'does not support the format of the answer list'],
    ['has no pagination', () => reply(200, { items: [] }), 'does not support the format of the answer list'],
    [
      'does not name the next page',
      () => reply(200, { items: [], pagination: {} }),
      'does not support the format',
    ],
    [
      'names an invalid next page',
      () => page([], { page: 2 }),
      'does not support the format of the answer list',
    ],
    [
      'has an empty next page and no total',
      () => page([item(1)], ''),
      'does not support the format of the answer list',
    ],
    [
      'has an answer without a key',
      () => page([item(1, { question_lookup_key: null })]),
      'does not support the format',
    ],
    [
      'has an answer without a time',
      () => page([item(1, { local_timestamp: undefined })]),
      'does not support the format',
    ],
    [
      'has a time without an offset',
      () => page([item(1, { local_timestamp: '2026-01-01T00:00:00' })]),
      'does not support the format',
    ],
    [
      'has a date instead of a time',
      () => page([item(1, { local_timestamp: '2026-01-01' })]),
      'does not support the format',
    ],
    [
      'is a 404 because the path is unknown',
      () => reply(404, { detail: 'no user' }),
      'rejected the request for the answer list (404)',
    ],
    [
      'is a 404 although the user exists',
      ({ target }: { target: string }) => reply(target.startsWith('/v2/users') ? 200 : 404, '<html>'),
      'rejected the request for the answer list (404)',
    ],
    ['has an answer that is not a whole number', () => page([item(1.5)]), 'does not support the format'],
    ['has an answer that is a text', () => page([item('1.5')]), 'does not support the format'],
    ['has an empty answer', () => page([item('')]), 'does not support the format'],
    [
      'contains fewer answers than the total, which is a text',
      () => reply(200, { items: [item(1)], pagination: { total_items: '51', next_page: null } }),
      'pages of the answer list are missing',
    ],
    [
      'lacks answers because its pages are counted from 0',
      () => reply(200, { items: [item(1)], pagination: { page: 1, total_items: 51, next_page: null } }),
      'pages of the answer list are missing',
    ],
    [
      'lists an answer on two pages',
      () => reply(200, { items: [item(1), item(1)], pagination: { total_items: 1, next_page: null } }),
      'pages of the answer list overlap',
    ],
    [
      'has a time without seconds',
      () => page([item(1, { local_timestamp: '2026-01-01T00:00+00:00' })]),
      'does not support the format',
    ],
    ['has endless pages', ({ index }: { index: number }) => page([], index + 2), 'more than 1000 pages'],
    [
      'names the next page in an unknown form',
      () => page([item(1)], 'https://other.example/answered?cursor=abc'),
      'the next page in an unknown format',
    ],
    [
      'has a comment after a time',
      () => page([item(1, { local_timestamp: '2026-01-01T00:00:00Z (UTC)' })]),
      'does not support the format',
    ],
    [
      'has no content on its second page',
      ({ index }: { index: number }) => (index === 0 ? page([item(1)], 2) : reply(204)),
      'rejected the request for the answer list (204)',
    ],
    ['repeats its pages', () => page([item(1)], 2), 'a page of the answer list twice'],
  ])('a list of answers is not used as proof of saved rows if the response %s', async (_, script, why) => {
    const { service } = await serve(script)
    expect(await service.list(user, once)).toEqual({ usable: false, why: expect.stringContaining(why) })
  })

  test.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
  ])('an import stops if a request for a user’s answers returns status %i', async (status, code) => {
    const { service } = await serve(() => reply(status, { detail: 'no' }))
    await expect(service.list(user, once)).rejects.toMatchObject({ code })
  })

  test('a user’s answers are not read after the import was stopped', async () => {
    const bug = new Error('stopped')
    const { service } = connect('http://127.0.0.1:9', AbortSignal.abort(bug))
    await expect(service.list(user, once)).rejects.toBe(bug)
  })
})

describe('a user who was not found', () => {
  test.each([
    [200, 404, 'exists'],
    [300, 200, 'refused'],
    [403, 200, 'refused'],
    [404, 200, 'unknown'],
    [404, 404, 'wrong address'],
    [422, 200, 'rejected'],
    [422, 404, 'refused'],
  ])(
    'if a user lookup returns status %i and a path that always exists returns status %i, the result is "%s"',
    async (lookup, known, result) => {
      const { service } = await serve(({ target }) =>
        reply(target === '/v2/questions/all' ? known : lookup, []),
      )
      expect(await service.lookUp(user, once)).toBe(result)
    },
  )

  test.each([
    [200, { user_id: 'u-1' }, 'u-1'],
    [200, {}, undefined],
    [404, { user_id: 'u-1' }, undefined],
  ])('if a user lookup returns status %i and %j, the ID of the user is %s', async (status, body, id) => {
    const { service } = await serve(() => reply(status, body))
    expect(await service.identify(user, once)).toBe(id)
  })

  test.each([
    [401, 'unauthenticated'],
    [503, 'import_stopped'],
  ])('a user lookup with status %i throws the error "%s"', async (status, code) => {
    const { service } = await serve(() => reply(status, {}))
    await expect(service.lookUp(user, once)).rejects.toMatchObject({ code })
  })
})

describe('a test request after a pause', () => {
  test.each(passing)('a test request reports the service as unavailable after status %i', async (status) => {
    const { service } = await serve(() => reply(status, { detail: 'later' }))
    expect(await service.probe()).toBe(false)
  })

  test.each([200, 401, 404])(
    'a test request with status %i reports the service as available and measures its time',
    async (status) => {
      const { server, service, serviceClock } = await serve(() => reply(status, []))
      expect(await service.probe()).toBe(true)
      expect(serviceClock.isKnown).toBe(true)
      expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
    },
  )

  test('if a test request gets no response, the service is reported as unavailable', async () => {
    expect(await connect(await refusingUrl()).service.probe()).toBe(false)
  })
})
