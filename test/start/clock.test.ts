import { afterEach, expect, test, vi } from 'vitest'
import { clock } from '../../src/start/clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('setting the system clock %s changes the time of day, but no duration', (_, byMs) => {
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
