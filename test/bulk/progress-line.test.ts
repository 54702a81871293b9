import { expect, test } from 'vitest'
import { ProgressLine } from '../../src/bulk/progress-line.ts'

const totals = { accepted: 0, rejected: 0, unknown: 0, open: 0 }
const start = { rows: 10_000, totals, inFlight: 0, retried: 0, waiting: 0, isAway: false, heldMs: 0, at: 0 }

test('the line tells rows, rate, what is in flight, what came of the rows, and the time left', () => {
  const line = new ProgressLine()
  line.write(start)
  const later = { ...totals, accepted: 1990, rejected: 10, open: 32 }
  expect(line.write({ ...start, totals: later, inFlight: 8, retried: 3, at: 2000 })).toBe(
    '2,000 of 10,000 rows · 1,000 rows/s · 8 in flight · 1,990 accepted · 10 rejected · 3 retried · 8 s left',
  )
})

test('unknown rows and users that settle show only where there are any', () => {
  const text = new ProgressLine().write({ ...start, totals: { ...totals, unknown: 2 }, waiting: 1 })
  expect(text).toContain('2 unknown · 1 user settling')
})

test('why nothing goes out is told: the service is away, or asks for a pause that is worth a word', () => {
  const line = new ProgressLine()
  expect(line.write({ ...start, isAway: true })).toContain('0 retried · service away')
  expect(line.write({ ...start, heldMs: 3_540_000 })).toContain('0 retried · service asks to wait 59 min')
  expect(line.write({ ...start, heldMs: 1_999 })).not.toContain('wait')
})

test('the rate is that of the last ten seconds', () => {
  const line = new ProgressLine()
  for (let second = 0; second <= 60; second++) {
    const accepted = second <= 30 ? second * 100 : 3000
    const text = line.write({ ...start, totals: { ...totals, accepted }, at: second * 1000 })
    if (second === 30) expect(text).toContain('· 100 rows/s ·')
    if (second === 60) expect(text).toContain('· 0 rows/s ·')
  }
})
