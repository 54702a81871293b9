import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describePost, obedient } from '../bulk/send/fixture.ts'
import { createMachine } from '../helpers/facescan.ts'
import { reply, type Script, serve, wait } from '../helpers/hostile-server.ts'

/** A machine with a file of 20 answers of as many users, and a service that knows their questions. */
async function prepare(script: Script) {
  const machine = createMachine()
  const file = join(machine.home, 'answers.csv')
  const lines = Array.from({ length: 20 }, (_, n) => `user-${n},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  const server = await serve((request) =>
    request.target === '/v2/questions/all' ? reply(200, ['height']) : script(request),
  )
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const importing = () =>
    machine.facescan(['answers', 'import', file, '--max-concurrency', '1', '--confirm', 'development'], {
      env,
    })
  const posts = () => server.requests.filter(({ method }) => method === 'POST').map(describePost)
  return { machine, importing, posts, imports: join(machine.home, 'state', 'imports') }
}

const slowly = obedient((_, save) => {
  save()
  return [wait(20), reply(201, [])]
})

test('who looked at an import before another process brought it to its end does not begin it anew', async () => {
  const { importing, posts, imports } = await prepare(slowly)
  const first = importing()
  while (posts().length < 2) await new Promise((go) => setTimeout(go, 5))
  // Whoever looks at the imports waits here.
  mkdirSync(join(imports, 'slow'))
  execFileSync('mkfifo', [join(imports, 'slow', 'journal.ndjson')])
  const second = importing()
  const slow = await open(join(imports, 'slow', 'journal.ndjson'), 'w')
  expect((await first).exitCode).toBe(0)
  rmSync(join(imports, 'slow'), { recursive: true })
  await slow.close()
  const { exitCode, stderr } = await second
  expect(exitCode).toBe(12)
  expect(stderr).toContain('was imported already')
  expect(posts()).toHaveLength(20)
})

test('a state directory that cannot be written is told before anything is sent', async () => {
  const { machine, importing, posts, imports } = await prepare(slowly)
  mkdirSync(join(machine.home, 'state'))
  writeFileSync(imports, '')
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(13)
  expect(stderr).toMatch(/cannot write .*imports.* \(ENOTDIR\)/)
  expect(posts()).toEqual([])
})
