import { expect, test } from 'vitest'
import { idleClock } from '../../helpers/clock.ts'
import { type RawRequest, reply, type Step } from '../../helpers/hostile-server.ts'
import { batchesOf, confirmed, listed, sendTo, userOf } from './fixture.ts'

interface Saved {
  lookup_key: string
  value: number
  timezone: string
  at: number
}

const hourMs = 3_600_000
const batchesForOne = Array.from({ length: 12 }, (_, n) => `u key${n} 1`)
const oneEach = (users: number) => Array.from({ length: users }, (_, n) => `u${n} height 1`)

interface Behavior {
  /** The time that the service assigns to an answer. */
  timeOf?(saved: Saved): number
  /** Returns answers that a list of answers contains besides the saved ones. */
  others?(saved: readonly Saved[], now: number): Saved[]
  /** Returns a response that replaces the usual response. If undefined, the service sends the usual response. */
  special?(request: RawRequest): Step | undefined
}

/** Imports answers to a service that saves and lists answers. The service's clock was not measured before. */
async function measure(rows: readonly string[], { timeOf, others, special }: Behavior = {}, more = {}) {
  const clock = idleClock()
  const stored = new Map<string, Saved[]>()
  const list = (saved: readonly Saved[]) => {
    const items = [...saved, ...(others?.(saved, clock.now()) ?? [])].map((answer) => ({
      question_lookup_key: answer.lookup_key,
      answer: answer.value,
      // `sendTo` converts UTC times to the test's clock. This time is already converted, so it is written with the offset +01:00, which
      // `sendTo` does not change.
      local_timestamp: new Date((timeOf?.(answer) ?? answer.at) + hourMs)
        .toISOString()
        .replace('Z', '+01:00'),
    }))
    return reply(200, { items, pagination: { next_page: null } })
  }
  const script = (request: RawRequest) => {
    const step = special?.(request)
    if (step !== undefined) return step
    const earlier = stored.get(userOf(request)) ?? []
    if (request.method === 'GET') return list(earlier)
    const answers = [JSON.parse(request.body)].flat()
    stored.set(userOf(request), [...earlier, ...answers.map((one) => ({ ...one, at: clock.now() }))])
    return confirmed(request)
  }
  const sent = await sendTo(script, batchesOf(rows, { batchSize: 1, ...more }), {
    clock,
    isMeasured: false,
    maxConcurrency: 1,
  })
  const reads = sent.server.requests.filter(({ target }) => target.includes('answered')).length
  const { clock: measured, listsLate } = sent.checkpoint ?? {}
  return { ...sent, reads, measured, listsLate }
}

const listFails = (status: number) => ({
  special: ({ target }: RawRequest) => (target.includes('answered') ? reply(status, {}) : undefined),
})

test('an import reads answers before and after each of its first five requests, but not for later requests', async () => {
  const { reads, measured, listsLate, totals } = await measure(oneEach(8))
  expect(totals).toEqual([8, 0, 0, 0])
  expect(reads).toBe(10)
  expect(measured).toMatchObject({ UTC: { aheadMs: 2_000 } })
  expect(listsLate).toBeUndefined()
})

test.each([
  [405, 1],
  [403, 1],
  [503, 40],
])(
  'if reads of answers return status %i, an import sends %i reads and saves all rows',
  async (status, expected) => {
    const { reads, measured, totals } = await measure(batchesForOne, listFails(status))
    expect(totals).toEqual([12, 0, 0, 0])
    expect({ reads, measured }).toEqual({ reads: expected, measured: undefined })
  },
)

test('the clock is measured even if every other request for answers fails', async () => {
  let reads = 0
  const { measured, totals } = await measure(oneEach(5), {
    special: ({ target }) => (target.includes('answered') && ++reads % 2 === 1 ? reply(503, {}) : undefined),
  })
  expect(totals).toEqual([5, 0, 0, 0])
  expect(measured).toMatchObject({ UTC: { aheadMs: 2_000 } })
})

test('the clock is not measured if the answers of the users cannot be listed', async () => {
  const { reads, totals } = await measure(oneEach(3), {}, { kind: 'user_id' })
  expect(totals).toEqual([3, 0, 0, 0])
  expect(reads).toBe(0)
})

test('the clock is measured even after many rejected requests', async () => {
  const isRejected = (request: RawRequest) =>
    request.method === 'POST' && Number(userOf(request).slice(1)) < 12
  const { reads, measured, totals } = await measure(oneEach(17), {
    special: (request) => (isRejected(request) ? reply(422, { detail: 'no' }) : undefined),
  })
  expect(totals).toEqual([5, 12, 0, 0])
  expect(reads).toBe(12 + 2 * 5)
  expect(measured).toBeDefined()
})

test("a measurement of the service's clock uses only the answers of its own request, even if the list contains other answers", async () => {
  const other = { value: 1, timezone: 'UTC' }
  const { measured } = await measure(oneEach(5), {
    others: (saved, now) => [
      { ...other, lookup_key: 'height', at: 1_000_000 },
      ...(saved.length > 0 ? [{ ...other, lookup_key: 'weight', at: now - hourMs }] : []),
    ],
  })
  expect(measured).toMatchObject({ UTC: { aheadMs: 2_000 } })
})

test('if the same answer is saved again, it counts as a new answer, even if its rounded time has not changed', async () => {
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  const { measured, listsLate } = await measure(Array(5).fill('u height 1'), { timeOf: () => minute })
  expect(measured).toMatchObject({ UTC: { aheadMs: 2_000 } })
  expect(listsLate).toBeUndefined()
})

test('if a request has two time zones, a service that lists only the latest answers does not count as listing answers late', async () => {
  const rows = batchesOf(['u height 1', 'u height 2'])
  const [batch] = rows
  if (batch?.rows[0]) batch.rows[0] = { ...batch.rows[0], timezone: 'Europe/Amsterdam' }
  let posts = 0
  const script = (request: RawRequest) => {
    if (request.method === 'POST') return confirmed(request, {}, `id-${++posts}`)
    return listed(posts === 0 ? [] : [{ lookup_key: 'height', value: 2 }])
  }
  const { checkpoint, totals } = await sendTo(script, rows, { isMeasured: false })
  expect(totals).toEqual([2, 0, 0, 0])
  expect(checkpoint?.listsLate).toBeUndefined()
})

test('the clock is not measured if a list contains each answer twice', async () => {
  const { measured, totals } = await measure(oneEach(12), { others: (saved) => [...saved] })
  expect(totals).toEqual([12, 0, 0, 0])
  expect(measured).toBeUndefined()
})

test('an import records that the service lists answers late if a new answer is missing from the list', async () => {
  const { reads, measured, listsLate } = await measure(oneEach(12), {
    special: ({ target }) =>
      target.includes('answered') ? reply(200, { items: [], pagination: { next_page: null } }) : undefined,
  })
  expect({ reads, measured, listsLate }).toEqual({ reads: 20, measured: undefined, listsLate: true })
})

test('status 401 stops an import, even if other requests wait for the measurement of the clock', async () => {
  const posts = { count: 0 }
  const clock = idleClock()
  const { end } = await sendTo(
    (request) => {
      if (request.method === 'GET') return reply(200, { items: [], pagination: { next_page: null } })
      posts.count++
      return reply(401, {})
    },
    batchesOf(oneEach(40)),
    { clock, isMeasured: false, maxConcurrency: 8 },
  )
  expect(end).toMatchObject({ done: false, error: { code: 'unauthenticated' } })
  expect(posts.count).toBeLessThanOrEqual(5)
})
