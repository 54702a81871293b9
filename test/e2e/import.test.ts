import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { confirmed, obedient } from '../bulk/send/fixture.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { serve, wait } from '../helpers/hostile-server.ts'
import { openPty, type Pty } from '../helpers/pty.ts'

async function prepare() {
  const folder = temporaryFolder()
  const file = join(folder, 'answers.csv')
  const lines = Array.from({ length: 300 }, (_, n) => `user-${n},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  const server = await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      save()
      return [wait(30), confirmed(request)]
    }),
  )
  const facescan = (...words: string[]): Pty => {
    const pty = openPty(process.execPath, ['bin/facescan.js', ...words], {
      columns: 120,
      env: {
        HOME: folder,
        NO_COLOR: '1',
        FACESCAN_CONFIG_DIR: folder,
        FACESCAN_STATE_DIR: folder,
        FACESCAN_BASE_URL: server.url,
        FACESCAN_API_KEY: 'k'.repeat(40),
      },
    })
    onTestFinished(() => pty.close())
    return pty
  }
  return { file, facescan, posts: () => server.requests.filter(({ method }) => method === 'POST').length }
}

test('if Ctrl-C stopped an import, the same command resumes it after a prompt', async () => {
  const { file, facescan, posts } = await prepare()
  const words = ['answers', 'import', file, '--max-concurrency', '4', '--confirm', 'development']
  const first = facescan(...words)
  await first.waitFor(/\d+% {2}\d+ answers\/s .*\d+ of 300 answers/)
  first.type('\x03')
  const stopped = await first.waitFor(/Resume with: facescan imports resume [0-9a-f]{8}/)
  expect(await first.ended).toBe(130)
  expect(stopped).toMatch(/\d+ of 300 answers accepted, 0 rejected, 0 unknown, \d+ unsent/)
  expect(stopped).not.toMatch(/answers\/s/)
  expect(posts()).toBeLessThan(300)

  const second = facescan(...words)
  await second.waitFor(/Resume import [0-9a-f]{8} of this file \(\d+ of 300 answers processed\)\?/)
  second.type('\r')
  const finished = await second.waitFor(/Imported 300 answers \(.*\)/)
  expect(await second.ended).toBe(0)
  expect(finished).not.toMatch(/Accepted/)
  expect(posts()).toBe(300)
})

test('"imports resume" does not prompt, and --verbose prints the complete summary', async () => {
  const { file, facescan, posts } = await prepare()
  const first = facescan('answers', 'import', file, '--max-concurrency', '4', '--confirm', 'development')
  await first.waitFor(/\d+ of 300 answers/)
  first.type('\x03')
  const stopped = await first.waitFor(/Resume with: facescan imports resume [0-9a-f]{8}/)
  await first.ended
  const [, id = ''] = /imports resume (\w+)/.exec(stopped) ?? []
  const second = facescan('imports', 'resume', id, '--verbose', '--confirm', 'development')
  const finished = await second.waitFor(/Imported 300 answers/)
  expect(await second.ended).toBe(0)
  expect(finished).toMatch(/Accepted\s+300/)
  expect(finished).not.toContain('Resume import')
  expect(posts()).toBe(300)
})

test('answering no to the prompt to resume an import changes nothing', async () => {
  const { file, facescan, posts } = await prepare()
  const words = ['answers', 'import', file, '--max-concurrency', '4', '--confirm', 'development']
  const first = facescan(...words)
  await first.waitFor(/\d+ of 300 answers/)
  first.type('\x03')
  await first.ended
  const before = posts()
  const second = facescan(...words)
  await second.waitFor(/Resume import/)
  second.type('n\r')
  await second.waitFor(/facescan imports remove/)
  expect(await second.ended).toBe(12)
  expect(posts()).toBe(before)
})
