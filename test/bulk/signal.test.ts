import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { reply, serve, wait } from '../helpers/hostile-server.ts'
import { obedient } from './send/fixture.ts'

/** Runs the built program and sends it signals once `nth` answers were saved. */
async function interrupt(nth: number, signals: readonly NodeJS.Signals[]) {
  const folder = temporaryFolder()
  const file = join(folder, 'answers.csv')
  const lines = Array.from({ length: 200 }, (_, n) => `user-${n},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  let posts = 0
  const server = await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      if (++posts === nth) for (const signal of signals) child.kill(signal)
      save()
      return [wait(20), reply(201, [])]
    }),
  )
  const words = ['answers', 'import', file, '--confirm', 'development']
  const child = spawn(process.execPath, [resolve('bin/facescan.js'), ...words], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      FACESCAN_STATE_DIR: folder,
      FACESCAN_CONFIG_DIR: folder,
      FACESCAN_BASE_URL: server.url,
      FACESCAN_API_KEY: 'k'.repeat(40),
    },
  })
  const [code] = await once(child, 'exit')
  return { code, posts, summary: JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) }
}

test.each([
  ['one Ctrl-C', 130, ['SIGINT']],
  ['a Ctrl-C that npm or timeout passes on once more', 130, ['SIGINT', 'SIGINT']],
  ['SIGTERM', 143, ['SIGTERM']],
] as const)('%s drains: what was sent is accepted, nothing is left open', async (_, exit, signals) => {
  const { code, posts, summary } = await interrupt(20, signals)
  expect(code).toBe(exit)
  expect(posts).toBeLessThan(200)
  expect(summary).toMatchObject({ status: 'stopped', accepted: posts, unknown: 0, unsent: 200 - posts })
})
