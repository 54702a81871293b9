import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Output } from '../../src/base/io.ts'
import { createCountdown } from '../../src/output/countdown.ts'
import { createPen } from '../../src/output/pen.ts'
import { fakeClock } from '../helpers/clock.ts'

async function countdownOn(terminal: boolean) {
  const stderr: PassThrough & Output = new PassThrough()
  stderr.isTTY = terminal
  const clock = fakeClock()
  const notes: string[] = []
  const pen = await createPen({ stream: stderr, env: {}, color: 'never', now: () => 0 })
  const countdown = createCountdown({ stderr, pen, clock }, (text) => notes.push(text))
  return { countdown, clock, notes, written: () => String(stderr.read() ?? '') }
}

const clearLine = '\r\x1b[2K'
const line = (seconds: number) => `${clearLine}rate limited: trying again in ${seconds} s (Ctrl-C gives up)`

test('seconds count down on one line of a terminal, which is cleared at the end', async () => {
  const { countdown, clock, notes, written } = await countdownOn(true)
  countdown.wait(2_500, 'rate limited')
  await clock.advance(2_500)
  countdown.resume()
  expect(written()).toBe(line(3) + line(2) + line(1) + clearLine)
  expect(notes).toEqual([])
})

test('a countdown that is stopped writes nothing more', async () => {
  const { countdown, clock, written } = await countdownOn(true)
  countdown.wait(60_000, 'rate limited')
  countdown.resume()
  await clock.advance(60_000)
  expect(written()).toBe(line(60) + clearLine)
})

test('off a terminal one line says how long the wait is', async () => {
  const { countdown, notes, written } = await countdownOn(false)
  countdown.wait(2_500, 'rate limited')
  countdown.resume()
  expect(notes).toEqual(['rate limited: trying again in 3 s'])
  expect(written()).toBe('')
})

test('a wait of less than a second is not worth a word', async () => {
  const { countdown, notes, written } = await countdownOn(true)
  countdown.wait(999, 'rate limited')
  countdown.resume()
  expect([notes, written()]).toEqual([[], ''])
})
