import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { obedient, userOf } from '../bulk/send/fixture.ts'
import { createMachine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { countUses, writeKillScript } from '../helpers/kill-at-use.ts'
import { startProgram } from '../helpers/program.ts'

const oneRejected = obedient((request) =>
  userOf(request) === 'rejected' ? reply(404, { detail: 'user not found' }) : undefined,
)

/** Writes a file with two rows: the service accepts one row and rejects one row. `killAt` kills the program at the end of the import. */
async function prepare() {
  const server = await serve(oneRejected)
  const machine = createMachine()
  const file = join(machine.home, 'answers.csv')
  const words = ['answers', 'import', file, '--timezone', 'UTC', '--confirm', 'development']
  writeFileSync(file, 'external_user_id,lookup_key,value\naccepted,height,1\nrejected,height,2\n')
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  return {
    machine,
    posts: () => server.requests.filter(({ method }) => method === 'POST').length,
    idOf: () => readdirSync(join(machine.home, 'state', 'imports')).find((name) => !name.includes('.')) ?? '',
    importing: (...more: string[]) => machine.facescan([...words, ...more], { env }),
    resume: (id: string) => machine.facescan(['imports', 'resume', id, '--confirm', 'development'], { env }),
    /** Runs the import in another process. Kills the process before operation number `use` on files that match `paths`. */
    async killAt(use: number, paths: RegExp) {
      const kill = { ...writeKillScript(machine.home, paths), KILL_AT: String(use) }
      const options = { folder: machine.home, url: server.url, env: kill, stderr: 'pipe' as const }
      const child = startProgram(words, options)
      let stderr = ''
      child.stderr?.on('data', (data) => {
        stderr += data
      })
      const [, signal] = await once(child, 'close')
      return { signal, stderr }
    },
  }
}

/**
 * Matches the paths of records about result files. An import last uses these records between saving that it ended and printing its result.
 */
const beforeResult = /results\//
/**
 * Matches the name of the file that contains the record of the finished import. The last operation on this file records that the result was
 * printed.
 */
const afterResult = /finished\.json/

async function countOperations(paths: RegExp): Promise<number> {
  const { killAt, machine } = await prepare()
  expect((await killAt(0, paths)).stderr).toContain('1 of 2 answers accepted')
  return countUses(machine.home)
}

/** Runs an import, and kills it after its end was recorded but before its result was printed. */
async function prepareUnreported() {
  const prepared = await prepare()
  const { signal, stderr } = await prepared.killAt(await countOperations(beforeResult), beforeResult)
  expect(signal).toBe('SIGKILL')
  expect(stderr).not.toContain('1 of 2 answers accepted')
  const shown = await prepared.machine.facescan(['imports', 'show', prepared.idOf(), '--json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'finished', accepted: 1 })
  return { ...prepared, sent: prepared.posts() }
}

test('if an import was killed before it printed its result, repeating the command prints the result', async () => {
  const { importing, posts, sent } = await prepareUnreported()
  const second = await importing('--json')
  expect(second.exitCode, second.stderr).toBe(10)
  const states = { status: 'finished', accepted: 1, rejected: 1, sent_now: 0 }
  expect(JSON.parse(second.stdout)).toMatchObject({ ...states, rejects_file: expect.any(String) })
  expect(second.stderr).toContain('1 of 2 answers accepted')
  const third = await importing()
  expect(third.exitCode).toBe(12)
  expect(third.stderr).toMatch(/was already imported on \d{4}-\d\d-\d\d from/)
  expect(posts()).toBe(sent)
})

test.each(['--again', 'imports resume'])(
  'if an import was killed before it printed its result, "%s" prints the result',
  async (way) => {
    const { importing, resume, posts, sent, idOf } = await prepareUnreported()
    const { exitCode, stderr } = await (way === '--again' ? importing(way) : resume(idOf()))
    expect(exitCode, stderr).toBe(10)
    expect(stderr).toContain('nothing was sent')
    expect(posts()).toBe(sent)
  },
)

test('if an import was killed just after it printed its result, repeating the command prints the result again', async () => {
  const { importing, killAt } = await prepare()
  const { signal, stderr } = await killAt(await countOperations(afterResult), afterResult)
  expect(signal).toBe('SIGKILL')
  expect(stderr).toContain('1 of 2 answers accepted')
  expect([(await importing()).exitCode, (await importing()).exitCode]).toEqual([10, 12])
})

test('if the command of a finished import is repeated, it prints the result only with --repeat-result', async () => {
  const { importing, posts } = await prepare()
  const first = await importing('--json', '--repeat-result')
  expect([first.exitCode, JSON.parse(first.stdout).sent_now]).toEqual([10, 2])
  const sent = posts()
  const { exitCode, stderr } = await importing()
  expect(exitCode).toBe(12)
  expect(stderr).toContain('add --repeat-result')
  for (let time = 0; time < 2; time++) {
    const repeated = await importing('--json', '--repeat-result')
    expect([repeated.exitCode, JSON.parse(repeated.stdout).sent_now]).toEqual([10, 0])
  }
  expect((await importing('--again', '--repeat-result')).exitCode).toBe(2)
  expect(posts()).toBe(sent)
})
