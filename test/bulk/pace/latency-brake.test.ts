import { expect, test } from 'vitest'
import { LatencyBrake } from '../../../src/bulk/pace/latency-brake.ts'

/** Observes `count` replies at the limit. */
function observe(brake: LatencyBrake, count: number, latencyMs: (inFlight: number) => number) {
  for (let n = 0; n < count; n++) brake.observe(latencyMs(brake.limit), brake.limit)
}

test('the limit starts at 4 and rises to the maximum while the latency is constant', () => {
  const brake = new LatencyBrake(32)
  expect(brake.limit).toBe(4)
  observe(brake, 100, () => 50)
  expect(brake.limit).toBe(32)
})

test('the limit stays between 1 and a maximum below its start', () => {
  expect(new LatencyBrake(2).limit).toBe(2)
  const brake = new LatencyBrake(32)
  for (let n = 0; n < 50; n++) brake.overload(n * 1000)
  expect(brake.limit).toBe(1)
})

test('the limit stays near the 8 workers of a service instead of filling its queue', () => {
  const brake = new LatencyBrake(256)
  observe(brake, 2000, (inFlight) => 50 * Math.max(1, inFlight / 8))
  expect(brake.limit).toBeGreaterThanOrEqual(8)
  expect(brake.limit).toBeLessThan(40)
})

test('short latencies of a busy process do not reduce the limit', () => {
  const brake = new LatencyBrake(32)
  observe(brake, 1000, (inFlight) => inFlight / 4)
  expect(brake.limit).toBe(32)
})

test('a limit that is not reached does not rise', () => {
  const brake = new LatencyBrake(32)
  for (let n = 0; n < 100; n++) brake.observe(50, 1)
  expect(brake.limit).toBe(4)
})

test('overload multiplies the limit by 0.7, once per round trip', () => {
  const brake = new LatencyBrake(100)
  observe(brake, 1000, () => 50)
  const before = brake.limit
  brake.overload(10_000)
  brake.overload(10_010)
  expect(brake.limit).toBe(Math.floor(before * 0.7))
  brake.overload(10_050)
  expect(brake.limit).toBe(Math.floor(before * 0.49))
})
