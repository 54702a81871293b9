import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Faults, withFaults } from '../../../src/sandbox/faults.ts'
import { openStore } from '../../../src/sandbox/index.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { realClock } from '../../helpers/clock.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { startProgram } from '../../helpers/program.ts'
import { runsAll } from '../../helpers/sample.ts'
import { seededRandom } from '../../helpers/seeded.ts'

const kills = Number(process.env['KILLS'] ?? (runsAll ? 5 : 2))
const seed = Number(process.env['SEED'] ?? 7)
const timeout = 180_000 + kills * 10_000
const calm: Faults = { latencyMs: 5, fail: [], reset: 0, lateApply: 0, lateMs: 0, seed }
const hostile: Faults = {
  latencyMs: 5,
  fail: [503, 502, 429].map((status) => ({ status, probability: 0.02 })),
  reset: 0.02,
  lateApply: 0.03,
  lateMs: 400,
  seed,
}
const killsPerRound = 6

/**
 * In this process, starts a sandbox that simulates failures. The built program runs as a child process, and is killed at random moments.
 */
async function startRehearsal(faults: Faults) {
  const folder = temporaryFolder()
  const random = seededRandom(seed)
  let onRequest: (() => void) | undefined
  const database = join(folder, 'sandbox.db')
  const sandbox = await startSandbox({
    strict: true,
    database,
    faults: (handle) => {
      const faulty = withFaults(handle, faults, realClock)
      return (request, connection) => {
        onRequest?.()
        return faulty(request, connection)
      }
    },
  })
  const store = await openStore(database)
  onTestFinished(async () => {
    store.close()
    await sandbox.close()
  })

  const start = (words: readonly string[]) =>
    startProgram([...words, '--rate', '400/s', '--timeout', '2s', '--retries', '9'], {
      folder,
      url: sandbox.url,
      key: sandbox.keys.development.key,
      stderr: 'pipe',
    })

  /** Sends a signal after a random number of requests: usually SIGKILL, sometimes SIGINT. */
  const interrupt = (child: ChildProcess) => {
    const signal = random() < 0.2 ? 'SIGINT' : 'SIGKILL'
    let left = 1 + Math.floor(random() * 200)
    const delayMs = random() * 30
    onRequest = () => {
      if (--left === 0) setTimeout(() => child.kill(signal), delayMs)
    }
  }
  return {
    folder,
    store,
    /** Repeats a command until it is not interrupted. Returns the exit code and the number of interruptions. */
    async run(words: readonly string[], maxKills: number) {
      for (let count = 0; ; count++) {
        const child = start(words)
        let stderr = ''
        child.stderr?.on('data', (chunk) => {
          stderr += chunk
        })
        onRequest = undefined
        if (count < maxKills) interrupt(child)
        const [code] = (await once(child, 'close')) as [number | null]
        if (code === 130) expect(stderr).toContain(`facescan ${words[0]}`)
        if (code !== null && code !== 130) return { code, count, stderr }
      }
    },
    write(name: string, header: string, rows: readonly string[]): string {
      const path = join(folder, name)
      writeFileSync(path, `${header}\n${rows.join('\n')}\n`)
      return path
    },
  }
}

/** Calls `round` until the program was interrupted `kills` times in total. Each call gets a new name for its files. */
async function untilKilled(round: (name: string, maxKills: number) => Promise<number>): Promise<void> {
  let count = 0
  for (let number = 1; count < kills; number++) {
    count += await round(`r${number}`, Math.min(killsPerRound, kills - count))
    expect(count).toBeGreaterThanOrEqual(number)
  }
}

test(`after ${kills} interruptions, a command for a list of users has written the same files as without interruptions`, {
  timeout,
}, async () => {
  const { run, write, folder } = await startRehearsal(calm)
  const ids = Array.from({ length: 300 }, (_, index) => `user-${index}`)
  const known = ids.filter((_, index) => index % 20 !== 7)
  const created = await run(['users', 'import', write('known.csv', 'external_user_id', known)], 0)
  expect(created.code, created.stderr).toBe(0)
  const list = write(
    'list.csv',
    'external_user_id,team',
    ids.map((id) => `${id},red`),
  )
  const wordsFor = (name: string) => {
    const files = ['--out', join(folder, `${name}.json`), '--errors', join(folder, `${name}-errors.csv`)]
    return ['users', 'get', '--users', list, '--keep', 'team', ...files]
  }
  const filesOf = (name: string) =>
    ['.json', '-errors.csv'].map((ending) => readFileSync(join(folder, name + ending), 'utf8'))
  expect((await run(wordsFor('whole'), 0)).code).toBe(10)
  await untilKilled(async (name, maxKills) => {
    const { code, count, stderr } = await run(wordsFor(name), maxKills)
    expect(code, stderr).toBe(10)
    expect(filesOf(name)).toEqual(filesOf('whole'))
    expect(existsSync(join(folder, `${name}.json.partial`))).toBe(false)
    return count
  })
})

test(`if the service fails and the program is interrupted ${kills} times, each user in a list is created once and deleted once`, {
  timeout: 2 * timeout,
}, async () => {
  const { run, write, store, folder } = await startRehearsal(hostile)
  const countUsers = () => store.get<{ total: number }>('select count(*) as total from user')?.total
  const rowsOf = (path: string) => readFileSync(path, 'utf8').trim().split('\r\n').slice(1)
  await untilKilled(async (name, maxKills) => {
    const ids = Array.from({ length: 150 }, (_, index) => `${name}-${index}`)
    const list = write(
      `${name}.csv`,
      'external_user_id,sex',
      ids.map((id) => `${id},F`),
    )
    const out = join(folder, `${name}-users.csv`)
    const created = await run(['users', 'import', list, '--existing', 'fail', '--out', out], maxKills)
    expect(created.code, created.stderr).toBe(0)
    const users = rowsOf(out)
    expect(users.map((row) => row.replace(/,.*,/, ' ').replace('unknown', 'created'))).toEqual(
      ids.map((id) => `${id} created`),
    )
    expect(countUsers()).toBe(ids.length)
    const words = ['users', 'delete', '--users', list, '--confirm', String(ids.length)]
    const deleted = await run([...words, '--out', join(folder, `${name}-deleted.csv`)], maxKills)
    expect(deleted.code, deleted.stderr).toBe(0)
    expect(rowsOf(join(folder, `${name}-deleted.csv`))).toEqual(
      users.map((row) => row.replace(/,(created|unknown)$/, ',true')),
    )
    expect(countUsers()).toBe(0)
    return created.count + deleted.count
  })
})
