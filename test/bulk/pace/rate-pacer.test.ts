import { expect, test } from 'vitest'
import { RatePacer } from '../../../src/bulk/pace/rate-pacer.ts'

/** Sends as fast as allowed from `from` to `to`, in ms; the service takes `limit` in each window and refuses the rest. */
function drive(
  pacer: RatePacer,
  from: number,
  to: number,
  limit = Number.POSITIVE_INFINITY,
  windowMs = 1000,
) {
  const counts = { taken: 0, refused: 0 }
  let [window, taken] = [from, 0]
  for (let now = from; now < to; ) {
    const delayMs = pacer.delayMs(now)
    if (delayMs > 0) {
      now += delayMs
      continue
    }
    pacer.spend(now)
    while (now - window >= windowMs) [window, taken] = [window + windowMs, 0]
    if (taken < limit) {
      taken++
      counts.taken++
      pacer.accepted(now)
    } else {
      counts.refused++
      pacer.refused(now)
    }
    now += 1
  }
  return counts
}

test('without a cap and without a 429 nothing waits', () => {
  expect(new RatePacer().delayMs(0)).toBe(0)
  expect(drive(new RatePacer(), 0, 1000)).toEqual({ taken: 1000, refused: 0 })
})

test('a cap spaces requests evenly, and what a late timer missed is caught up only a little', () => {
  const pacer = new RatePacer(100)
  pacer.spend(1000)
  expect(pacer.delayMs(980 + 10 - 5)).toBeCloseTo(5)
  const { taken } = drive(new RatePacer(100), 0, 10_000)
  expect(taken).toBeGreaterThanOrEqual(1000)
  expect(taken).toBeLessThanOrEqual(1003)
})

test('a 429 sets four fifths of the measured rate, which is held for 3 s and then grows by 1 % a second', () => {
  const pacer = new RatePacer()
  for (let now = 0; now < 2000; now += 10) pacer.accepted(now)
  pacer.refused(2000)
  expect(pacer.perSecond(2000)).toBeCloseTo(80, 0)
  expect(pacer.perSecond(5000)).toBe(pacer.perSecond(2000))
  expect(pacer.perSecond(6000)).toBeCloseTo(pacer.perSecond(2000) * 1.01)
  expect(pacer.perSecond(15_000)).toBeCloseTo(pacer.perSecond(2000) * 1.01 ** 10)
})

const every = (ms: number, from: number, to: number) =>
  Array.from({ length: (to - from) / ms }, (_, n) => from + n * ms)

test.each([
  ['one reply', [0], 0, 10],
  ['half a second', every(50, 0, 500), 500, 20],
  [
    'a second that was quieter than the one before',
    [...every(10, 0, 1000), ...every(100, 1000, 2000)],
    2000,
    10,
  ],
  ['a second and a half', [...every(10, 0, 1000), ...every(20, 1000, 1500)], 1500, 125 / 1.5],
  ['half a second after a silence', [...every(10, 0, 1000), ...every(100, 3000, 3500)], 3500, 5 / 1.5],
])('the rate of %s is measured over the last two seconds at most', (_, times, at, perSecond) => {
  const start = Date.UTC(2026, 0, 1)
  const pacer = new RatePacer()
  for (const time of times) pacer.accepted(start + time)
  pacer.refused(start + at)
  expect(pacer.perSecond(start + at)).toBeCloseTo(perSecond * 0.8)
})

test('many 429 of one burst count as one', () => {
  const pacer = new RatePacer()
  for (let now = 0; now < 2000; now += 10) pacer.accepted(now)
  for (let n = 0; n < 30; n++) pacer.refused(2000 + n)
  expect(pacer.perSecond(2100)).toBeCloseTo(80, 0)
})

test('Retry-After is a floor', () => {
  const pacer = new RatePacer()
  pacer.refused(0, 7000)
  expect(pacer.delayMs(0)).toBe(7000)
  pacer.refused(100, 1000)
  expect(pacer.delayMs(100)).toBe(6900)
  expect([pacer.heldMs(100), pacer.heldMs(7000), pacer.heldMs(8000)]).toEqual([6900, 0, 0])
})

test('against a limit of 100 a second almost everything is taken and little is refused', () => {
  const { taken, refused } = drive(new RatePacer(), 0, 60_000, 100)
  expect(taken).toBeGreaterThan(5000)
  expect(refused).toBeLessThan(1200)
})

test('a limit over ten seconds is used almost whole, though nothing is taken once it is reached', () => {
  const { taken, refused } = drive(new RatePacer(), 0, 600_000, 1000, 10_000)
  expect(taken).toBeGreaterThan(0.8 * 60_000)
  expect(refused).toBeLessThan(0.1 * taken)
})
