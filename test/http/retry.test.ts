import { expect, test } from 'vitest'
import { parseRetryAfter } from '../../src/http/meaning.ts'
import { decideRetry } from '../../src/http/retry.ts'
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
  expect(decideRetry('read', attempt, lost, policy, 0.5)).toMatchObject({ delayMs })
})

test('the wait between attempts is random and is at most 8 s', () => {
  const many = { ...policy, retries: 50 }
  expect(decideRetry('read', 1, lost, policy, 0)).toMatchObject({ delayMs: 0 })
  expect(decideRetry('read', 50, lost, many, 0.5)).toMatchObject({ delayMs: 4_000 })
})

const decisions = [
  ['read', lost, 'sent again'],
  ['repeatable', lost, 'sent again'],
  ['once', lost, 'not sent again'],
  ['read', unsent, 'sent again'],
  ['repeatable', unsent, 'sent again'],
  ['once', unsent, 'sent again'],
  ['once', { status: 429 }, 'sent again'],
  ['once', { status: 503 }, 'not sent again'],
  ['repeatable', { status: 503 }, 'sent again'],
  ['read', { status: 400 }, 'not sent again'],
  ['once', { status: 425 }, 'sent again'],
  ['read', { status: 501 }, 'not sent again'],
  ['once', { status: 413, hasRetryAfter: true }, 'sent again'],
  ['read', { status: 413 }, 'not sent again'],
  ['read', { isSent: false, isFinal: true }, 'not sent again'],
] as const

/** Returns a description of an outcome, for use in a test title. */
function nameOf(outcome: Parameters<typeof decideRetry>[2]): string {
  return outcome === lost
    ? 'lost response'
    : outcome === unsent
      ? 'failed connection'
      : JSON.stringify(outcome)
}

test.each(
  decisions.map(([retryClass, outcome, result]) => [retryClass, nameOf(outcome), result, outcome] as const),
)('a request of the retry class "%s" with the outcome "%s" is %s', (retryClass, _, result, outcome) => {
  const isSentAgain = decideRetry(retryClass, 1, outcome, policy, 0.5) !== undefined
  expect(isSentAgain).toBe(result === 'sent again')
})

test.each([
  ['a failed connection', 'could not connect', unsent],
  ['a lost response', 'the connection failed', lost],
  ['an incomplete response', 'the connection failed', { status: 200, body: 'incomplete' }],
  ['status 429', 'rate limited', { status: 429 }],
  ['status 503', 'the service returned 503', { status: 503 }],
] as const)('a retry after %s has the reason "%s"', (_, reason, failed) => {
  expect(decideRetry('read', 1, failed, policy, 0)).toMatchObject({ reason })
})

test('the client retries only if Retry-After is at most the maximum wait', () => {
  const after = (retryAfterMs: number) => decideRetry('read', 1, { status: 429, retryAfterMs }, policy, 0)
  expect(after(60_000)).toMatchObject({ delayMs: 60_000 })
  expect(after(60_001)).toBeUndefined()
})

test('the client does not retry after the maximum number of retries', () => {
  expect(decideRetry('read', 3, lost, policy, 0)).toBeDefined()
  expect(decideRetry('read', 4, lost, policy, 0)).toBeUndefined()
  expect(decideRetry('read', 1, lost, { ...policy, retries: 0 }, 0)).toBeUndefined()
})

const now = Date.UTC(2026, 0, 1)
test.each([
  ['7', 7_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['9'.repeat(400), 2_147_483_648_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
])('if a response has Retry-After "%s" and no Date header, the wait is %i ms', (retryAfter, expected) => {
  expect(parseRetryAfter({ 'retry-after': retryAfter }, now)).toBe(expected)
})

test.each([
  ['Thu, 01 Jan 2026 00:00:30 GMT', 'Thu, 01 Jan 2026 00:00:10 GMT', 20_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 'nonsense', 30_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 'Thu, 01 Jan 2026 00:00:10 GMT', 0],
])(
  'if a response has Retry-After "%s" and the Date "%s", the wait is %i ms',
  (retryAfter, date, expected) => {
    expect(parseRetryAfter({ 'retry-after': retryAfter, date }, now)).toBe(expected)
  },
)

test.each([
  '-1',
  '1.5',
  'soon',
  '2026-01-01T00:00:30Z',
  '1 Jan 2026 00:00:30 GMT',
  'Th, 01 Jan 2026 00:00:30 GMT',
  '',
])('a response with the invalid header Retry-After "%s" causes no wait', (retryAfter) => {
  expect(parseRetryAfter({ 'retry-after': retryAfter }, now)).toBeUndefined()
})

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
      if (retryClass === 'once' && !isRefusal) expect(decision).toBeUndefined()
      if (attempt > limits.retries) expect(decision).toBeUndefined()
      if (decision === undefined) return
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
