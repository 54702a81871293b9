import { expect, test } from 'vitest'
import { roundTicks, timeAxis } from '../../../src/output/draw/line-chart.ts'
import fc from '../../helpers/fast-check.ts'
import { fuzzRuns, fuzzTimeoutMs } from '../fuzz-runs.ts'

const day = 86_400_000
const noon = Date.UTC(2026, 1, 5, 12)

test.each([
  [59, 75, 3, [50, 60, 70, 80]],
  [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [-3, 4, 2, [-5, 0, 5]],
  [80, 80, 1, [70, 80, 90]],
])('the axis for values from %d to %d with about %d steps has the ticks %j', (low, high, count, ticks) => {
  expect(roundTicks(low, high, count)).toEqual(ticks)
})

test(
  'the ticks of an axis are sorted, enclose all values, and are at most three more than requested',
  () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(value, value, fc.integer({ min: 1, max: 20 }), (a, b, count) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const ticks = roundTicks(low, high, count)
        const slack = Math.max(Math.abs(low), Math.abs(high), 1) * 1e-9
        expect(ticks.length).toBeGreaterThan(1)
        expect(ticks.length).toBeLessThanOrEqual(count + 3)
        expect(ticks[0]).toBeLessThanOrEqual(low + slack)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - slack)
        expect(ticks).toEqual(ticks.toSorted((x, y) => x - y))
        expect(new Set(ticks).size).toBe(ticks.length)
      }),
      { numRuns: fuzzRuns },
    )
  },
  fuzzTimeoutMs,
)

test.each([
  ['a day', day, /^5 Feb 12:00.*6 Feb 12:00$/],
  ['a month', 30 * day, /^5 Feb .*7 Mar$/],
  ['years', 800 * day, /^Feb 2026 .*Apr 2028$/],
])('a time axis for %s has a date at each end', (_, span, labels) => {
  const axis = timeAxis(noon, noon + span, 60)
  expect(axis.line).toMatch(/^┬─+┬.*┬$/)
  expect(axis.line.length).toBe(60)
  expect(axis.labels).toMatch(labels)
  expect(axis.labels.length).toBe(60)
})

test('a time axis for a single point in time has one date in the middle', () => {
  expect(timeAxis(noon, noon, 31).labels).toBe('          5 Feb 2026')
})
