import { expect, test } from 'vitest'
import { importDisturbed } from './disturbed-import.ts'

test.each([
  ['one Ctrl-C', 130, ['SIGINT']],
  ['a Ctrl-C that npm or timeout forwards a second time', 130, ['SIGINT', 'SIGINT']],
  ['SIGTERM', 143, ['SIGTERM']],
] as const)(
  '%s drains: requests that were sent are accepted, and nothing stays open',
  async (_, exit, signals) => {
    const { code, posts, summary } = await importDisturbed({
      nth: 20,
      disturb: (child) => {
        for (const signal of signals) child.kill(signal)
      },
    })
    expect(code).toBe(exit)
    expect(posts).toBeLessThan(200)
    expect(summary).toMatchObject({ status: 'stopped', accepted: posts, unknown: 0, unsent: 200 - posts })
  },
)
