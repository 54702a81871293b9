import { expect, test } from 'vitest'
import { samplesNeeded, ZoneClock } from '../../src/bulk/service-clock.ts'

const sampled = (times: readonly number[], from = 100_000, to = 101_000) => {
  const zone = new ZoneClock()
  for (const at of times) {
    zone.reserve(0)
    zone.add([at], from, to)
  }
  return zone
}

test('the clock of the service is used after five measurements, but not after four', () => {
  expect(sampled([100_001, 100_002, 100_003, 100_005]).limits).toBeUndefined()
  expect(sampled([100_001, 100_002, 100_003, 100_005, 100_007]).limits).toEqual({
    behindMs: 2_000,
    aheadMs: 2_000,
  })
})

test('the uncertainty of the measured clock increases with the largest measured time difference', () => {
  const zone = sampled([100_001, 96_001, 100_003, 100_005, 103_007])
  expect(zone.limits).toEqual({ behindMs: 2_000 + 1.5 * 3_999, aheadMs: 2_000 + 1.5 * 2_007 })
})

test('after five clock measurements, the uncertainty from an earlier run is used only if it is larger than the new uncertainty', () => {
  const earlier = { behindMs: 9_000, aheadMs: 1 }
  const zone = sampled([100_001, 96_001, 100_003, 100_005])
  zone.recall(earlier)
  expect(zone.limits).toEqual(earlier)
  zone.reserve(0)
  zone.add([103_007], 100_000, 101_000)
  expect(zone.limits).toEqual({ behindMs: 9_000, aheadMs: 2_000 + 1.5 * 2_007 })
})

test('one minute is added to the uncertainty of the measured clock if the service rounds times to minutes', () => {
  expect(sampled(Array(5).fill(60_000)).limits).toEqual({
    behindMs: 2_000 + 60_000 + 60_000,
    aheadMs: 2_000,
  })
})

test('if the service rounds times up, behindMs and aheadMs include the rounding', () => {
  expect(sampled(Array(5).fill(120_000), 115_000, 116_000).limits).toEqual({
    behindMs: 2_000 + 120_000,
    aheadMs: 2_000 + 1.5 * 4_000 + 120_000,
  })
})

test('the measured clock is used if it differs from the Date header by exactly five minutes', () => {
  expect(sampled(Array(5).fill(400_001 + 1_000)).limits).toBeUndefined()
  expect(sampled(Array(5).fill(400_000 + 1_000)).limits).toMatchObject({ aheadMs: 2_000 + 450_000 + 1_000 })
})

test('the measured clock is not used if it differs from the Date header by more than five minutes', () => {
  const zone = sampled([1, 2, 3, 5, 7].map((ms) => 100_000 - 300_001 - ms))
  zone.recall({ behindMs: 9_000, aheadMs: 1 })
  expect(zone.limits).toBeUndefined()
})

const reserveAll = (zone: ZoneClock, now: number) =>
  Array.from({ length: 9 }, () => zone.reserve(now)).filter(Boolean).length

test('the clock is measured five times, and again five minutes after the last measurement', () => {
  const zone = new ZoneClock()
  expect(reserveAll(zone, 0)).toBe(samplesNeeded)
  zone.add([0], 0, 1_000)
  expect(reserveAll(zone, 1_000)).toBe(0)
  for (let n = 1; n < samplesNeeded; n++) zone.add([n], 0, 1_000)
  expect([reserveAll(zone, 301_000), reserveAll(zone, 301_001)]).toEqual([0, 1])
})

test('another measurement of the clock can start after a failed or canceled measurement', () => {
  const zone = new ZoneClock()
  reserveAll(zone, 0)
  zone.fail()
  expect(reserveAll(zone, 0)).toBe(1)
  zone.cancel()
  expect(reserveAll(zone, 0)).toBe(1)
})

test('the first five measurements of the clock are made without five-minute waits', () => {
  const zone = new ZoneClock()
  zone.reserve(0)
  zone.add([0], 0, 0)
  expect(reserveAll(zone, 0)).toBe(samplesNeeded - 1)
})

test('no further measurement of the clock starts after ten failed or active measurements', () => {
  const zone = new ZoneClock()
  for (let n = 0; n < 7; n++) {
    zone.reserve(0)
    zone.fail()
  }
  expect(reserveAll(zone, 0)).toBe(3)
  for (let n = 0; n < 3; n++) zone.fail()
  expect(reserveAll(zone, 0)).toBe(0)
})

test('the status of a clock is "being measured" only until its fifth measurement', () => {
  const zone = new ZoneClock()
  expect(zone.isBeingMeasured).toBe(false)
  zone.reserve(0)
  expect(zone.isBeingMeasured).toBe(true)
  zone.cancel()
  expect(zone.isBeingMeasured).toBe(false)
  reserveAll(zone, 0)
  for (let n = 0; n < samplesNeeded; n++) zone.add([n], 0, 0)
  zone.reserve(300_001)
  expect(zone.isBeingMeasured).toBe(false)
  const resumed = new ZoneClock()
  resumed.recall({ behindMs: 9_000, aheadMs: 1 })
  resumed.reserve(0)
  expect(resumed.isBeingMeasured).toBe(false)
})

test('after a measured difference of more than five minutes, no request waits for further measurements', () => {
  const zone = sampled([100_000 - 300_001])
  zone.reserve(0)
  expect([zone.limits, zone.isBeingMeasured]).toEqual([undefined, false])
  zone.recall({ behindMs: 9_000, aheadMs: 1 })
  expect([zone.limits, zone.isBeingMeasured]).toEqual([undefined, false])
})
