import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folder.ts'
import { countUses, writeKillScript } from '../../helpers/kill-at-use.ts'
import { startProgram } from '../../helpers/program.ts'
import { sample } from '../../helpers/sample.ts'
import { type Service, startService } from '../../helpers/service.ts'

const listPaths = /(out|users)\.(csv|json)|\.partial$|journal|errors/
let service: Service

interface Ended {
  code: number | null
  signal: string | null
  stderr: string
}

beforeAll(async () => {
  service = await startService()
  return () => service.close()
})

/** Creates a directory with a list and a state directory. `run` runs the built program there and kills it at a file operation. */
function prepare(ids: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'staff.csv'), `external_user_id\n${ids.join('\n')}\n`)
  const preload = writeKillScript(folder, listPaths)
  const run = async (line: string, killAt: string | number | undefined): Promise<Ended> => {
    const words = line.replaceAll('DIR', folder).split(' ')
    const confirm = line.includes('--confirm') ? [] : ['--confirm=development']
    const child = startProgram([...words, ...confirm, '--timeout', '5s'], {
      folder,
      url: service.url,
      key: service.keys.development.key,
      stderr: 'pipe',
      env: {
        ...env,
        ...(killAt !== 'never' && preload),
        ...(killAt !== undefined && { KILL_AT: String(killAt) }),
      },
    })
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const [code, signal] = await once(child, 'close')
    return { code, signal, stderr }
  }
  return { folder, run }
}

/**
 * Checks that a run was killed. On a busy machine, the program can combine writes, so a run can end before it reaches operation number
 * `killAt`.
 */
function expectKilled(ended: Ended, killAt: number | 'exit', folder: string): void {
  if (ended.signal === null && killAt !== 'exit') expect(countUses(folder)).toBeLessThan(killAt)
  else expect(ended.signal, `at ${killAt}: ${ended.stderr}`).toBe('SIGKILL')
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => listPaths.test(name))
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

const momentsOf = (uses: number) =>
  sample(
    Array.from({ length: uses }, (_, index) => index + 1),
    4,
  )

/** The latest entry of the audit log. */
function lastEntry(folder: string): unknown {
  const state = join(folder, 'state')
  const log = readdirSync(state, { recursive: true }).find((path) => String(path).includes('history-'))
  return JSON.parse(
    readFileSync(join(state, String(log)), 'utf8')
      .trim()
      .split('\n')
      .at(-1) ?? '',
  )
}

test('a killed command for a list of users writes complete files when it runs again', async () => {
  const ids = ['k1', 'k2', 'missing', 'k3']
  const setUp = prepare(ids.filter((id) => id !== 'missing'))
  expect((await setUp.run('users import DIR/staff.csv', 'never')).code).toBe(0)
  const line = 'users get --users DIR/staff.csv --out DIR/out.json'
  const complete = prepare(ids)
  const ended = await complete.run(line, undefined)
  expect(ended.code, ended.stderr).toBe(10)
  const expected = filesIn(complete.folder)
  expect(Object.keys(expected)).toEqual(['out.errors.csv', 'out.json'])
  const killAndRunAgain = async (killAt: number | 'exit') => {
    const { folder, run } = prepare(ids)
    const killed = await run(line, killAt)
    expectKilled(killed, killAt, folder)
    const again = await run(line, 'never')
    expect(again.code, `killed at ${killAt}: ${again.stderr}`).toBe(10)
    expect(again.stderr).toContain('1 of 4 users failed; 3 done; results in')
    expect(filesIn(folder), `killed at ${killAt}`).toEqual(expected)
  }
  await killAndRunAgain('exit')
  const uses = countUses(complete.folder)
  const moments = momentsOf(uses)
  while (moments.length > 0) await Promise.all(moments.splice(0, 2).map(killAndRunAgain))
})

test('if the first run of "users import" was killed, the repeated command reports each user once', async () => {
  const run = async (name: string, killAt: number | undefined) => {
    const { folder, run } = prepare([`${name}-existing`, `${name}-new`])
    writeFileSync(join(folder, 'one.csv'), `external_user_id\n${name}-existing\n`)
    expect((await run('users import DIR/one.csv --out DIR/first', 'never')).code).toBe(0)
    const ended = await run('users import DIR/staff.csv', killAt)
    if (killAt === undefined) expect(ended.code, ended.stderr).toBe(0)
    else {
      expectKilled(ended, killAt, folder)
      expect((await run('users import DIR/staff.csv', 'never')).code).toBe(0)
    }
    const [[file, text = ''] = [], ...others] = Object.entries(filesIn(folder))
    expect([file, others], `killed at ${killAt}`).toEqual(['staff.users.csv', []])
    const rows = text.trim().split('\r\n').slice(1)
    const statuses = rows.map((row) => row.split(',')).map(([id, , status]) => [id, status])
    const isUnchanged = statuses.some(([, status]) => status === 'existing')
    const total = { outcome: 'done', detail: `${isUnchanged ? '1 done, 1 unchanged' : '2 done'}, 0 failed` }
    expect(lastEntry(folder), `killed at ${killAt}`).toMatchObject(total)
    expect(statuses, `killed at ${killAt}`).toEqual([
      [`${name}-existing`, expect.toBeOneOf(['existing', 'unknown'])],
      [`${name}-new`, expect.toBeOneOf(['created', 'unknown'])],
    ])
    return killAt === undefined ? countUses(folder) : 0
  }
  const uses = await run('import', undefined)
  const moments = momentsOf(uses)
  while (moments.length > 0)
    await Promise.all(moments.splice(0, 2).map((killAt) => run(`import-${killAt}`, killAt)))
})

test('if "users delete" was killed between two rows of one user, the repeated command writes a result for each row', async () => {
  const run = async (name: string, killAt: number | undefined) => {
    const ids = [`${name}-a`, `${name}-b`]
    const { folder, run } = prepare(ids, { CLOCK_JUMPS: 'yes' })
    expect((await run('users import DIR/staff.csv --out DIR/first', 'never')).code).toBe(0)
    const rows = [ids[0], ids[1], ids[0], ids[0]]
    writeFileSync(join(folder, 'leavers.csv'), `external_user_id\n${rows.join('\n')}\n`)
    const line = 'users delete --users DIR/leavers.csv --confirm=2 --out DIR/out.csv --max-concurrency 1'
    const ended = await run(line, killAt)
    if (killAt !== undefined) {
      expectKilled(ended, killAt, folder)
      const again = await run(line, 'never')
      expect(again.code, `killed at ${killAt}: ${again.stderr}`).toBe(0)
    } else expect(ended.code, ended.stderr).toBe(0)
    const written = readFileSync(join(folder, 'out.csv'), 'utf8').trim().split('\r\n').slice(1)
    const shown = written.map((row) => row.replace(/,.*,/, ' '))
    expect(shown, `killed at ${killAt}`).toEqual(rows.map((id) => `${id} true`))
    return killAt === undefined ? countUses(folder) : 0
  }
  const moments = momentsOf(await run('delete', undefined))
  while (moments.length > 0)
    await Promise.all(moments.splice(0, 2).map((killAt) => run(`delete-${killAt}`, killAt)))
})
