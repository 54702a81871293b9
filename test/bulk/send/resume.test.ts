import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { journalPath, openJournalFile } from '../../../src/bulk/journal/file.ts'
import { Journal } from '../../../src/bulk/journal/journal.ts'
import type { JournalRecord } from '../../../src/bulk/journal/record.ts'
import { recoverJournal } from '../../../src/bulk/journal/recovery.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { type RawRequest, reply, reset, wait } from '../../helpers/hostile-server.ts'
import { header } from '../header.ts'
import {
  batchesOf,
  confirmed,
  hurriedClock,
  journalWith,
  listed,
  obedient,
  sendTo,
  unmoved,
  userOf,
} from './fixture.ts'

const rows = Array.from({ length: 60 }, (_, n) => `u${n % 12} key${n} ${n}`)
const batches = batchesOf(rows, { batchSize: 2 })
const now = () => Date.now()

test('a user has at most one active request, and the answers of a user are sent in order', async () => {
  const busy = new Set<string>()
  const script = obedient((request) => {
    const user = userOf(request)
    if (busy.has(user)) return reply(500, 'two at once')
    busy.add(user)
    setTimeout(() => busy.delete(user), 3)
    return [wait(4), confirmed(request)]
  })
  const { totals, posts } = await sendTo(script, batches)
  expect(totals).toEqual([60, 0, 0, 0])
  expect(posts.length).toBe(batches.length)
  for (const user of new Set(rows.map((row) => row.split(' ')[0]))) {
    const sent = posts.filter((post) => post.startsWith(`${user}:`)).join(' ')
    const values = [...sent.matchAll(/=(\d+)/g)].map(([, value]) => Number(value))
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  }
})

test('an interrupted import waits for active requests, and a resumed import sends the remaining rows', async () => {
  const drain = new AbortController()
  let posts = 0
  const slow = obedient((request, save) => {
    if (++posts === 6) drain.abort(new FacescanError('interrupted', 'interrupted'))
    save()
    return [wait(5), confirmed(request)]
  })
  const first = await sendTo(slow, batches, { drain: drain.signal })
  expect(first.end).toMatchObject({ done: false, error: { code: 'interrupted' } })
  const sent = first.posts.flatMap((post) => post.split(' ').slice(1))
  expect(first.totals).toEqual([sent.length, 0, 0, 0])
  expect(first.posts.length).toBeLessThan(batches.length)
  const second = await sendTo(
    obedient(() => undefined),
    batches,
    { folder: first.folder },
  )
  expect(second.totals).toEqual([60, 0, 0, 0])
  expect([...first.posts, ...second.posts].toSorted()).toEqual(
    (
      await sendTo(
        obedient(() => undefined),
        batches,
      )
    ).posts.toSorted(),
  )
})

test('a resumed import checks the unfinished requests of a user before it sends other rows of the user', async () => {
  const one = batchesOf(['u height 1', 'u weight 2'], { batchSize: 1 })
  const clock = hurriedClock()
  const open: JournalRecord = { type: 'INTENT', batch: 0, rows: 1, at: clock.now() }
  const applied = await sendTo(
    (request) =>
      request.method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }]) : confirmed(request),
    one,
    { folder: await journalWith([open]), clock },
  )
  expect(applied.posts).toEqual(['u: weight=2'])
  expect(applied.sleeps[0]).toBe(5_000)
  expect(applied.server.requests[0]?.method).toBe('GET')
  const lost = await sendTo(
    obedient(() => undefined),
    one,
    { folder: await journalWith([open]) },
  )
  expect(lost.posts).toEqual(['u: height=1', 'u: weight=2'])
  expect(lost.totals).toEqual([2, 0, 0, 0])
})

test('a resumed import checks the sent rows of a batch and then sends the other rows', async () => {
  const one = batchesOf(['u height 1', 'u weight 2', 'u age 3', 'u smoking 0'])
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 4, at: now() },
    { type: 'ACK', batch: 0, rows: 1, part: [3], at: now() },
    { type: 'INTENT', batch: 0, rows: 2, part: [0, 2], at: now() },
  ])
  const { totals, posts, server } = await sendTo(
    (request) =>
      request.method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }]) : confirmed(request),
    one,
    { folder },
  )
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST'])
  expect(posts).toEqual(['u: age=3', 'u: weight=2'])
  expect(totals).toEqual([4, 0, 0, 0])
})

test('a resumed import accepts two identical rows only if the list contains two answers for them', async () => {
  const clock = hurriedClock()
  const [early, late] = [clock.now() - 20_000, clock.now()]
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 2, at: early },
    { type: 'ACK', batch: 0, rows: 1, part: [0], at: early },
    { type: 'INTENT', batch: 0, rows: 1, part: [1], at: late },
  ])
  const items = [early, late].map((at) => ({
    question_lookup_key: 'height',
    answer: 1,
    local_timestamp: unmoved(at),
  }))
  const { totals, posts } = await sendTo(
    (request) =>
      request.method === 'GET' ? reply(200, { items, pagination: { next_page: null } }) : confirmed(request),
    batchesOf(['u height 1', 'u height 1']),
    { folder, clock },
  )
  expect(posts).toEqual([])
  expect(totals).toEqual([2, 0, 0, 0])
})

test('a resumed import reports rows as unknown if the recorded time of their request is in the future', async () => {
  const folder = await journalWith([{ type: 'INTENT', batch: 0, rows: 1, at: now() + 60_000 }])
  const { totals, posts, unknown } = await sendTo(
    obedient(() => undefined),
    batchesOf(['u height 1']),
    { folder },
  )
  expect(posts).toEqual([])
  expect(unknown[0]).toContain('the service’s clock is inconsistent')
  expect(totals).toEqual([0, 0, 1, 0])
})

test('if the journal requires a wait of 60 s for late requests, the resumed import waits 60 s', async () => {
  const settling: JournalRecord = {
    type: 'CHECKPOINT',
    at: 1,
    accepted: 0,
    rejected: 0,
    unknown: 0,
    settleMs: 60_000,
  }
  const clock = hurriedClock()
  const folder = await journalWith([settling, { type: 'INTENT', batch: 0, rows: 1, at: clock.now() }])
  const { sleeps } = await sendTo(
    obedient(() => undefined),
    batchesOf(['u height 1']),
    { folder, clock },
  )
  expect(sleeps[0]).toBe(60_000)
})

test('a row becomes unknown if the first run found that the service lists new answers late', async () => {
  const checkpoint = {
    type: 'CHECKPOINT',
    at: now(),
    accepted: 0,
    rejected: 0,
    unknown: 0,
    settleMs: 1,
  } as const
  const folder = await journalWith([
    { ...checkpoint, listsLate: true },
    { type: 'INTENT', batch: 0, rows: 1, at: now() },
  ])
  const service = obedient(() => undefined)
  const { totals, posts } = await sendTo(service, batchesOf(['u height 1']), { folder })
  expect(posts).toEqual([])
  expect(totals).toEqual([0, 0, 1, 0])
})

test.each([0, 60_000])(
  'a resumed import reports a missing row as unknown if the list lacks an answer that was saved %i ms earlier',
  async (earlierMs) => {
    const clock = hurriedClock()
    const at = clock.now()
    const folder = await journalWith([
      { type: 'INTENT', batch: 0, rows: 1, at: at - earlierMs },
      { type: 'ACK', batch: 0, rows: 1, at: at - earlierMs },
      { type: 'INTENT', batch: 1, rows: 1, at },
    ])
    const { totals, posts, unknown } = await sendTo(
      (request) => (request.method === 'GET' ? listed([]) : confirmed(request)),
      batchesOf(['a height 1', 'b height 2']),
      { folder, clock },
    )
    expect(posts).toEqual([])
    expect(totals).toEqual([1, 0, 1, 0])
    expect(unknown[0]).toContain('new answers appear late')
    const { state } = await recoverJournal(journalPath(folder))
    expect(state.checkpoint?.listsLate).toBe(true)
  },
)

test('if the service lists the answers of a resumed import late, a missing row is reported as unknown', async () => {
  const start = Date.now()
  const now = () => start + (Date.now() - start) * 50
  const clock = {
    sleeps: [],
    now,
    monotonic: now,
    sleep: (ms: number, signal?: AbortSignal) => sleep(ms / 50, undefined, { signal }),
  }
  const at = start - 600_000
  const numbers = Array.from({ length: 20 }, (_, batch) => batch)
  const folder = await journalWith(
    numbers.flatMap((batch) => [
      { type: 'INTENT', batch, rows: 1, at },
      { type: 'ACK', batch, rows: 1, at },
    ]),
  )
  const newNumbers = Array.from({ length: 30 }, (_, n) => n)
  const rows = [...numbers.map((n) => `old${n} height ${n}`), ...newNumbers.map((n) => `new${n} height ${n}`)]
  let isLost = true
  const isLate = (user: string) => user === 'new0' || (user.startsWith('new') && Number(user.slice(3)) >= 12)
  const { posts, unknown } = await sendTo(
    (request) => {
      const user = userOf(request)
      const value = Number(user.slice(3))
      if (request.method === 'GET')
        return listed(
          isLate(user) ? [] : [{ lookup_key: 'height', value }],
          user.startsWith('old') ? at : undefined,
        )
      if (user !== 'new0' || !isLost) return [wait(250), confirmed(request)]
      isLost = false
      return [reset()]
    },
    batchesOf(rows),
    { folder, clock },
  )
  expect(posts.filter((post) => post.startsWith('new0'))).toHaveLength(1)
  expect(unknown.join()).toContain('new answers appear late')
})

test('a resumed import sends a row again if it is missing in a list that contains only the latest answers', async () => {
  const clock = hurriedClock()
  const at = clock.now()
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 2, at },
    { type: 'ACK', batch: 0, rows: 2, at },
    { type: 'INTENT', batch: 1, rows: 1, at, chain: 1, since: at },
    { type: 'INTENT', batch: 2, rows: 1, at },
  ])
  const { posts } = await sendTo(
    (request) => {
      if (request.method !== 'GET') return confirmed(request)
      return listed(userOf(request) === 'a' ? [{ lookup_key: 'age', value: 1 }] : [])
    },
    batchesOf(['a age 1', 'a age 2', 'a age 1', 'b height 2'], { batchSize: 2 }),
    { folder, clock, listsHistory: false },
  )
  expect(posts).toContain('b: height=2')
})

test('a resumed import sends a batch again if the only identical answer in the list belongs to an accepted batch', async () => {
  const same = batchesOf(['u height 1', 'u height 1'], { batchSize: 1 })
  const at = now()
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 1, at },
    { type: 'ACK', batch: 0, rows: 1, at },
    { type: 'INTENT', batch: 1, rows: 1, at, chain: 1, since: at },
  ])
  const script = (request: RawRequest) =>
    request.method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }]) : confirmed(request)
  const { totals, posts } = await sendTo(script, same, { folder })
  expect(posts).toEqual(['u: height=1'])
  expect(totals).toEqual([2, 0, 0, 0])
})

test('a resumed import sends a lost batch again if the service lists only one identical answer and another batch of the first run saved it', async () => {
  const same = batchesOf(['u height 1', 'u height 1'], { batchSize: 1 })
  const at = now()
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 1, at },
    { type: 'ACK', batch: 0, rows: 1, at },
  ])
  let posts = 0
  const { totals, posts: sent } = await sendTo(
    (request) => {
      if (request.method === 'GET') return listed([{ lookup_key: 'height', value: 1 }])
      return posts++ === 0 ? reset() : confirmed(request)
    },
    same,
    { folder },
  )
  expect(sent.length).toBe(2)
  expect(totals).toEqual([2, 0, 0, 0])
})

test('a resumed import reports rejected and unknown rows of the first run without sending them', async () => {
  const one = batchesOf(['u height 1', 'u weight 2', 'u age 3'])
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 3, at: now() },
    { type: 'REJECT', batch: 0, part: [1], code: 'refused_422', message: 'too large' },
    { type: 'UNKNOWN', batch: 0, part: [2], code: 'unproven', message: 'held' },
    { type: 'ACK', batch: 0, rows: 0, part: [], at: now() },
  ])
  const { totals, posts, rejects, unknown } = await sendTo(
    obedient(() => undefined),
    one,
    { folder },
  )
  expect(posts).toEqual(['u: height=1'])
  expect(totals).toEqual([1, 1, 1, 0])
  expect(rejects).toEqual(['3 weight refused_422: too large'])
  expect(unknown).toEqual(['4 age unproven: held'])
})

test('a resumed import does not resend rows if the crashed first run recorded their states', async () => {
  const one = batchesOf(['u height 1', 'u weight 2'])
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 2, at: now() },
    { type: 'UNKNOWN', batch: 0, part: [0, 1], code: 'unproven', message: 'held' },
  ])
  const { totals, server } = await sendTo(
    obedient(() => undefined),
    one,
    { folder },
  )
  expect(totals).toEqual([0, 0, 2, 0])
  expect(server.requests).toEqual([])
})

test('after a crash, a resumed import sends only the rows without a recorded state', async () => {
  const one = batchesOf(['u height 1', 'u weight 2', 'u age 3'])
  const folder = await journalWith([
    { type: 'INTENT', batch: 0, rows: 2, part: [0, 1], at: now() },
    { type: 'REJECT', batch: 0, part: [0], code: 'refused_422', message: 'too large' },
    { type: 'UNKNOWN', batch: 0, part: [1], code: 'unproven', message: 'held' },
  ])
  const { totals, server, posts } = await sendTo(
    obedient(() => undefined),
    one,
    { folder },
  )
  expect(totals).toEqual([1, 1, 1, 0])
  expect(posts).toEqual(['u: age=3'])
  expect(server.requests.length).toBe(1)
})

test('a row with a lost response is unknown in a stopped import and accepted in the resumed import', async () => {
  const drain = new AbortController()
  const script = obedient((_, save) => {
    save()
    drain.abort(new FacescanError('terminated', 'terminated'))
    return reset()
  })
  const first = await sendTo(script, batchesOf(['u height 1']), { drain: drain.signal })
  expect(first.totals).toEqual([0, 0, 0, 1])
  expect(first.unknown).toEqual([
    expect.stringMatching(
      /^2 height open: sent, but the outcome is unknown: the import stopped .*; sent at /,
    ),
  ])
  const second = await sendTo(
    ({ method }) => (method === 'GET' ? listed([{ lookup_key: 'height', value: 1 }]) : reply(500)),
    batchesOf(['u height 1']),
    { folder: first.folder },
  )
  expect(second.totals).toEqual([1, 0, 0, 0])
  expect(second.unknown).toEqual([])
  expect(second.posts).toEqual([])
})

test('after status 303 stopped an import, the resumed import sends only the rows that were not saved', async () => {
  const saved: { lookup_key: string; value: number }[] = []
  const script = (request: RawRequest) => {
    if (request.method === 'GET') return listed(saved)
    saved.push([JSON.parse(request.body)].flat()[0])
    return saved.length === 1 ? reply(303, '', { location: '/v2/questions/answered' }) : confirmed(request)
  }
  const two = batchesOf(['u height 1', 'u weight 2'])
  const first = await sendTo(script, two)
  expect(first.end).toMatchObject({ done: false, error: { code: 'import_stopped' } })
  expect(first.totals).toEqual([0, 0, 0, 2])
  const second = await sendTo(script, two, { folder: first.folder })
  expect(second.posts).toEqual(['u: weight=2'])
  expect(second.totals).toEqual([2, 0, 0, 0])
})

test('a resumed import does not send rows that the first run found in the list of answers', async () => {
  const three = batchesOf(['u height 1', 'u weight 2', 'u age 3'])
  const script = ({ method, index }: { method: string; index: number }) => {
    if (method === 'GET') return listed([{ lookup_key: 'weight', value: 2 }])
    return index === 0 ? reset() : reply(401, { detail: 'no' })
  }
  const first = await sendTo(script, three)
  expect(first.totals).toEqual([1, 0, 0, 0])
  const { folder } = first
  const second = await sendTo(
    obedient(() => undefined),
    three,
    { folder },
  )
  expect(second.posts).toEqual(['u: height=1 age=3'])
  expect(second.totals).toEqual([3, 0, 0, 0])
})

test('a resumed import checks the sent rows of a batch, but not its rejected row', async () => {
  const three = batchesOf(['u height 1', 'u weight 2', 'u age 3'])
  const drain = new AbortController()
  const detail = [{ loc: ['body', 0, 'value'], msg: 'too large' }]
  const first = await sendTo(
    ({ index }) => {
      if (index === 0) return reply(422, { detail })
      drain.abort(new FacescanError('terminated', 'terminated'))
      return reset()
    },
    three,
    { drain: drain.signal },
  )
  expect(first.totals).toEqual([0, 1, 0, 2])
  const applied = [
    { lookup_key: 'weight', value: 2 },
    { lookup_key: 'age', value: 3 },
  ]
  const { folder } = first
  const second = await sendTo(({ method }) => (method === 'GET' ? listed(applied) : reply(500)), three, {
    folder,
  })
  expect(second.posts).toEqual([])
  expect(second.totals).toEqual([2, 1, 0, 0])
})

test('rows are not sent if the journal cannot record their request', async () => {
  const folder = temporaryFolder()
  const file = await openJournalFile(folder, 0)
  onTestFinished(() => file.close())
  let isFull = false
  const journal = new Journal({
    ...file,
    append: async (bytes) => {
      if (isFull) throw Object.assign(new Error('i/o error, write'), { code: 'EIO' })
      await file.append(bytes)
    },
  })
  await journal.commit(header)
  isFull = true
  const { end, totals, posts } = await sendTo(
    obedient(() => undefined),
    batchesOf(['a height 1', 'b height 2']),
    {
      folder,
      journal,
    },
  )
  expect(end).toMatchObject({ done: false, error: { code: 'import_stopped' } })
  expect(posts).toEqual([])
  expect(totals).toEqual([0, 0, 0, 0])
})
