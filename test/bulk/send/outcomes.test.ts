import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { journalPath } from '../../../src/bulk/journal/file.ts'
import { close, hang, refusingUrl, reply, reset, type Script, send } from '../../helpers/hostile-server.ts'
import { batchesOf, confirmed, hurriedClock, listed, obedient, sendTo } from './fixture.ts'

const three = batchesOf(['u height 1', 'u weight 2', 'u age 3'])
const isPost = ({ method }: { method: string }) => method === 'POST'

/** A service that responds to the first POST with `misbehave`. */
function once(misbehave: (save: () => void) => ReturnType<typeof reply> | ReturnType<typeof reply>[]) {
  let done = false
  return obedient((request, save) => {
    if (done || !isPost(request)) return undefined
    done = true
    return misbehave(save)
  })
}

test('several answers for a user are sent in one request, and a single answer is sent to another endpoint', async () => {
  const { end, totals, server } = await sendTo(
    obedient(() => undefined),
    batchesOf(['a height 1', 'a age 2', 'b age 3']),
  )
  expect(end).toEqual({ done: true })
  expect(totals).toEqual([3, 0, 0, 0])
  expect(server.requests.map(({ target }) => target).toSorted()).toEqual([
    '/v2/questions/answer/many?external_user_id=a',
    '/v2/questions/answer?external_user_id=b',
  ])
})

test('the body of a request equals the output of JSON.stringify for any lookup key', async () => {
  const { server } = await sendTo(
    obedient(() => undefined),
    batchesOf(['a qu"o\\te -7', 'a größe\u2028 9007199254740991', 'b height 0']),
  )
  const timezone = 'UTC'
  expect(server.requests.map(({ body }) => body).toSorted()).toEqual([
    JSON.stringify([
      { lookup_key: 'qu"o\\te', value: -7, timezone },
      { lookup_key: 'größe\u2028', value: 9007199254740991, timezone },
    ]),
    JSON.stringify({ lookup_key: 'height', value: 0, timezone }),
  ])
})

test('a request that did not reach the service is sent again without reading the user’s answers', async () => {
  const url = await refusingUrl()
  const { end, totals, server, sleeps } = await sendTo(() => close(), three, { url })
  expect(end).toMatchObject({ done: false, error: { code: 'import_stopped' } })
  expect(totals).toEqual([0, 0, 0, 0])
  expect(server.requests).toEqual([])
  expect(sleeps.slice(0, 4)).toEqual([200, 400, 800, 1600])
})

test('a request with status 429 is sent again after the time in Retry-After', async () => {
  const script = once(() => reply(429, { detail: 'slow down' }, { 'retry-after': '7' }))
  const { totals, posts, sleeps, server, run } = await sendTo(script, three)
  expect(totals).toEqual([3, 0, 0, 0])
  expect(posts.length).toBe(2)
  expect(run.sender).toMatchObject({ requests: 2, retried: 1, rowsSent: 3 })
  expect(Math.round(Math.max(...sleeps) / 1000)).toBe(7)
  expect(server.requests.every(isPost)).toBe(true)
})

test('a Retry-After that is longer than the maximum wait stops the import', async () => {
  const script = once(() => reply(429, {}, { 'retry-after': '999999999' }))
  const { end, totals } = await sendTo(script, three)
  expect(end).toMatchObject({
    done: false,
    error: { exitCode: 11, message: /^the service requires a wait/, details: { retryAfter: 999_999_999 } },
  })
  expect(totals).toEqual([0, 0, 0, 0])
})

const ambiguous = {
  'a connection reset': () => reset(),
  'a closed connection without a response': () => close(),
  'a timeout': () => hang(),
  'an invalid response': () => [send('ICY 200 OK\r\n\r\nhello'), close()],
  'an incomplete status line': () => [send('HTTP/1.1 20'), reset()],
  'status 408': () => reply(408, { detail: 'slow' }),
  'status 500': () => reply(500, 'Internal Server Error'),
  'status 502': () => reply(502, '<html>Bad Gateway</html>'),
  'status 503': () => reply(503, { detail: 'away' }),
  'status 504': () => reply(504, ''),
}

test.each(Object.entries(ambiguous))(
  'after %s, rows are accepted without a second request if the user’s answers contain them',
  async (_, fault) => {
    const script = once((save) => {
      save()
      return fault() as ReturnType<typeof reply>
    })
    const { totals, posts, sleeps, server } = await sendTo(script, three, { timeoutMs: 300 })
    expect(totals).toEqual([3, 0, 0, 0])
    expect(posts.length).toBe(1)
    expect(Math.max(...sleeps)).toBeGreaterThanOrEqual(300)
    expect(server.requests.slice(-2).map(({ target }) => target)).toEqual([
      '/v2/questions/answered?external_user_id=u&page=1',
      '/v2/users?external_user_id=u',
    ])
  },
)

test.each(Object.entries(ambiguous))(
  'after %s, rows are sent again if the user’s answers do not contain them',
  async (_, fault) => {
    const { totals, posts, sleeps } = await sendTo(
      once(() => fault() as ReturnType<typeof reply>),
      three,
      { timeoutMs: 300 },
    )
    expect(totals).toEqual([3, 0, 0, 0])
    expect(posts).toEqual(['u: height=1 weight=2 age=3', 'u: height=1 weight=2 age=3'])
    expect(Math.max(...sleeps)).toBeGreaterThanOrEqual(300)
  },
)

test('an import waits at least twice the latency of a slow service before it checks a lost request', async () => {
  let posts = 0
  const clock = hurriedClock()
  const script = obedient((request, save) => {
    if (!isPost(request) || ++posts > 2) return undefined
    if (posts === 2) return reset()
    save()
    return clock.sleep(7_000).then(() => confirmed(request))
  })
  const batches = batchesOf(['u height 1', 'u weight 2'], { batchSize: 1 })
  const { totals, sleeps } = await sendTo(script, batches, { clock, timeoutMs: 10_000 })
  expect(totals).toEqual([2, 0, 0, 0])
  expect(Math.max(...sleeps)).toBeGreaterThan(13_000)
  expect(Math.max(...sleeps)).toBeLessThan(60_000)
})

test('if the service saved only a part of a batch, only the missing rows are sent again', async () => {
  let posts = 0
  const { totals, posts: sent } = await sendTo((request) => {
    if (request.method === 'GET') return listed([{ lookup_key: 'weight', value: 2 }])
    return posts++ === 0 ? reset() : confirmed(request)
  }, three)
  expect(totals).toEqual([3, 0, 0, 0])
  expect(sent).toEqual(['u: height=1 weight=2 age=3', 'u: height=1 age=3'])
})

test('a lost request is sent again if the service lists the identical answer only with a time before the request', async () => {
  let posts = 0
  const longAgo = Date.now() - 60_000
  const { totals, posts: sent } = await sendTo(
    (request) => {
      if (request.method === 'GET') return listed([{ lookup_key: 'height', value: 1 }], longAgo)
      return posts++ === 0 ? reset() : confirmed(request)
    },
    batchesOf(['u height 1']),
  )
  expect(totals).toEqual([1, 0, 0, 0])
  expect(sent.length).toBe(2)
})

test('a lost request is sent again if all identical answers in the list were saved by the previous request', async () => {
  let posts = 0
  const batches = batchesOf(['u height 1', 'u weight 2', 'u height 1', 'u weight 2'], { batchSize: 2 })
  const script = obedient((request) => (isPost(request) && ++posts === 2 ? reset() : undefined))
  const { totals, posts: sent } = await sendTo(script, batches)
  expect(totals).toEqual([4, 0, 0, 0])
  expect(sent.length).toBe(3)
})

test('a row becomes unknown if the service lists only a newer answer to the same question', async () => {
  let posts = 0
  const {
    totals,
    unknown,
    posts: sent,
  } = await sendTo(
    (request) => {
      if (request.method === 'GET') return listed([{ lookup_key: 'height', value: 2 }])
      return posts++ === 0 ? reset() : confirmed(request)
    },
    batchesOf(['u height 1', 'u height 2']),
  )
  expect(totals).toEqual([1, 0, 1, 0])
  expect(unknown[0]).toMatch(/^2 height superseded: /)
  expect(sent.length).toBe(1)
})

test('after status 422, the rows named in the response are rejected, and the other rows are sent again in one request', async () => {
  const detail = [{ loc: ['body', 1, 'value'], msg: 'too large', type: 'value_error' }]
  const { totals, posts, rejects } = await sendTo(
    once(() => reply(422, { detail })),
    three,
  )
  expect(totals).toEqual([2, 1, 0, 0])
  expect(posts).toEqual(['u: height=1 weight=2 age=3', 'u: height=1 age=3'])
  expect(rejects).toEqual(['3 weight refused_422: value: too large'])
})

test('if status 422 rejects one row and the service saved another row, the saved row is accepted and not sent again', async () => {
  const detail = [{ loc: ['body', 1, 'value'], msg: 'too large' }]
  const saved: { lookup_key: string; value: number }[] = []
  const { totals, posts } = await sendTo((request) => {
    if (!isPost(request)) return listed(saved)
    saved.push([JSON.parse(request.body)].flat()[0])
    return saved.length === 1 ? reply(422, { detail }) : confirmed(request)
  }, three)
  expect(totals).toEqual([2, 1, 0, 0])
  expect(posts).toEqual(['u: height=1 weight=2 age=3', 'u: age=3'])
})

test('if status 422 rejects one row, the other rows are sent again, even if another program answered the same questions', async () => {
  const detail = [{ loc: ['body', 2, 'value'], msg: 'too large' }]
  let sent = 0
  const { totals } = await sendTo((request) => {
    if (!isPost(request)) return listed([{ lookup_key: 'height', value: 9 }])
    return sent++ === 0 ? reply(422, { detail }) : confirmed(request)
  }, three)
  expect(totals).toEqual([2, 1, 0, 0])
})

test.each([403, 405])(
  'if status 422 rejects one row, the other rows are sent again, even if reads of answers return status %i',
  async (status) => {
    const detail = [{ loc: ['body', 1, 'value'], msg: 'too large' }]
    let sent = 0
    const { totals, posts } = await sendTo((request) => {
      if (!isPost(request)) return reply(status, {})
      return sent++ === 0 ? reply(422, { detail }) : confirmed(request)
    }, three)
    expect(totals).toEqual([2, 1, 0, 0])
    expect(posts).toEqual(['u: height=1 weight=2 age=3', 'u: height=1 age=3'])
  },
)

test('if the rows that remain after a rejection get status 422 again, they are split into separate requests', async () => {
  const { totals, posts, rejects } = await sendTo(
    obedient((request) =>
      isPost(request) && request.body.includes('age')
        ? reply(422, { detail: [{ loc: ['body', 0, 'value'], msg: 'no' }] })
        : undefined,
    ),
    three,
  )
  expect(posts.length).toBeLessThan(6)
  expect(totals).toEqual([1, 2, 0, 0])
  expect(rejects.at(-1)).toBe('4 age refused_422: value: no')
})

test('the result file and the journal contain no ID or value from an error message', async () => {
  const refusal = reply(422, { detail: 'user zoe: 171 is too large' })
  const { rejects, folder } = await sendTo(() => refusal, batchesOf(['zoe height 171']))
  expect(rejects).toEqual(['2 height refused_422: user …: … is too large'])
  const journal = readFileSync(journalPath(folder), 'utf8')
  expect(journal).toContain('"message":"user …: … is too large"')
  expect(journal).not.toContain('zoe')
})

test('after the first of two rows is rejected, the second row is sent alone and can also be rejected', async () => {
  const detail = [{ loc: ['body', 0, 'value'], msg: 'too large' }]
  const { totals, posts } = await sendTo(
    obedient((request) => (isPost(request) ? reply(422, { detail }) : undefined)),
    batchesOf(['u height 1', 'u weight 2']),
  )
  expect(totals).toEqual([0, 2, 0, 0])
  expect(posts).toEqual(['u: height=1 weight=2', 'u: weight=2'])
})

test.each([
  [400, { detail: 'one of the answers is bad' }],
  [422, { detail: [{ loc: ['body'], msg: 'one of the answers is bad' }] }],
  [422, 'no JSON at all'],
])(
  'if status %i does not name a row, the batch is split after the user’s answers are read',
  async (status, body) => {
    const rows = Array.from({ length: 8 }, (_, n) => `u key${n} ${n}`)
    const script = obedient((request) =>
      isPost(request) && request.body.includes('key5') ? reply(status, body) : undefined,
    )
    const { totals, posts, rejects, server } = await sendTo(script, batchesOf(rows))
    expect(totals).toEqual([7, 1, 0, 0])
    expect(rejects.length).toBe(1)
    expect(rejects[0]).toMatch(new RegExp(`^7 key5 refused_${status}: `))
    expect(posts.length).toBe(7)
    // The list is read once for each of the three splits, and once more to check the answers that were accepted last.
    expect(server.requests.filter(({ method }) => method === 'GET').length).toBe(3 + 1)
    expect(server.requests[1]?.method).toBe('GET')
  },
)

test('after status 400, only the unsaved rows of the batch are sent again', async () => {
  let first = true
  const script = obedient((request) => {
    if (request.method === 'GET') return listed([{ lookup_key: 'height', value: 1 }])
    if (!first) return undefined
    first = false
    return reply(400, { detail: 'stopped in the middle' })
  })
  const { totals, posts } = await sendTo(script, three)
  expect(totals).toEqual([3, 0, 0, 0])
  expect(posts.slice(1)).toEqual(['u: weight=2', 'u: age=3'])
})

test.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
])(
  'after status %i, an import finishes its active requests and stops without rejecting a row',
  async (status, code) => {
    const rows = Array.from({ length: 40 }, (_, n) => `u${n} height 1`)
    const script = obedient((request) =>
      request.target.endsWith('=u6') ? reply(status, { detail: 'no' }) : undefined,
    )
    const { end, totals, rejects, posts } = await sendTo(script, batchesOf(rows))
    expect(end).toMatchObject({ done: false, error: { code } })
    expect(totals[0]).toBe(posts.length - 1)
    expect(totals.slice(1)).toEqual([0, 0, 0])
    expect(rejects).toEqual([])
    expect(posts.length).toBeLessThan(40)
  },
)

test('after one response with status 404, all rows of an unknown user are rejected', async () => {
  const rows = ['a height 1', 'b height 1', 'b height 2', 'b height 3', 'c height 1']
  const script = obedient((request) =>
    request.target.includes('=b') ? reply(404, { detail: 'b was not found' }) : undefined,
  )
  const { totals, posts, rejects } = await sendTo(script, batchesOf(rows, { batchSize: 1 }))
  expect(totals).toEqual([2, 3, 0, 0])
  expect(posts.filter((post) => post.startsWith('b')).length).toBe(1)
  expect(rejects[0]).toBe('3 height refused_404: user not found')
})

const forty = batchesOf(Array.from({ length: 40 }, (_, n) => `u${n} height 1`))

/** A service that has no users. It responds only to the request for lookup keys. */
const noUsers: Script = ({ target }) =>
  target === '/v2/questions/all' ? reply(200, []) : reply(404, { detail: 'not found' })

test('each unknown user is looked up once, and all rows of the user are rejected', async () => {
  const { end, totals, server } = await sendTo(noUsers, forty.slice(0, 5))
  expect(end).toEqual({ done: true })
  expect(totals).toEqual([0, 5, 0, 0])
  expect(server.requests.filter(({ target }) => target.startsWith('/v2/users?')).length).toBe(5)
})

const notFoundTexts = [
  ['a text about the user', { detail: 'user endpoint missing' }],
  ['a text about the endpoint', { detail: 'endpoint not found' }],
  ['a web page', '<html>404</html>'],
  ['the text of a web framework', { detail: 'Not Found' }],
] as const

test.each(notFoundTexts)(
  'if a request returns 404 with %s and the user lookup returns 404, the rows of the user are rejected',
  async (_, body) => {
    const script = obedient(({ target }) => (target.includes('=u') ? reply(404, body) : undefined))
    const { end, totals, posts, rejects } = await sendTo(
      script,
      batchesOf(['u height 1', 'u weight 2', 'u age 3', 'v height 1']),
    )
    expect(end).toEqual({ done: true })
    expect(totals).toEqual([1, 3, 0, 0])
    expect(posts.length).toBe(2)
    expect(rejects[0]).toBe('2 height refused_404: user not found')
  },
)

test.each(notFoundTexts)(
  'a request for a known user that returns 404 with %s is retried once, and then its rows are rejected',
  async (_, body) => {
    const script = obedient(({ method, target }) => {
      if (target.startsWith('/v2/users')) return reply(200, {})
      return method === 'POST' && target.endsWith('=u') ? reply(404, body) : undefined
    })
    const batches = batchesOf(['u height 1', 'u weight 2', 'v height 1', 'u age 3'], { batchSize: 2 })
    const { end, totals, posts, rejects, sleeps } = await sendTo(script, batches)
    expect(end).toEqual({ done: true })
    expect(totals).toEqual([1, 3, 0, 0])
    expect(posts.filter((post) => post.startsWith('u')).length).toBe(2)
    expect(rejects[0]).toBe(
      '2 height refused_404: the service did not find the user (404), although the user exists',
    )
    expect(sleeps.length).toBeGreaterThan(0)
  },
)

test('if a request returns 404 and the user is found a moment later, the rows are accepted', async () => {
  let posts = 0
  const script = obedient(({ method, target }) => {
    if (target.startsWith('/v2/users')) return reply(200, {})
    return method === 'POST' && ++posts === 1 ? reply(404) : undefined
  })
  const { totals } = await sendTo(script, three)
  expect(totals).toEqual([3, 0, 0, 0])
})

test.each(notFoundTexts)(
  'a 404 with %s stops the import if a path that always exists also returns 404',
  async (_, body) => {
    const { end, totals, rejects } = await sendTo(() => reply(404, body), three)
    expect(end).toMatchObject({ done: false, error: { code: 'not_found' } })
    expect(totals).toEqual([0, 0, 0, 0])
    expect(rejects).toEqual([])
  },
)

test('the lookup of a user is retried until the service responds', async () => {
  let failures = 2
  const script = obedient(({ method, target }) => {
    if (method === 'POST' && target.includes('=u')) return reply(404)
    if (!target.startsWith('/v2/users')) return undefined
    return failures-- > 0 ? reply(503) : reply(404)
  })
  const { end, totals } = await sendTo(script, three)
  expect(end).toEqual({ done: true })
  expect(totals).toEqual([0, 3, 0, 0])
})

test('a user lookup with status 401 stops the import', async () => {
  const script = obedient(({ method }) => reply(method === 'POST' ? 404 : 401))
  const { end, totals } = await sendTo(script, three)
  expect(end).toMatchObject({ done: false, error: { code: 'unauthenticated' } })
  expect(totals).toEqual([0, 0, 0, 0])
})

test.each([403, 405])(
  'if a user lookup returns %i, the import continues with other users and exits with 11',
  async (status) => {
    const script = obedient(({ method, target }) => {
      if (target.startsWith('/v2/users')) return reply(status)
      return method === 'POST' && target.endsWith('=u') ? reply(404) : undefined
    })
    const { end, totals, rejects } = await sendTo(
      script,
      batchesOf(['u height 1', 'u weight 2', 'v height 1']),
    )
    expect(end).toMatchObject({
      done: false,
      error: { exitCode: 11, message: /1 user could not be looked up/ },
    })
    expect(totals).toEqual([1, 0, 0, 0])
    expect(rejects).toEqual([])
  },
)

test.each([400, 410, 422])(
  'if a request returns 404 and the user lookup %i with an unknown text, the rows are rejected',
  async (status) => {
    const script = obedient(({ method, target }) => {
      if (target.startsWith('/v2/users')) return reply(status, { detail: 'Invalid identifier' })
      return method === 'POST' && target.endsWith('=u') ? reply(404) : undefined
    })
    const { end, totals, rejects } = await sendTo(
      script,
      batchesOf(['u height 1', 'u weight 2', 'v height 1']),
    )
    expect(end).toEqual({ done: true })
    expect(totals).toEqual([1, 2, 0, 0])
    expect(rejects).toHaveLength(2)
    expect(JSON.stringify(rejects)).toContain('(404), and rejected the lookup of the user')
  },
)

test('an import rejects all rows if every user is unknown and another path of the service responds', async () => {
  const { end, totals, posts } = await sendTo(noUsers, forty)
  expect(end).toEqual({ done: true })
  expect(totals).toEqual([0, 40, 0, 0])
  expect(posts.length).toBe(40)
})

test('after one response with status 404, all batches of an unknown user are rejected, even if rows of another user follow', async () => {
  const rows = Array.from({ length: 150 }, (_, n) => `unknown height ${n}`)
  const script: Script = (request) =>
    request.target.includes('=unknown')
      ? reply(404)
      : request.method === 'GET'
        ? listed([])
        : confirmed(request)
  const alone = await sendTo(script, batchesOf(rows, { batchSize: 1 }))
  expect(alone.totals).toEqual([0, 150, 0, 0])
  expect(alone.posts.length).toBe(1)
  const { totals } = await sendTo(script, batchesOf([...rows, 'known height 1'], { batchSize: 1 }))
  expect(totals).toEqual([1, 150, 0, 0])
})

test('if a batch gets status 413, it is split, and a single row that is too large is rejected', async () => {
  const rows = Array.from({ length: 8 }, (_, n) => `u key${n} ${n}`)
  const tooLarge = ({ body }: { body: string }) =>
    body.split('lookup_key').length > 3 || body.includes('key3')
  const script = obedient((request) =>
    isPost(request) && tooLarge(request) ? reply(413, 'Payload Too Large') : undefined,
  )
  const { totals, posts, rejects } = await sendTo(script, batchesOf(rows))
  expect(totals).toEqual([7, 1, 0, 0])
  expect(posts.slice(0, 3)).toEqual([
    'u: key0=0 key1=1 key2=2 key3=3 key4=4 key5=5 key6=6 key7=7',
    'u: key0=0 key1=1 key2=2 key3=3',
    'u: key0=0 key1=1',
  ])
  expect(rejects[0]).toMatch(/^5 key3 refused_413/)
})

test.each([300, 301, 302, 307, 308])('a redirect with status %i stops the import', async (status) => {
  const { end, totals, server } = await sendTo(
    () => reply(status, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    three,
  )
  expect(end).toMatchObject({ done: false, error: { code: 'import_stopped', message: /redirect/ } })
  expect(totals).toEqual([0, 0, 0, 0])
  expect(server.requests.length).toBe(1)
})

test('a row that always causes status 500 becomes unknown, and the other rows of its batch are accepted', async () => {
  const rows = Array.from({ length: 8 }, (_, n) => `u key${n} ${n}`)
  const script = obedient((request) =>
    isPost(request) && request.body.includes('key5') ? reply(500, 'boom') : undefined,
  )
  const { end, totals, unknown } = await sendTo(script, batchesOf(rows))
  expect(end).toEqual({ done: true })
  expect(totals).toEqual([7, 0, 1, 0])
  expect(unknown).toEqual([
    expect.stringMatching(
      /^7 key5 fails_repeatedly: the service repeatedly failed to save this answer; the answer is not saved(; sent at \S+Z: 500 after \d+ ms; requested the answer list for 5\d{3} ms: 200){5}$/,
    ),
  ])
})

/** A function that blocks its callers until `size` callers are waiting. */
function meeting(size: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  return () =>
    new Promise((go) => {
      waiting.push(go)
      if (waiting.length >= size) for (const each of waiting) each()
    })
}

test('no row becomes unknown while the service fails for all users', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => `u${n} height 1`)
  // The fake clock skips all waits, so on a busy machine two users could fail three times before a third user fails once. The test
  // therefore lets all four users fail together.
  const failTogether = meeting(4)
  const fail = () => failTogether().then(() => reply(503, 'away'))
  const script = obedient((request) => (isPost(request) ? fail() : undefined))
  const { end, totals } = await sendTo(script, batchesOf(rows))
  expect(end).toMatchObject({ done: false, error: { code: 'import_stopped' } })
  expect(totals.slice(0, 3)).toEqual([0, 0, 0])
})

test('an import accepts each row once if the service sends an unrequested 100 Continue', async () => {
  const batches = batchesOf(['a height 1', 'a age 2', 'b age 3'], { batchSize: 1 })
  const service = obedient(() => undefined)
  const { end, totals, posts } = await sendTo(
    async (request) => [send('HTTP/1.1 100 Continue\r\n\r\n'), ...[await service(request)].flat()],
    batches,
  )
  expect(end).toEqual({ done: true })
  expect(totals).toEqual([3, 0, 0, 0])
  expect(posts.toSorted()).toEqual(['a: age=2', 'a: height=1', 'b: age=3'])
})
