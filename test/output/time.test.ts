import { expect, test } from 'vitest'
import { formatRelative, formatTime } from '../../src/output/time.ts'
import { now, penFor } from './screen.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [0, 'just now'],
  [59 * second, 'just now'],
  [minute, '1 min ago'],
  [59 * minute + 59 * second, '59 min ago'],
  [hour, '1 h ago'],
  [day, '1 day ago'],
  [30 * day, '30 days ago'],
])('a time %i ms ago is printed as "%s"', (distance, text) => {
  expect(formatRelative(now - distance, now)).toBe(text)
})

test.each([
  [500, 'now'],
  [5 * second, 'in 5 s'],
  [6 * hour - second, 'in 6 h'],
  [5 * hour + 30 * minute, 'in 5 h 30 min'],
  [2 * day, 'in 2 d'],
])('a time that is %i ms in the future is printed as "%s"', (distance, text) => {
  expect(formatRelative(now + distance, now)).toBe(text)
})

test('a time more than 30 days ago is printed as a date', () => {
  expect(formatRelative(Date.UTC(2025, 2, 4, 12), now)).toBe('4 Mar 2025')
})

test('a time is relative only on a terminal, and a text that is not a time is printed unchanged', async () => {
  const terminal = await penFor({ width: 80 })
  const pipe = await penFor({})
  expect(formatTime('2026-03-04T10:00:00.5+00:00', terminal)).toBe('1 h ago')
  expect(formatTime('2026-03-04T10:00:00.5+00:00', pipe)).toBe('2026-03-04T10:00:00.5+00:00')
  expect(formatTime(now, pipe)).toBe('2026-03-04T12:00:00.000Z')
  expect(formatTime('soon', terminal)).toBe('soon')
  expect(formatTime(null, terminal)).toBe('')
})
