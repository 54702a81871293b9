import { afterEach, expect, test, vi } from 'vitest'
import {
  backoffMs,
  clock,
  dayMs as day,
  formatDuration,
  hourMs as hour,
  isRealDate,
  secondMs as second,
  span,
} from '../../src/base/clock.ts'

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [61 * second, '1 min 1 s'],
  [62 * second - 1, '1 min 1 s'],
  [-1, '0 s'],
  [hour - 1, '59 min 59 s'],
  [hour + 5 * second, '1 h'],
  [hour + 31 * second, '1 h 1 min'],
  [day - second, '1 d'],
  [26 * hour, '1 d 2 h'],
])('the duration of %i ms is printed as "%s"', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [0, '1 s'],
  [0.2, '1 s'],
  [59.5, '1 min'],
  [200, '3 min 20 s'],
  [7500, '2 h 5 min'],
  [100_000, '1 d 3 h'],
])('%d seconds are rounded up and printed as "%s"', (seconds, text) => {
  expect(span(seconds)).toBe(text)
})

test.each([
  [1, 0, 500],
  [1, 0.5, 750],
  [1, 1, 1_000],
  [3, 1, 4_000],
  [4, 1, 5_000],
  [9, 0, 2_500],
])('before retry %i, the random number %d causes a wait of %i ms', (retry, random, ms) => {
  expect(backoffMs(retry, { firstMs: 1_000, longestMs: 5_000, random })).toBe(ms)
})

test.each([
  ['2026-01-01', true],
  ['2026-12-31', true],
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2024-02-29', true],
  ['1900-02-29', false],
  ['2000-02-29', true],
  ['0000-02-29', true],
  ['2026-04-30', true],
  ['2026-04-31', false],
  ['2026-05-32', false],
  ['2026-00-10', false],
  ['2026-13-10', false],
  ['2026-06-00', false],
])('the check whether the date %s exists returns %s', (text, expected) => {
  expect(isRealDate(text)).toBe(expected)
})

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('if the system clock is set %s by an hour, measured durations do not change', (_, byMs) => {
  const before = { now: clock.now(), monotonic: clock.monotonic() }
  vi.useFakeTimers({ toFake: ['Date'], now: before.now + byMs })
  expect(clock.now()).toBe(before.now + byMs)
  expect(Math.abs(before.monotonic - before.now)).toBeLessThan(3_600_000)
  expect(clock.monotonic()).toBeGreaterThanOrEqual(before.monotonic)
  expect(clock.monotonic()).toBeLessThan(before.monotonic + 3_600_000)
})

test('a sleep of several years does not end at once', async () => {
  const woken: string[] = []
  const stop = new AbortController()
  const years = clock.sleep(1e11, stop.signal).then(
    () => woken.push('years'),
    () => woken.push('stopped'),
  )
  await clock.sleep(20)
  stop.abort()
  await years
  expect(woken).toEqual(['stopped'])
})
