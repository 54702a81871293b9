import { expect, test } from 'vitest'
import { RateLimiter } from '../../../src/bulk/pace/rate-limiter.ts'
import { seededRandom } from '../../helpers/seeded.ts'

type Service = (now: number) => boolean

interface Drive {
  ms: number
  latencyMs?: number
  /** Maximum requests per second, even if the limiter allows more (default 1000). */
  fastest?: number
  retryAfterMs?: number
  limiter?: RateLimiter
}

/**
 * Sends at the speed that the limiter allows, with at most 32 active requests. Returns the accepted requests per second, and the totals.
 */
function drive(service: Service, { ms, latencyMs = 5, fastest = 1000, retryAfterMs, limiter }: Drive) {
  const paced = limiter ?? new RateLimiter()
  const inFlight: { at: number; sentAt: number; isAccepted: boolean }[] = []
  const seconds = Array.from({ length: ms / 1000 }, () => ({ accepted: 0, refused: 0 }))
  let sentAt = Number.NEGATIVE_INFINITY
  for (let now = 0; now < ms; now += 0.5) {
    for (let reply = inFlight[0]; reply && reply.at <= now; reply = inFlight[0]) {
      inFlight.shift()
      const second = seconds[Math.floor(now / 1000)]!
      second[reply.isAccepted ? 'accepted' : 'refused']++
      if (reply.isAccepted) paced.accepted(now, reply.sentAt)
      else paced.refused(now, reply.sentAt, retryAfterMs)
    }
    while (inFlight.length < 32 && paced.delayMs(now) <= 0 && now - sentAt >= 1000 / fastest) {
      paced.spend(now)
      sentAt = now
      inFlight.push({ at: now + latencyMs, sentAt, isAccepted: service(now + latencyMs / 2) })
    }
  }
  return {
    seconds: seconds.map(({ accepted }) => accepted),
    accepted: seconds.reduce((sum, { accepted }) => sum + accepted, 0),
    refused: seconds.reduce((sum, { refused }) => sum + refused, 0),
  }
}

/** A service that accepts `perSecond` requests per second (token bucket). Unused requests remain available for one second. */
function bucket(perSecond: (now: number) => number): Service {
  let [tokens, at] = [perSecond(0), 0]
  return (now) => {
    tokens = Math.min(perSecond(now), tokens + ((now - at) / 1000) * perSecond(now))
    at = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}

/** A service that accepts this number of requests per window. It refuses all further requests until the next window. */
function quota(requests: number, windowMs: number): Service {
  let [window, used] = [0, 0]
  return (now) => {
    if (now - window >= windowMs) [window, used] = [now, 0]
    return used++ < requests
  }
}

const refusedShare = ({ accepted, refused }: ReturnType<typeof drive>) => refused / (accepted + refused)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test('no request waits if no maximum rate is set and no response is 429', () => {
  expect(new RateLimiter().delayMs(0)).toBe(0)
  expect(drive(() => true, { ms: 1000 }).accepted).toBe(995)
})

test('a maximum rate of 100 requests per second allows at most 1003 requests in 10 s', () => {
  const limiter = new RateLimiter(100)
  limiter.spend(1000)
  expect(limiter.delayMs(985)).toBeCloseTo(5)
  const { accepted } = drive(() => true, { ms: 10_000, limiter: new RateLimiter(100) })
  expect(accepted).toBeGreaterThanOrEqual(995)
  expect(accepted).toBeLessThanOrEqual(1003)
})

test.each([0.005, 0.01, 0.02, 0.05, 0.1])(
  'the request rate stays high if a random share of the responses (%d) has status 429',
  (share) => {
    const random = seededRandom(7)
    const { accepted } = drive(() => random() > share, { ms: 60_000, retryAfterMs: 1000 })
    expect(accepted).toBeGreaterThan(0.8 * 60_000)
  },
)

test('a few 429 responses after the process was suspended do not reduce the rate', () => {
  const limiter = new RateLimiter()
  limiter.accepted(0, 0)
  for (let n = 0; n < 37; n++) limiter.accepted(60, 0)
  for (let n = 0; n < 3; n++) expect(limiter.refused(60, 0, 1000)).toBe(false)
  expect(limiter.perSecond(61)).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  [100, 5],
  [300, 5],
  [300, 50],
  [600, 20],
])(
  'an import nearly reaches the allowed rate of %i requests per second at a latency of %i ms',
  (perSecond, latencyMs) => {
    const result = drive(
      bucket(() => perSecond),
      { ms: 30_000, latencyMs, fastest: 2 * perSecond },
    )
    expect(result.accepted).toBeGreaterThan(0.97 * 30 * perSecond)
    expect(refusedShare(result)).toBeLessThan(0.03)
  },
)

test.each([
  ['doubles', 300, 600],
  ['halves', 300, 150],
])('an import adapts its rate within 10 s if the rate limit of the service %s', (_, before, after) => {
  const service = bucket((now) => (now < 20_000 ? before : after))
  const result = drive(service, { ms: 60_000, fastest: 700 })
  expect(sum(result.seconds.slice(30, 60))).toBeGreaterThan(0.95 * 30 * after)
  expect(refusedShare(result)).toBeLessThan(0.03)
})

test('an import reaches 95% of an allowed rate of 1000 requests per ten seconds', () => {
  const result = drive(quota(1000, 10_000), { ms: 600_000, retryAfterMs: 1000 })
  expect(result.accepted).toBeGreaterThan(0.95 * 60_000)
  expect(refusedShare(result)).toBeLessThan(0.05)
})

test('Retry-After delays all requests only after ten 429 responses in a row', () => {
  const limiter = new RateLimiter()
  for (let n = 0; n < 9; n++) expect(limiter.refused(100, 50, 7000)).toBe(false)
  expect(limiter.heldMs(100)).toBe(0)
  expect(limiter.refused(100, 50, 7000)).toBe(true)
  expect([limiter.heldMs(100), limiter.heldMs(7000), limiter.heldMs(8000)]).toEqual([7000, 100, 0])
  limiter.refused(200, 60, 60_000)
  expect(limiter.heldMs(200)).toBe(6900)
})

test('after a 429 response, the success of an earlier request does not end the wait for Retry-After', () => {
  const limiter = new RateLimiter()
  for (let n = 0; n < 20; n++) limiter.refused(100, 50, 1000)
  limiter.accepted(101, 50)
  // Only the next request can show whether the service accepts requests again.
  expect(limiter.perSecond(1100)).toBe(20)
  limiter.accepted(1101, 1100)
  expect(limiter.perSecond(1102)).toBeGreaterThan(200)
})

test('an import reaches 90% of an allowed rate of 30 requests per second', () => {
  const service = bucket(() => 30)
  const result = drive(service, { ms: 60_000 })
  expect(result.accepted).toBeGreaterThan(0.9 * 60 * 30)
})

/**
 * Records 161 responses at equal intervals. The first response only starts a window. `refused` is the share of status 429 in the other
 * 160 responses. The last response has status 429. Returns whether this last response reduced the rate.
 */
function respond(limiter: RateLimiter, from: number, to: number, refused: number): boolean {
  let isReduced = false
  for (let n = 0; n <= 160; n++) {
    const now = from + (n * (to - from)) / 160
    if (n > 0 && Math.floor(n * refused) > Math.floor((n - 1) * refused))
      isReduced = limiter.refused(now, now)
    else limiter.accepted(now, now)
  }
  return isReduced
}

test.each([
  [20, true, 5_760],
  [19, false, Number.POSITIVE_INFINITY],
])('if 16 of 160 responses in %i ms have status 429, the rate is reduced: %s', (ms, isReduced, perSecond) => {
  const limiter = new RateLimiter()
  expect(respond(limiter, 0, ms, 0.1)).toBe(isReduced)
  expect(limiter.perSecond(ms)).toBeCloseTo(perSecond)
})

test.each([
  ['nine 429 responses in 60 ms', 9, 60, true],
  ['nine 429 responses in 59 ms', 9, 59, false],
  ['eight 429 responses in 60 ms', 8, 60, false],
])('if few requests succeed, the rate is reduced after %s: %s', (_, count, ms, isReduced) => {
  const limiter = new RateLimiter()
  limiter.accepted(0, 0)
  for (let n = 1; n < count; n++) {
    limiter.refused(1, 1)
    if (n === 4) limiter.accepted(1, 1)
  }
  limiter.accepted(1, 1)
  expect(limiter.refused(ms, ms)).toBe(isReduced)
  expect(limiter.perSecond(ms)).toBeCloseTo(isReduced ? (0.8 * 2_000) / 60 : Number.POSITIVE_INFINITY)
})

test('a rate that was reduced to 80% rises to 98% after one second and to 100% after three seconds', () => {
  const limiter = new RateLimiter()
  respond(limiter, 0, 40, 0.1)
  const rates = [40, 540, 1_040, 2_040, 3_040, 4_040].map((now) => limiter.perSecond(now) / 3_600)
  expect(rates.map((rate) => Math.round(rate * 100))).toEqual([80, 89, 98, 98, 100, 106])
})

test('a response does not change the rate if its request was sent before the rate was last reduced', () => {
  const limiter = new RateLimiter()
  respond(limiter, 0, 40, 0.1)
  const before = limiter.perSecond(4_000)
  for (let n = 0; n < 500; n++) {
    limiter.accepted(4_000 + n, 39)
    expect(limiter.refused(4_000 + n, 39)).toBe(false)
  }
  expect(limiter.perSecond(4_000)).toBe(before)
})

test('after the rate was reduced, it is not reduced again until the share of 429 responses rises', () => {
  const limiter = new RateLimiter()
  respond(limiter, 0, 20, 0.1)
  expect(respond(limiter, 1_000, 1_040, 0.1)).toBe(false)
  expect(limiter.perSecond(1_200)).toBeCloseTo(0.98 * 3_600)
  expect(respond(limiter, 1_200, 1_250, 0.1)).toBe(false)
  expect(limiter.perSecond(1_250)).toBeCloseTo(0.98 * 3_600)
  respond(limiter, 3_000, 3_040, 0.15)
  expect(limiter.perSecond(3_040)).toBeGreaterThan(3_500)
  respond(limiter, 3_100, 3_140, 0.18)
  expect(limiter.perSecond(3_140)).toBeLessThan(2_000)
})

test.each([
  ['no maximum rate is set', undefined, 245],
  ['the maximum is 100 requests per second', 100, 24.5],
])(
  'if %s, ten 429 responses in a row delay all requests, and the rate then starts low',
  (_, cap, perSecond) => {
    const limiter = new RateLimiter(cap)
    for (let n = 1; n < 10; n++) expect(limiter.refused(0, 0, 500)).toBe(false)
    expect(limiter.refused(0, 0, 500)).toBe(true)
    expect([limiter.heldMs(400), limiter.delayMs(400), limiter.perSecond(400)]).toEqual([600, 600, 20])
    expect(limiter.refused(900, 900, 5_000)).toBe(false)
    expect(limiter.refused(1_000, 1_000, 1_500)).toBe(true)
    expect(limiter.heldMs(1_000)).toBe(1_500)
    limiter.accepted(2_499, 2_499)
    expect(limiter.perSecond(2_000)).toBe(20)
    limiter.accepted(2_500, 2_500)
    expect(limiter.perSecond(2_000)).toBeCloseTo(perSecond)
  },
)
