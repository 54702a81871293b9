import { expect, test } from 'vitest'
import { createProgress, describeProgress } from '../../src/output/progress.ts'
import { Collector, penFor } from './screen.ts'
import { showOn } from './terminal.ts'

const report = {
  done: 6_200,
  total: 10_000,
  unit: 'rows',
  rate: 1_000,
  problems: [],
  details: ['10 rejected', '8 in flight'],
}

async function draw(shown: typeof report, width: number): Promise<string> {
  const stderr = new Collector()
  createProgress(stderr, await penFor({ width })).show(shown)
  const screen = await showOn(stderr.text, width)
  expect(screen.wrapped).toBe(false)
  return screen.lines.join('\n')
}

test('a progress text replaces the previous text, fits the terminal, and is removed at the end', async () => {
  const stderr = new Collector()
  const progress = createProgress(stderr, await penFor({ width: 30 }))
  progress.show('row 1 of 100')
  progress.show('row 2 of 100, about 3 minutes to go, and more than fits')
  const during = await showOn(stderr.text, 30)
  expect(during.lines).toEqual(['row 2 of 100, about 3…'])
  expect(during.wrapped).toBe(false)
  progress.clear()
  expect((await showOn(`${stderr.text}done`, 30)).lines).toEqual(['done'])
})

test('a progress line shows its bar, percentage, rate, remaining time, and counts if they fit', async () => {
  const bar = '━━━━━━━━━━━━╸───────  62%'
  const pace = `${bar}  1,000 rows/s  4 s left`
  expect(await draw(report, 120)).toBe(`${pace}  6,200 of 10,000 rows  10 rejected  8 in flight`)
  expect(await draw(report, 80)).toBe(`${pace}  6,200 of 10,000 rows`)
  expect(await draw(report, 60)).toBe(pace)
  expect(await draw(report, 45)).toBe(`${bar}  1,000 rows/s`)
  expect(await draw(report, 30)).toBe(bar)
  // The last column of the terminal stays empty, so the terminal needs one more column than the text.
  expect(await draw(report, pace.length + 1)).toBe(pace)
  expect(await draw(report, pace.length)).toBe(`${bar}  1,000 rows/s`)
})

test('a description of a problem replaces the rate and the remaining time in the progress line', async () => {
  const stopped = {
    ...report,
    rate: 0,
    problems: ['the service is not responding'],
  } as unknown as typeof report
  expect(await draw(stopped, 80)).toMatch(/ 62% {2}the service is not responding {2}6,200 of 10,000 rows$/)
})

test('a progress line shows 100% only when all work is done', async () => {
  expect(await draw({ ...report, done: 9_999 }, 40)).toContain(' 99%')
  expect(await draw({ ...report, done: 10_000 }, 80)).toContain('100%  1,000 rows/s  10,000 of')
})

test('describeProgress returns rows, rate, time left, and rejected rows in one line', () => {
  expect(describeProgress(report)).toBe(
    '6,200 of 10,000 rows (62%), 1,000 rows/s, 4 s left, 10 rejected, 8 in flight',
  )
})

test('a progress text that did not change is not written again', async () => {
  const stderr = new Collector()
  const progress = createProgress(stderr, await penFor({ width: 30 }))
  progress.show('waiting')
  const { length } = stderr.text
  progress.show('waiting')
  expect(stderr.text).toHaveLength(length)
})

test('while a progress report is shown, a message about a retry does not replace the report', async () => {
  const stderr = new Collector()
  const progress = createProgress(stderr, await penFor({ width: 80 }))
  progress.show('retrying in 7 s')
  progress.show(report)
  const { length } = stderr.text
  progress.show('retrying in 7 s')
  progress.clear('retrying in 7 s')
  expect(stderr.text).toHaveLength(length)
  progress.clear()
  progress.show('retrying in 7 s')
  expect((await showOn(stderr.text, 80)).lines).toEqual(['retrying in 7 s'])
  progress.clear('retrying in 7 s')
  expect((await showOn(`${stderr.text}done`, 80)).lines).toEqual(['done'])
})

test('the remaining time in a progress line is at least the time for which all requests must wait', () => {
  expect(describeProgress({ ...report, leastLeftMs: 40_000 })).toContain(', 40 s left,')
})
