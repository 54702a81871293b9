import { expect, test } from 'vitest'
import { GradientLimiter } from '../../../src/bulk/pace/gradient-limiter.ts'

/** Passes the latencies of `count` responses to the limiter. The number of active requests is always the limit. */
function observe(limiter: GradientLimiter, count: number, latencyMs: (inFlight: number) => number) {
  for (let n = 0; n < count; n++) limiter.observe(latencyMs(limiter.limit), limiter.limit)
}

test('the limit on concurrent requests starts at 4 and rises to the maximum while the latency stays constant', () => {
  const limiter = new GradientLimiter(32)
  expect(limiter.limit).toBe(4)
  observe(limiter, 100, () => 50)
  expect(limiter.limit).toBe(32)
})

test('the limit on concurrent requests starts at 4, or at the maximum if that is lower, and does not fall below 1', () => {
  expect(new GradientLimiter(2).limit).toBe(2)
  const limiter = new GradientLimiter(32)
  for (let n = 0; n < 50; n++) limiter.overload(n * 1000)
  expect(limiter.limit).toBe(1)
})

test('the limit on concurrent requests settles between 8 and 40 for a service with 8 workers', () => {
  const limiter = new GradientLimiter(256)
  observe(limiter, 2000, (inFlight) => 50 * Math.max(1, inFlight / 8))
  expect(limiter.limit).toBeGreaterThanOrEqual(8)
  expect(limiter.limit).toBeLessThan(40)
})

test('a few slow responses do not reduce the limit on concurrent requests', () => {
  const limiter = new GradientLimiter(32)
  observe(limiter, 1000, (inFlight) => inFlight / 4)
  expect(limiter.limit).toBe(32)
})

test('the limit on concurrent requests does not rise while fewer requests than the limit are active', () => {
  const limiter = new GradientLimiter(32)
  for (let n = 0; n < 100; n++) limiter.observe(50, 1)
  expect(limiter.limit).toBe(4)
})

test('overload reduces the limit on concurrent requests by 30%, at most once per round trip', () => {
  const limiter = new GradientLimiter(100)
  observe(limiter, 1000, () => 50)
  const before = limiter.limit
  limiter.overload(10_000)
  limiter.overload(10_010)
  expect(limiter.limit).toBe(Math.floor(before * 0.7))
  limiter.overload(10_050)
  expect(limiter.limit).toBe(Math.floor(before * 0.49))
})
