import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importDisturbed } from './disturbed-import.ts'

/** A script that changes the clock of the program only, because a test must not set the clock of the machine. */
const settableClock = (byMs: number) => `
  const { existsSync } = require('node:fs')
  const { join } = require('node:path')
  const { now } = Date
  Date.now = () => now() + (existsSync(join(__dirname, 'clock-set')) ? ${byMs} : 0)`

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('an import accepts all rows if the clock of the machine is set %s by an hour', async (_, byMs) => {
  const { code, posts, summary } = await importDisturbed({
    nth: 20,
    disturb: (_child, folder) => writeFileSync(join(folder, 'clock-set'), ''),
    preload: settableClock(byMs),
  })
  expect(code).toBe(0)
  expect(posts).toBe(200)
  expect(summary).toMatchObject({ status: 'finished', accepted: 200 })
  expect(summary.seconds).toBeGreaterThan(0)
  expect(summary.seconds).toBeLessThan(3_600)
})
