import { expect, test } from 'vitest'
import { parseRetryAfter } from '../../src/http/meaning.ts'
import { decideRetry } from '../../src/http/retry-policy.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

const policy = { retries: 3, maxWaitMs: 60_000 }
const lost = {}
const unsent = { isSent: false }

test.each([
  [1, 250],
  [2, 500],
  [3, 1_000],
])('the wait after attempt %i is %i ms if the random number is 0.5', (attempt, delayMs) => {
  expect(decideRetry('read', attempt, lost, policy, 0.5)).toMatchObject({ retry: true, delayMs })
})

test('the wait between attempts is random and is at most 8 s', () => {
  const many = { ...policy, retries: 50 }
  expect(decideRetry('read', 1, lost, policy, 0)).toMatchObject({ delayMs: 0 })
  expect(decideRetry('read', 50, lost, many, 0.5)).toMatchObject({ delayMs: 4_000 })
})

test.each([
  ['read', lost, true],
  ['repeatable', lost, true],
  ['once', lost, false],
  ['read', unsent, true],
  ['repeatable', unsent, true],
  ['once', unsent, true],
  ['once', { status: 429 }, true],
  ['once', { status: 503 }, false],
  ['repeatable', { status: 503 }, true],
  ['read', { status: 400 }, false],
  ['once', { status: 425 }, true],
  ['read', { status: 501 }, false],
  ['once', { status: 413, hasRetryAfter: true }, true],
  ['read', { status: 413 }, false],
  ['read', { isSent: false, isFinal: true }, false],
] as const)(
  'a request of the retry class "%s" is sent again after the outcome %j: %s',
  (retryClass, outcome, retry) => {
    expect(decideRetry(retryClass, 1, outcome, policy, 0.5).retry).toBe(retry)
  },
)

test.each([
  [unsent, 'could not connect'],
  [lost, 'the connection failed'],
  [{ status: 200, body: 'incomplete' }, 'the connection failed'],
  [{ status: 429 }, 'rate limited'],
  [{ status: 503 }, 'the service returned 503'],
] as const)('a retry after the outcome %j has the reason: %s', (failed, reason) => {
  expect(decideRetry('read', 1, failed, policy, 0)).toMatchObject({ retry: true, reason })
})

test('the client retries only if Retry-After is at most the maximum wait', () => {
  const after = (retryAfterMs: number) => decideRetry('read', 1, { status: 429, retryAfterMs }, policy, 0)
  expect(after(60_000)).toMatchObject({ retry: true, delayMs: 60_000 })
  expect(after(60_001)).toEqual({
    retry: false,
    reason: 'rate limited; the required wait is longer than the maximum wait',
  })
})

test('the client does not retry after the maximum number of retries', () => {
  expect(decideRetry('read', 3, lost, policy, 0).retry).toBe(true)
  expect(decideRetry('read', 4, lost, policy, 0)).toEqual({ retry: false, reason: 'no attempts left' })
  expect(decideRetry('read', 1, lost, { ...policy, retries: 0 }, 0).retry).toBe(false)
})

const now = Date.UTC(2026, 0, 1)
test.each([
  ['7', undefined, 7_000],
  [' 7 ', undefined, 7_000],
  ['0', undefined, 0],
  ['9'.repeat(400), undefined, 2_147_483_648_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', undefined, 30_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 'Thu, 01 Jan 2026 00:00:10 GMT', 20_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 'nonsense', 30_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 'Thu, 01 Jan 2026 00:00:10 GMT', 0],
  ['-1', undefined, undefined],
  ['1.5', undefined, undefined],
  ['soon', undefined, undefined],
  ['2026-01-01T00:00:30Z', undefined, undefined],
  ['1 Jan 2026 00:00:30 GMT', undefined, undefined],
  ['Th, 01 Jan 2026 00:00:30 GMT', undefined, undefined],
  ['', undefined, undefined],
])(
  'the header Retry-After "%s" in a response with the Date "%s" causes a wait of %s ms',
  (retryAfter, date, expected) => {
    expect(parseRetryAfter({ 'retry-after': retryAfter, ...(date && { date }) }, now)).toBe(expected)
  },
)

test('a response without Retry-After causes no wait', () => {
  expect(parseRetryAfter({}, now)).toBeUndefined()
})

holds('a change that may have been applied is not sent again, and each wait is within the maximum', () => {
  const outcome = fc.oneof(
    fc.record({ isSent: fc.boolean(), isFinal: fc.boolean() }),
    fc.record({
      status: fc.integer({ min: 100, max: 999 }),
      retryAfterMs: fc.option(fc.nat(), { nil: undefined }),
    }),
  )
  return fc.property(
    fc.constantFrom('read', 'repeatable', 'once'),
    fc.integer({ min: 1, max: 100 }),
    outcome,
    fc.record({ retries: fc.nat(100), maxWaitMs: fc.nat(100_000) }),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    (retryClass, attempt, result, limits, random) => {
      const decision = decideRetry(retryClass, attempt, result, limits, random)
      const isRefusal = 'isSent' in result ? !result.isSent : [425, 429].includes(result.status)
      if (retryClass === 'once' && !isRefusal) expect(decision.retry).toBe(false)
      if (attempt > limits.retries) expect(decision.retry).toBe(false)
      if (!decision.retry) return
      expect(decision.delayMs).toBeGreaterThanOrEqual(0)
      expect(decision.delayMs).toBeLessThanOrEqual(Math.max(limits.maxWaitMs, 'status' in result ? 0 : 8_000))
      if ('status' in result) expect(decision.delayMs).toBeGreaterThanOrEqual(result.retryAfterMs ?? 0)
    },
  )
})

holds('any text in Retry-After is parsed as a wait of at least 0 ms or as undefined', () => {
  const text = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )
  return fc.property(text, text, (retryAfter, date) => {
    const waitMs = parseRetryAfter({ 'retry-after': retryAfter, date }, now)
    expect(waitMs === undefined || waitMs >= 0).toBe(true)
  })
})
