import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { journalPath } from '../../../src/bulk/journal/file.ts'
import {
  close,
  cutReply,
  type RawRequest,
  reply,
  reset,
  send,
  timeOfSending,
  wait,
} from '../../helpers/hostile-server.ts'
import { batchesOf, confirmed, hurriedClock, listed, sendTo, unmoved } from './fixture.ts'

const three = batchesOf(['u height 1', 'u weight 2', 'u age 3'])

const listFaults = {
  'a user with only a user_id': { kind: 'user_id' as const, list: () => reply(500) },
  'a list that is refused': { kind: 'external_user_id' as const, list: () => reply(405, { detail: 'no' }) },
  'a list with unknown fields': {
    kind: 'external_user_id' as const,
    list: () => reply(200, { answers: [] }),
  },
  'a list with an answer whose time is invalid': {
    kind: 'external_user_id' as const,
    list: () =>
      reply(200, {
        items: [{ question_lookup_key: 'height', answer: 1, local_timestamp: 'yesterday' }],
        pagination: { next_page: null },
      }),
  },
  'a list with a value that is not a whole number': {
    kind: 'external_user_id' as const,
    list: () => listed([{ lookup_key: 'height', value: 1.5 }]),
  },
  'a list that returns 404': {
    kind: 'external_user_id' as const,
    list: () => reply(404, { detail: 'Not Found' }),
  },
  'a list that always fails': { kind: 'external_user_id' as const, list: () => reply(500) },
  'a list that repeats its pages': {
    kind: 'external_user_id' as const,
    list: () =>
      reply(200, {
        items: [{ question_lookup_key: 'age', answer: 3, local_timestamp: '2020-01-01T00:00:00+00:00' }],
        pagination: { next_page: 2 },
      }),
  },
}

test('if a file has both kinds of user ID, an answer in the list is not enough to count its row as saved', async () => {
  const script = (request: RawRequest) =>
    request.method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }]) : reset()
  const alone = await sendTo(script, batchesOf(['u height 1']))
  expect(alone.totals).toEqual([1, 0, 0, 0])
  const mixed = await sendTo(script, batchesOf(['u height 1']), { hasBothIds: true })
  expect(mixed.totals).toEqual([0, 0, 1, 0])
})

test.each(Object.entries(listFaults))(
  'after a lost response and %s, rows become unknown, or are sent again if --on-ambiguous resend is set',
  async (_, { kind, list }) => {
    const batches = batchesOf(['u height 1', 'u weight 2'], { kind })
    const script = () => {
      let posts = 0
      return (request: RawRequest) => {
        if (/^\/v2\/(questions\/all|users)/.test(request.target)) return reply(200, [])
        if (request.method === 'GET') return list()
        return posts++ === 0 ? reset() : confirmed(request)
      }
    }
    const held = await sendTo(script(), batches)
    expect(held.totals).toEqual([0, 0, 2, 0])
    expect(held.unknown.length).toBe(2)
    expect(held.posts.length).toBe(1)
    const resent = await sendTo(script(), batches, { onAmbiguous: 'resend' })
    expect(resent.totals).toEqual([2, 0, 0, 0])
    expect(resent.posts.length).toBe(2)
    const skipped = await sendTo(script(), batches, { onAmbiguous: 'skip' })
    expect(skipped.totals).toEqual([0, 0, 2, 0])
  },
)

test('the reason for an unknown row lists the time and result of each attempt, and of each request for the user’s answers', async () => {
  const lists = [reply(503), reset(), reply(405)]
  const { unknown, folder } = await sendTo(
    ({ method }) => (method === 'GET' ? (lists.shift() ?? reply(500)) : [wait(30), reset()]),
    batchesOf(['a height 405']),
  )
  expect(unknown).toEqual([
    expect.stringMatching(
      /^2 height unproven: sent, but the outcome is unknown: the service rejected the request for the answer list \(405\); sent at \d{4}-\d\d-\d\dT[\d:.]+Z: the connection was (reset|closed before the end of the response) after \d+ ms; requested the answer list for 5\d{3} ms: 503, the connection was (reset|closed before the end of the response), 405$/,
    ),
  ])
  const [reason = ''] = unknown
  expect(readFileSync(journalPath(folder), 'utf8')).toContain(reason.slice(reason.indexOf('sent,')))
})

test('an import reads a user’s answers again if the response is truncated JSON', async () => {
  const whole = JSON.stringify({
    items: [
      { question_lookup_key: 'height', answer: 1, local_timestamp: `${timeOfSending}Z` },
      { question_lookup_key: 'weight', answer: 2, local_timestamp: `${timeOfSending}Z` },
    ],
    pagination: { next_page: null },
  })
  const head = `HTTP/1.1 200 OK\r\ndate: now\r\nconnection: close\r\n\r\n`
  const lists = [
    [send(head + whole.slice(0, 90)), close()],
    [send(head), close()],
    [send(head + whole), close()],
  ]
  const { totals, posts } = await sendTo(
    ({ method }) => (method === 'GET' ? (lists.shift() ?? listed([])) : reset()),
    batchesOf(['a height 1', 'a weight 2']),
  )
  expect(totals).toEqual([2, 0, 0, 0])
  expect(posts.length).toBe(1)
})

test('an import reads a user’s answers again after a response with a Retry-After of 1000 s', async () => {
  const lists = [
    reply(429, '', { 'Retry-After': '1000' }),
    reply(503),
    listed([{ lookup_key: 'height', value: 1 }]),
  ]
  const { totals } = await sendTo(
    ({ method }) => (method === 'GET' ? (lists.shift() ?? listed([])) : reset()),
    batchesOf(['a height 1']),
  )
  expect(totals).toEqual([1, 0, 0, 0])
})

test('an import reads a user’s answers again after three failures', async () => {
  let lists = 0
  let posts = 0
  const { totals, server } = await sendTo(
    (request) => {
      if (request.method === 'GET') {
        lists++
        if (lists === 1) return reset()
        if (lists === 2) return reply(503, '')
        return lists === 3
          ? [cutReply(200, '{"items":[]}', 5), reset()]
          : listed([{ lookup_key: 'height', value: 1 }])
      }
      return posts++ === 0 ? reset() : confirmed(request)
    },
    batchesOf(['u height 1']),
  )
  expect(totals).toEqual([1, 0, 0, 0])
  expect(server.requests.filter(({ target }) => target.includes('answered')).length).toBe(4)
})

test('an import finds answers that are not on the first page of the user’s answers', async () => {
  let posts = 0
  const item = (key: string, value: number) => ({
    question_lookup_key: key,
    answer: value,
    local_timestamp: `${timeOfSending}Z`,
  })
  const { totals, posts: sent } = await sendTo((request) => {
    if (request.method === 'POST') return posts++ === 0 ? reset() : confirmed(request)
    const isFirst = request.target.endsWith('page=1')
    const items = isFirst ? [item('height', 1), item('sleep', 7)] : [item('age', 3)]
    return reply(200, { items, pagination: { next_page: isFirst ? 2 : null } })
  }, three)
  expect(totals).toEqual([3, 0, 0, 0])
  expect(sent).toEqual(['u: height=1 weight=2 age=3', 'u: weight=2'])
})

test.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
])(
  'an import stops before it sends all rows if reading a user’s answers returns status %i',
  async (status, code) => {
    const script = ({ method }: { method: string }) =>
      method === 'GET' ? reply(status, { detail: 'no' }) : reset()
    const { end, totals, posts } = await sendTo(script, three)
    expect(end).toMatchObject({ done: false, error: { code } })
    expect(totals).toEqual([0, 0, 0, 3])
    expect(posts.length).toBe(1)
  },
)

test('if a request is lost and the list of answers returns 404, the rows of a known user are sent again', async () => {
  let posts = 0
  const script = ({ method, target }: RawRequest) => {
    if (target === '/v2/questions/all') return reply(200, [])
    return method === 'POST' && posts++ === 0 ? reset() : reply(404, { detail: 'no' })
  }
  const { totals, rejects } = await sendTo(script, three)
  expect(totals).toEqual([0, 3, 0, 0])
  expect(rejects.length).toBe(3)
})

/**
 * A service that saves the answers of the first request and then resets the connection. It lists answers on three pages. New
 * answers are on the last page.
 */
function inPages(refuse: (request: RawRequest) => ReturnType<typeof reply> | undefined = () => undefined) {
  let posts = 0
  return (request: RawRequest) => {
    if (request.method === 'POST') return posts++ === 0 ? reset() : confirmed(request)
    const page = Number(new URL(request.target, 'http://x').searchParams.get('page'))
    const at = page === 3 ? Date.now() : Date.now() - 3_600_000
    const items = [1, 2, 3].map((value) => ({
      question_lookup_key: ['height', 'weight', 'age'][value - 1],
      answer: page === 3 ? value : 10 * page + value,
      local_timestamp: new Date(at).toISOString(),
    }))
    return refuse(request) ?? reply(200, { items, pagination: { next_page: page === 3 ? null : page + 1 } })
  }
}

test('if one page of a user’s answers cannot be read, an import reads only that page again', async () => {
  let gets = 0
  const tooMany = reply(429, { detail: 'slow down' }, { 'retry-after': '7' })
  const { totals, posts, server, sleeps } = await sendTo(
    inPages(() => (++gets % 2 === 0 ? tooMany : undefined)),
    three,
  )
  expect(totals).toEqual([3, 0, 0, 0])
  expect(posts.length).toBe(1)
  expect(server.requests.flatMap(({ target }) => /page=\d/.exec(target) ?? [])).toEqual([
    'page=1',
    'page=2',
    'page=2',
    'page=3',
    'page=3',
  ])
  expect(sleeps.filter((ms) => ms > 5_000 && ms <= 7_000).length).toBeGreaterThan(0)
})

test('each page of a user’s answers counts as one request toward --rate', async () => {
  const { totals, sleeps } = await sendTo(inPages(), three, { rate: 0.1 })
  expect(totals).toEqual([3, 0, 0, 0])
  // The four requests (three pages and the user lookup) have three waits between them.
  expect(sleeps.filter((ms) => ms > 9_000 && ms <= 10_000).length).toBe(3)
})

test('if the service is unavailable after a lost request, the import stops, and no row becomes unknown', async () => {
  const { end, totals } = await sendTo(({ method }) => (method === 'GET' ? reply(503) : reset()), three, {})
  expect(end).toMatchObject({ done: false, error: { code: 'import_stopped' } })
  expect(totals).toEqual([0, 0, 0, 3])
})

test('the outcome of a row is unknown if the clock of the service was set back before the answers are read', async () => {
  const past = (status: number, body: unknown) =>
    reply(status, body, { date: new Date(Date.now() - 60_000).toUTCString() })
  const script = ({ method }: RawRequest) =>
    method === 'GET'
      ? past(200, { items: [], pagination: { page: 1, total_items: 0, next_page: null } })
      : reset()
  const { totals, unknown, posts } = await sendTo(script, three)
  expect(totals).toEqual([0, 0, 3, 0])
  expect(unknown[0]).toContain('the service’s clock is inconsistent')
  expect(posts.length).toBe(1)
})

test('a row becomes unknown if the list of answers omits an answer that was saved earlier', async () => {
  const batches = batchesOf(['u height 1', 'u height 2', 'u height 1'], { batchSize: 1 })
  const script = () => {
    let posts = 0
    return (request: RawRequest) => {
      if (request.target === '/v2/questions/all') return reply(200, [])
      // The list contains only the latest answer to the question.
      if (request.method === 'GET') return listed([{ lookup_key: 'height', value: 1 }])
      return ++posts === 3 ? reset() : confirmed(request)
    }
  }
  const held = await sendTo(script(), batches)
  expect(held.totals).toEqual([2, 0, 1, 0])
  expect(held.unknown[0]).toContain('the answer list is incomplete')
  expect(held.posts.length).toBe(3)
  const resent = await sendTo(script(), batches, { onAmbiguous: 'resend' })
  expect(resent.totals).toEqual([3, 0, 0, 0])
})

test('a row becomes unknown if the time of its answer in the list is in the future', async () => {
  const wrongZone = Date.now() + 3_600_000
  const { totals, posts } = await sendTo(
    ({ method }) => (method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }], wrongZone) : reset()),
    three,
  )
  expect(totals).toEqual([0, 0, 3, 0])
  expect(posts.length).toBe(1)
})

test('a row becomes unknown if an earlier row with the same answer is unknown, even if the list contains the answer', async () => {
  const clock = hurriedClock()
  const items: object[] = []
  let [heights, checks] = [0, 0]
  const script = async (request: RawRequest) => {
    if (request.method === 'GET') return reply(200, { items, pagination: { next_page: null } })
    await clock.sleep(2_000)
    const [{ lookup_key, value }] = [JSON.parse(request.body)].flat()
    const isHeight = lookup_key === 'height'
    if (isHeight && ++heights === 2) return reply(503)
    const local_timestamp = unmoved(clock.now())
    items.push({ question_lookup_key: lookup_key, answer: value, local_timestamp })
    return isHeight ? reply(503) : confirmed(request)
  }
  const rows = ['u weight 1', 'u height 1', 'u age 1', 'u smoking 1', 'u walks 1', 'u height 1']
  const writers = { findConcurrentWriter: async () => (checks++ === 0 ? 'another import' : undefined) }
  const { totals, posts } = await sendTo(script, batchesOf(rows, { batchSize: 1 }), { clock, writers })
  expect(posts.length).toBe(6)
  expect(totals).toEqual([4, 0, 2, 0])
})

test.each([
  ['only the latest answer to a question', false, [1, 0, 1, 0]],
  ['all answers', true, [2, 0, 0, 0]],
])(
  'if the service lists %s, a lost request with the same answer as an earlier request is not sent again',
  async (_, listsAll, expected) => {
    const saved: { lookup_key: string; value: number }[] = []
    let posts = 0
    const script = (request: RawRequest) => {
      if (request.method === 'GET') {
        const latest = [...new Map(saved.map((one) => [one.lookup_key, one])).values()]
        return listed(listsAll ? saved : latest)
      }
      saved.push(...[JSON.parse(request.body)].flat())
      return ++posts === 2 ? reset() : confirmed(request)
    }
    const { totals } = await sendTo(script, batchesOf(['u height 2', 'u height 2'], { batchSize: 1 }), {
      listsHistory: false,
    })
    expect(totals).toEqual(expected)
    expect(posts).toBe(2)
  },
)
