import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Output } from '../../src/base/io.ts'
import { createTerminal } from '../../src/output/colors.ts'
import { createCountdown, createProgress } from '../../src/output/progress.ts'
import { fakeClock } from '../helpers/clock.ts'

async function countdownOn(isTTY: boolean) {
  const stderr: PassThrough & Output = new PassThrough()
  stderr.isTTY = isTTY
  const clock = fakeClock()
  const notes: string[] = []
  const terminal = await createTerminal({ stream: stderr, env: {}, color: 'never', clock: { now: () => 0 } })
  const note = isTTY ? undefined : (text: string) => void notes.push(text)
  const countdown = createCountdown(createProgress(stderr, terminal), clock, note)
  return { countdown, clock, notes, written: () => String(stderr.read() ?? '') }
}

const clearLine = '\r\x1b[2K'
const line = (seconds: number) => `${clearLine}rate limited: retrying in ${seconds} s (Ctrl-C to stop)`

test('a countdown replaces one line on a terminal and removes it at the end', async () => {
  const { countdown, clock, notes, written } = await countdownOn(true)
  countdown.wait(2_500, 'rate limited')
  await clock.advance(2_500)
  countdown.resume()
  expect(written()).toBe(line(3) + line(2) + line(1) + clearLine)
  expect(notes).toEqual([])
})

test('a countdown writes nothing after the wait is canceled', async () => {
  const { countdown, clock, written } = await countdownOn(true)
  countdown.wait(60_000, 'rate limited')
  countdown.resume()
  await clock.advance(60_000)
  expect(written()).toBe(line(60) + clearLine)
})

test('a countdown with two overlapping waits shows the second wait, and is removed when the second wait ends', async () => {
  const { countdown, clock, written } = await countdownOn(true)
  countdown.wait(60_000, 'timed out')
  written()
  countdown.wait(2_000, 'rate limited')
  await clock.advance(2_000)
  countdown.resume()
  await clock.advance(58_000)
  countdown.resume()
  expect(written()).toBe(line(2) + line(1) + clearLine)
})

test('a countdown without a terminal prints the length of the wait once', async () => {
  const { countdown, notes, written } = await countdownOn(false)
  countdown.wait(2_500, 'rate limited')
  countdown.resume()
  expect(notes).toEqual(['rate limited: retrying in 3 s'])
  expect(written()).toBe('')
})

test('a countdown for a wait of less than a second prints nothing', async () => {
  const { countdown, notes, written } = await countdownOn(true)
  countdown.wait(999, 'rate limited')
  countdown.resume()
  expect([notes, written()]).toEqual([[], ''])
})
