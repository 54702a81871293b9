import { expect, test } from 'vitest'
import { importDisturbed } from './disturbed-import.ts'

/** A script for facescan that blocks its event loop at the first SIGINT. It blocks until facescan would accept a second SIGINT. */
const busy = `process.on('SIGINT', () => { for (const end = Date.now() + 400; Date.now() < end; ); })`
/** A script that sends the first signal again immediately. On a busy machine, the test itself could send the second signal too late. */
const echo = `process.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))`

test.each([
  ['one Ctrl-C', 130, 'SIGINT', ''],
  ['a Ctrl-C that npm or timeout forwards a second time', 130, 'SIGINT', echo],
  ['one Ctrl-C while the process is busy', 130, 'SIGINT', busy],
  ['SIGTERM', 143, 'SIGTERM', ''],
] as const)(
  'after %s, an import records its active requests and stops without unknown rows',
  async (_, exit, signal, preload) => {
    const { code, posts, summary } = await importDisturbed({
      nth: 20,
      preload,
      replyMs: preload === busy ? 1_500 : 20,
      disturb: (child) => void child.kill(signal),
    })
    expect(code).toBe(exit)
    expect(posts).toBeLessThan(200)
    expect(summary).toMatchObject({ status: 'stopped', accepted: posts, unknown: 0, unsent: 200 - posts })
  },
)
