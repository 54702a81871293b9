import { expect, test } from 'vitest'
import { importDisturbed } from './disturbed-import.ts'

test.each([
  ['one Ctrl-C', 130, ['SIGINT']],
  ['a Ctrl-C that npm or timeout passes on once more', 130, ['SIGINT', 'SIGINT']],
  ['SIGTERM', 143, ['SIGTERM']],
] as const)('%s drains: what was sent is accepted, nothing is left open', async (_, exit, signals) => {
  const { code, posts, summary } = await importDisturbed({
    nth: 20,
    disturb: (child) => {
      for (const signal of signals) child.kill(signal)
    },
  })
  expect(code).toBe(exit)
  expect(posts).toBeLessThan(200)
  expect(summary).toMatchObject({ status: 'stopped', accepted: posts, unknown: 0, unsent: 200 - posts })
})
