import { expect, test } from 'vitest'
import { Latencies } from '../../../src/bulk/send/batch-sender.ts'

const latenciesOf = (all: readonly number[]) => {
  const latencies = new Latencies()
  for (const ms of all) latencies.add(ms)
  return latencies
}
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test.each([
  ['none', [], 0],
  ['one', [5], 5],
  ['a hundred', upTo(100).toReversed(), 99],
  ['a thousand', upTo(1_000), 990],
])('the 99th percentile is calculated for this number of latencies: %s', (_, all, p99) => {
  expect(latenciesOf(all).p99()).toBe(p99)
})

test('the 99th percentile is calculated from the last thousand latencies', () => {
  const slow = Array.from({ length: 500 }, () => 60_000)
  expect(latenciesOf([...slow, ...upTo(989)]).p99()).toBe(60_000)
  expect(latenciesOf([...slow, ...upTo(1_000)]).p99()).toBe(990)
})
