import { expect, test } from 'vitest'
import { NetworkError } from '../../../src/base/errors.ts'
import { Pace, type PaceOptions, paceResult } from '../../../src/bulk/pace/pace.ts'
import { fakeClock } from '../../helpers/clock.ts'

function createPace(options: Partial<PaceOptions> = {}) {
  const clock = fakeClock()
  const stop = new AbortController()
  const events: string[] = []
  const pace = new Pace({
    clock,
    random: () => 1,
    maxConcurrency: 32,
    probe: async () => true,
    maxWaitMs: 3_600_000,
    giveUp: ({ message }) => events.push(`gave up: ${message}`),
    signal: stop.signal,
    ...options,
  })
  const enter = (name: string, retry = false) => {
    pace.enter(retry).then(
      () => events.push(name),
      (reason) => events.push(`${name} dropped: ${reason}`),
    )
  }
  return { pace, clock, stop, events, enter }
}

const answered = { kind: 'answered', latencyMs: 10 } as const
const failed = { kind: 'failed' } as const

test('an import starts 4 requests, and the fifth request starts when one of them ends', async () => {
  const { pace, clock, events, enter } = createPace()
  for (const name of ['a', 'b', 'c', 'd', 'e']) enter(name)
  await clock.advance(0)
  expect(events).toEqual(['a', 'b', 'c', 'd'])
  pace.leave(false, answered)
  await clock.advance(0)
  expect(events).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('the import stops if Retry-After is longer than the maximum wait', async () => {
  const { pace, clock, events, enter } = createPace()
  enter('a')
  enter('b')
  await clock.advance(0)
  pace.leave(false, { kind: 'refused', latencyMs: 10, retryAfterMs: 3_600_000 })
  expect(events).toEqual(['a', 'b'])
  pace.leave(false, { kind: 'refused', latencyMs: 10, retryAfterMs: 3_600_001 })
  expect(events.at(-1)).toMatch(/^gave up: the service requires a wait/)
})

test('no request of an import starts after the import is stopped', async () => {
  const { clock, stop, events, enter } = createPace({ maxConcurrency: 1 })
  enter('a')
  enter('b')
  stop.abort('stopped')
  enter('c')
  await clock.advance(0)
  expect(events).toEqual(['a', 'b dropped: stopped', 'c dropped: stopped'])
})

test('a waiting retry starts before a new request', async () => {
  const { pace, clock, events, enter } = createPace({ maxConcurrency: 1 })
  for (const name of ['a', 'b']) enter(name)
  enter('r', true)
  await clock.advance(0)
  pace.leave(false, answered)
  await clock.advance(0)
  expect(events).toEqual(['a', 'r'])
})

test('only one retry runs at a time after half of the allowed retries were used', async () => {
  const { pace, clock, events, enter } = createPace({ maxConcurrency: 4 })
  for (let n = 0; n < 60; n++) {
    enter('x')
    await clock.advance(0)
    pace.leave(false, n % 10 === 9 ? answered : failed)
  }
  for (let round = 0; round < 20 && pace.limit < 4; round++) {
    const count = pace.limit
    for (let n = 0; n < count; n++) enter('x')
    await clock.advance(0)
    for (let n = 0; n < count; n++) pace.leave(false, answered)
  }
  expect(pace.limit).toBe(4)
  events.length = 0
  for (const name of ['r1', 'r2', 'r3']) enter(name, true)
  for (const name of ['a', 'b']) enter(name)
  await clock.advance(0)
  expect(events).toEqual(['r1', 'a', 'b'])
  pace.leave(true, answered)
  await clock.advance(0)
  expect(events).toEqual(['r1', 'a', 'b', 'r2'])
})

test('requests pause after 20 failures in a row, and continue after a successful test request', async () => {
  let up = false
  const { pace, clock, events, enter } = createPace({ probe: async () => up })
  for (let n = 0; n < 20; n++) {
    enter('failing')
    await clock.advance(0)
    pace.leave(false, failed)
  }
  events.length = 0
  for (const name of ['a', 'b']) enter(name)
  await clock.advance(7_000)
  expect(clock.sleeps).toEqual([1000, 2000, 4000, 8000])
  expect([events, pace.isAway]).toEqual([[], true])
  up = true
  await clock.advance(8_000)
  expect(events).toEqual(['a'])
  pace.leave(false, answered)
  await clock.advance(0)
  expect([events, pace.isAway]).toEqual([['a', 'b'], false])
})

test('a single 429 response does not delay other requests', async () => {
  const { pace, clock, events, enter } = createPace({ maxConcurrency: 1 })
  for (const name of ['refused', 'next']) enter(name)
  await clock.advance(0)
  pace.leave(false, { kind: 'refused', latencyMs: 10, retryAfterMs: 60_000 })
  await clock.advance(0)
  expect([events, pace.heldMs]).toEqual([['refused', 'next'], 0])
})

test('all requests wait for Retry-After if every response is 429', async () => {
  const { pace, clock, enter } = createPace()
  for (let n = 0; n < 20; n++) {
    enter('refused')
    await clock.advance(0)
    pace.leave(false, { kind: 'refused', latencyMs: 0, retryAfterMs: 60_000 })
  }
  await clock.advance(10_000)
  expect(pace.heldMs).toBe(50_000)
})

test('the import stops if the service does not respond for too long', async () => {
  const { pace, clock, events, enter } = createPace({ probe: async () => false })
  for (let n = 0; n < 20; n++) {
    enter('failing')
    await clock.advance(0)
    pace.leave(false, failed)
  }
  events.length = 0
  await clock.advance(700_000)
  expect(events).toEqual(['gave up: the service was unavailable for too long'])
})

test('requests are not paused if one request succeeds after every 18 failures', async () => {
  const { pace, clock, events, enter } = createPace()
  for (let n = 0; n < 60; n++) {
    enter('x')
    await clock.advance(0)
    pace.leave(false, n % 19 === 18 ? answered : failed)
  }
  expect(events.length).toBe(60)
  expect(pace.breaker.state).toBe('closed')
})

test('a maximum rate of 10 requests per second delays the second request by 100 ms', async () => {
  const { pace, clock, events, enter } = createPace({ rate: 10 })
  for (const name of ['a', 'b', 'c']) enter(name)
  await clock.advance(0)
  expect(events).toEqual(['a'])
  pace.leave(false, answered)
  await clock.advance(100)
  expect(events).toEqual(['a', 'b'])
})

const response = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: new Uint8Array(),
  durationMs: 1,
})

test.each([
  ['a lost connection', new NetworkError('reset', false), failed],
  ['status 201', response(201), answered],
  ['status 400', response(400), answered],
  ['status 500', response(500), failed],
  ['status 408', response(408), failed],
  ['status 429', response(429), { kind: 'refused', latencyMs: 10, retryAfterMs: undefined }],
  [
    'status 429 with Retry-After',
    response(429, { 'retry-after': '7' }),
    { kind: 'refused', latencyMs: 10, retryAfterMs: 7_000 },
  ],
] as const)('the pace of an import counts %s as success, failure, or refusal', (_, outcome, result) => {
  expect(paceResult(outcome, 10, 0)).toEqual(result)
})

/** Starts requests one after another. Each request fails before the next request starts. */
async function failRequests(count: number, { pace, clock, enter }: ReturnType<typeof createPace>) {
  for (let n = 0; n < count; n++) {
    enter('failing')
    await clock.advance(0)
    pace.leave(false, failed)
  }
}

test('the error for a Retry-After above the maximum contains the wait and states that a retry can succeed', async () => {
  let reason: unknown
  const { pace, clock, enter } = createPace({ giveUp: (error) => (reason = error) })
  enter('a')
  await clock.advance(0)
  pace.leave(false, { kind: 'refused', latencyMs: 10, retryAfterMs: 5_400_500 })
  expect(reason).toMatchObject({
    message: 'the service requires a wait of 1 h 30 min (429)',
    details: { status: 429, retryAfter: 5_401, retryable: true },
  })
})

test('an import stops after the allowed number of pauses, although the service responds to test requests', async () => {
  let reason: unknown
  const setup = createPace({ maxTrials: 1, giveUp: (error) => (reason = error) })
  await failRequests(20, setup)
  expect(reason).toBeUndefined()
  await setup.clock.advance(1_000)
  await failRequests(1, setup)
  expect(reason).toMatchObject({
    code: 'server',
    message: 'the service fails for all users: the service responds, but no request succeeds',
    details: { retryable: true },
  })
})

test.each([
  ['a canceled request', { kind: 'canceled' }],
  ['a successful read of answers', { kind: 'listed', latencyMs: 10 }],
] as const)('requests pause after 20 failures, even if %s comes between the failures', async (_, result) => {
  const setup = createPace()
  await failRequests(19, setup)
  setup.enter('other')
  await setup.clock.advance(0)
  expect(setup.pace.inFlight).toBe(1)
  setup.pace.leave(false, result)
  expect([setup.pace.inFlight, setup.pace.isAway]).toEqual([0, false])
  await failRequests(1, setup)
  expect(setup.pace.isAway).toBe(true)
})

test('after a pause, only one request is sent until a request succeeds', async () => {
  const setup = createPace()
  const { pace, clock, events, enter } = setup
  for (const name of ['a', 'b', 'c', 'd']) enter(name)
  await clock.advance(0)
  for (let n = 0; n < 4; n++) pace.leave(false, { kind: 'answered', latencyMs: 60_000 })
  await failRequests(20, setup)
  expect(pace.limit).toBeGreaterThan(1)
  events.length = 0
  for (const name of ['e', 'f', 'g']) enter(name)
  await clock.advance(1_000)
  expect(events).toEqual(['e'])
  pace.leave(false, answered)
  await clock.advance(0)
  expect(events).toEqual(['e', 'f', 'g'])
})

test('requests that wait because of a maximum rate share one timer', async () => {
  const { clock, events, enter } = createPace({ rate: 10 })
  for (const name of ['a', 'b', 'c']) enter(name)
  await clock.advance(0)
  expect(clock.sleeps).toHaveLength(1)
  await clock.advance(100)
  await clock.advance(100)
  expect([events, clock.sleeps.length]).toEqual([['a', 'b', 'c'], 2])
})

test('the number of concurrent requests is reduced after ten 429 responses in a row, but not after nine', async () => {
  const { pace, clock, enter } = createPace()
  const refuse = async (count: number) => {
    for (let n = 0; n < count; n++) {
      enter('refused')
      await clock.advance(0)
      pace.leave(false, { kind: 'refused', latencyMs: 0 })
    }
  }
  await refuse(9)
  expect(pace.limit).toBe(4)
  await refuse(1)
  expect(pace.limit).toBe(2)
})

test('if all requests wait, a 429 response to an earlier request does not extend the wait', async () => {
  const { pace, clock, enter } = createPace()
  enter('slow')
  await clock.advance(0)
  for (let n = 0; n < 10; n++) {
    enter('refused')
    await clock.advance(0)
    pace.leave(false, { kind: 'refused', latencyMs: 0, retryAfterMs: 60_000 })
  }
  await clock.advance(10_000)
  pace.leave(false, { kind: 'refused', latencyMs: 10_000, retryAfterMs: 60_000 })
  expect(pace.heldMs).toBe(50_000)
})
