import { expect, test } from 'vitest'
import { Breaker } from '../../../src/bulk/pace/breaker.ts'
import { RetryBudget } from '../../../src/bulk/pace/pace.ts'

function failing(times: number, breaker = new Breaker(), from = 1_000): Breaker {
  for (let n = 0; n < times; n++) breaker.failed(from + n)
  return breaker
}

test('requests are paused after 20 consecutive failures', () => {
  const breaker = failing(19)
  expect(breaker.state).toBe('closed')
  expect(breaker.openForMs(5_000)).toBe(0)
  expect(breaker.failed(2_000)).toBe(true)
  expect(breaker.state).toBe('open')
  expect(breaker.failed(3_000)).toBe(false)
  expect(breaker.openForMs(5_000)).toBe(3_000)
})

test('each failed test request doubles the pause, up to 30 s minus a random part', () => {
  const breaker = failing(20)
  expect([0, 1, 2, 5, 9].map((probe) => breaker.waitMs(probe, 1))).toEqual([
    1_000, 2_000, 4_000, 30_000, 30_000,
  ])
  expect(breaker.waitMs(1, 0)).toBe(1_000)
  breaker.probed()
  expect(breaker.state).toBe('trying')
  expect(breaker.failed(9_000)).toBe(true)
  expect(breaker.waitMs(0, 1)).toBe(2_000)
})

test('paused requests continue when a test request succeeds', () => {
  const breaker = failing(20, new Breaker(), 1_000)
  breaker.probed()
  expect(breaker.openForMs(2_019)).toBe(1_000)
  breaker.failed(9_000)
  expect(breaker.openForMs(10_019)).toBe(9_000)
  breaker.succeeded()
  expect([breaker.state, breaker.openForMs(20_000)]).toEqual(['closed', 0])
  expect(failing(19, breaker).state).toBe('closed')
  failing(1, breaker, 50_000)
  expect(breaker.openForMs(50_500)).toBe(500)
  expect(breaker.waitMs(0, 1)).toBe(1_000)
})

test('retries are forbidden after 50 failures, and allowed again after eleven successes', () => {
  const budget = new RetryBudget()
  for (let n = 0; n < 49; n++) budget.failed()
  expect(budget.isHealthy).toBe(true)
  budget.failed()
  expect(budget.isHealthy).toBe(false)
  for (let n = 0; n < 11; n++) budget.succeeded()
  expect(budget.isHealthy).toBe(true)
})

test('50 failures forbid retries even after 1000 successes, and 510 successes allow retries even after 1000 failures', () => {
  const rich = new RetryBudget()
  for (let n = 0; n < 1_000; n++) rich.succeeded()
  for (let n = 0; n < 50; n++) rich.failed()
  expect(rich.isHealthy).toBe(false)
  const poor = new RetryBudget()
  for (let n = 0; n < 1_000; n++) poor.failed()
  for (let n = 0; n < 510; n++) poor.succeeded()
  expect(poor.isHealthy).toBe(true)
})
