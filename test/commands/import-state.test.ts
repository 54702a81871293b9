import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describePost, obedient } from '../bulk/send/fixture.ts'
import { createMachine } from '../helpers/facescan.ts'
import { reply, type Script, serve, wait } from '../helpers/hostile-server.ts'

/** A machine with a file of answers of 20 users, and a service that knows their questions. */
async function prepare(script: Script, answersEach = 1) {
  const machine = createMachine()
  const file = join(machine.home, 'answers.csv')
  const users = Array.from({ length: 20 }, (_, n) => `user-${10 + n}`)
  const lines = users.flatMap((user) =>
    Array.from({ length: answersEach }, (_, n) => `${user},height,${n},UTC`),
  )
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  const server = await serve((request) =>
    request.target === '/v2/questions/all' ? reply(200, ['height']) : script(request),
  )
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const importing = () =>
    machine.facescan(
      [
        'answers',
        'import',
        file,
        '--max-concurrency',
        '1',
        '--batch-size',
        '1000',
        '--confirm',
        'development',
      ],
      {
        env,
      },
    )
  const posts = () => server.requests.filter(({ method }) => method === 'POST').map(describePost)
  return { machine, file, importing, posts, imports: join(machine.home, 'state', 'imports') }
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

test('a file that changes while it is being sent stops the import, which goes on with the old content', async () => {
  const { file, importing, posts } = await prepare(slowly, 1000)
  const old = readFileSync(file)
  const first = importing()
  while (posts().length < 2) await new Promise((go) => setTimeout(go, 5))
  appendFileSync(file, 'user-99,height,1,UTC\n')
  const { exitCode, stderr } = await first
  expect(exitCode).toBe(11)
  expect(stderr).toMatch(/changed while it was read; [\d,]+ of 20,000 rows accepted/)
  expect(stderr).toMatch(
    /put the old content back to go on with one.\nGo on with: facescan imports resume \w+/,
  )
  expect((await importing()).exitCode).toBe(12)
  writeFileSync(file, old)
  expect((await importing()).exitCode).toBe(0)
  expect(new Set(posts()).size).toBe(20)
  expect(posts()).toHaveLength(20)
})
