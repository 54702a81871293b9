import { expect, test } from 'vitest'
import { ProgressLine } from '../../src/bulk/progress-line.ts'

const pace = { inFlight: 0, isAway: false, heldMs: 0 }
const start = { unit: 'rows', done: 0, total: 10_000, counts: {}, pace }

test('the progress line contains the finished rows, the rate, and the counts that are not zero', () => {
  const line = new ProgressLine(0, 0)
  const counts = { rejected: 10, unknown: 0, retried: 3 }
  expect(line.report({ ...start, done: 2000, counts, pace: { ...pace, inFlight: 8 } }, 2000)).toEqual({
    done: 2000,
    total: 10_000,
    unit: 'rows',
    rate: 1000,
    leastLeftMs: 0,
    problems: [],
    details: ['10 rejected', '3 retried', '8 requests in flight'],
  })
  const { details } = line.report({ ...start, counts: { unknown: 2 }, waiting: 1 }, 3000)
  expect(details).toEqual(['2 unknown', '1 user waiting', '0 requests in flight'])
})

test('the progress line shows why requests are delayed and for how long', () => {
  const waits = { checking: { count: 78, leftMs: 39_100 }, limited: { count: 1, leftMs: 0 } }
  const { details, leastLeftMs } = new ProgressLine(0, 0).report({ ...start, waiting: 80, waits }, 0)
  expect(leastLeftMs).toBe(39_100)
  expect(details).toEqual([
    'checking 78 requests with an unknown outcome, about 40 s',
    '1 request rate-limited, up to 1 s',
    '1 user waiting',
    '0 requests in flight',
  ])
})

test('the progress line shows why no requests are sent', () => {
  const line = new ProgressLine(0, 0)
  expect(line.report({ ...start, pace: { ...pace, isAway: true } }, 0).problems).toEqual([
    'the service is not responding',
  ])
  expect(line.report({ ...start, pace: { ...pace, heldMs: 3_540_000 } }, 0).problems).toEqual([
    'rate-limited for 59 min',
  ])
  expect(line.report({ ...start, pace: { ...pace, heldMs: 1_999 } }, 0).problems).toEqual([])
})

test('the rate in the progress line is an average over the last ten seconds', () => {
  const line = new ProgressLine(0, 0)
  for (let second = 0; second <= 60; second++) {
    const done = second <= 30 ? second * 100 : 3000
    const { rate } = line.report({ ...start, done }, second * 1000)
    if (second === 30) expect(rate).toBe(100)
    if (second === 60) expect(rate).toBe(0)
  }
})
