import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Paths, resolvePaths } from '../../src/base/system/paths.ts'
import {
  appendHistory,
  type HistoryEntry,
  hashLine,
  openHistory,
  origin,
} from '../../src/profiles/history.ts'
import { readHistory, verifyHistory } from '../../src/profiles/history-check.ts'

let state: string
let paths: Paths
let log: string

beforeEach(async () => {
  state = join(await mkdtemp(join(tmpdir(), 'facescan-history-')), 'state')
  paths = resolvePaths({ FACESCAN_STATE_DIR: state })
  log = join(state, 'history.ndjson')
})

function entry(command = 'users delete'): HistoryEntry {
  return {
    time: '2026-01-01T00:00:00Z',
    profile: 'ACME',
    fingerprint: '0123456789ab',
    command,
    method: 'DELETE',
    path: '/v2/users/',
    status: 204,
    request_id: null,
    reason: null,
  }
}

async function changeLines(change: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  await writeFile(log, `${change(lines).join('\n')}\n`)
}

/** Alters the second line and gives it the hash that fits. */
function forge(line: string, at: number): string {
  if (at !== 1) return line
  const forged = { ...JSON.parse(line), command: 'users show' }
  return JSON.stringify({ ...forged, hash: hashLine(forged) })
}

describe('the audit log', () => {
  it('holds one line for each change, for its owner alone, and its chain is whole', async () => {
    await appendHistory(paths, [entry('users create'), entry('users update')])
    await appendHistory(paths, [entry('users delete')])
    const commands = []
    for await (const line of readHistory(paths)) commands.push(line.entry?.command)
    expect(commands).toEqual(['users create', 'users update', 'users delete'])
    expect((await stat(log)).mode & 0o777).toBe(0o600)
    expect(await verifyHistory(paths)).toEqual({
      ok: true,
      lines: 3,
      files: 1,
      first: 1,
      last: 3,
      problems: [],
    })
  })

  it('is empty and whole before the first change', async () => {
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 0 })
  })

  it.each([
    [
      'altered',
      (lines: string[]) => lines.map((line, at) => (at === 1 ? line.replace('204', '404') : line)),
      'was altered',
    ],
    ['removed', (lines: string[]) => lines.toSpliced(1, 1), 'follows 1, but is 3'],
    ['swapped', (lines: string[]) => [lines[1]!, lines[0]!, lines[2]!], 'follows 2, but is 1'],
    ['altered and hashed again', (lines: string[]) => lines.map(forge), 'does not continue'],
    ['cut off at the end', (lines: string[]) => lines.slice(0, 2), 'lacks 1 lines at its end'],
    ['garbled', (lines: string[]) => [lines[0]!, 'garbage', lines[2]!], 'is not a line of the log'],
    ['made null', (lines: string[]) => [lines[0]!, 'null', lines[2]!], 'is not a line of the log'],
    ['emptied', (lines: string[]) => [lines[0]!, '', lines[2]!], 'is not a line of the log'],
    ['robbed of its hash', (lines: string[]) => [lines[0]!, '{"sequence":2}', lines[2]!], 'is not a line'],
    ['robbed of its number', (lines: string[]) => [lines[0]!, '{"hash":"x"}', lines[2]!], 'is not a line'],
  ])('tells when a line was %s', async (_, change, problem) => {
    await appendHistory(paths, [entry(), entry(), entry()])
    await changeLines(change)
    const check = await verifyHistory(paths)
    expect(check.ok).toBe(false)
    expect(check.problems.map((one) => one.problem).join()).toContain(problem)
  })

  it('names the file and the line of a problem', async () => {
    await appendHistory(paths, [entry(), entry(), entry()])
    await changeLines((lines) => lines.with(1, lines[1]!.replace('204', '404')))
    expect((await verifyHistory(paths)).problems).toEqual([
      { file: 'history.ndjson', line: 2, problem: 'was altered' },
    ])
  })

  it('tells when all of it was written anew, or its first line does not begin a chain', async () => {
    await appendHistory(paths, [entry('users create')])
    const other = { ...entry('users show'), sequence: 1, previous: origin.hash }
    await changeLines(() => [JSON.stringify({ ...other, hash: hashLine(other) })])
    expect((await verifyHistory(paths)).problems).toMatchObject([
      { problem: 'is not the line that was written' },
    ])
    const adrift = { ...other, previous: 'f'.repeat(64) }
    await changeLines(() => [JSON.stringify({ ...adrift, hash: hashLine(adrift) })])
    expect((await verifyHistory(paths)).problems).toMatchObject([
      { problem: 'does not continue the line before it' },
    ])
  })

  it('is checked without its head as far as it goes', async () => {
    await appendHistory(paths, [entry(), entry()])
    for (const head of ['', 'garbage']) {
      await writeFile(join(state, 'history.head'), head, { mode: 0o600 })
      expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 2 })
    }
  })

  it('is empty where there is no place for it', async () => {
    const nowhere = resolvePaths({}, 'linux', () => undefined)
    expect(await verifyHistory(nowhere)).toMatchObject({ ok: true, lines: 0, last: null })
  })

  it('goes on in another file when one is full, and stays one chain when old files are removed', async () => {
    const many = Array.from({ length: 4_000 }, () => entry())
    await appendHistory(paths, many)
    await appendHistory(paths, [entry()])
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 4_001, files: 2, first: 1 })
    const rotated = (await readdir(state)).find((name) => name.startsWith('history-'))
    await rm(join(state, rotated!))
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 1, files: 1, first: 4_001 })
  })

  it('goes on after a line that a dying process did not finish', async () => {
    await appendHistory(paths, [entry()])
    await appendFile(log, '{"sequence":2,"time":"20')
    expect((await verifyHistory(paths)).problems).toMatchObject([{ problem: 'is not a line of the log' }])
    await appendHistory(paths, [entry()])
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 2 })
  })

  it('goes on after a line that ends within a character, and after a first line that does not end', async () => {
    await openHistory(paths).prepare()
    expect(await readdir(state)).toEqual([])
    await writeFile(log, '{"sequence":1', { mode: 0o600 })
    await appendHistory(paths, [entry()])
    await appendFile(log, Buffer.from('{"reason":"é').subarray(0, -1))
    await appendHistory(paths, [entry()])
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 2, first: 1, last: 2 })
  })

  it('is made of its own files alone', async () => {
    await appendHistory(paths, [entry()])
    for (const name of ['history-000000001.ndjson.bak', 'my-history-000000001.ndjson', 'history-1.ndjson'])
      await writeFile(join(state, name), 'notes', { mode: 0o600 })
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 1, files: 1 })
  })

  it('is refused before anything is sent when others can read it, it is damaged, or there is no place for it', async () => {
    await appendHistory(paths, [entry()])
    await chmod(log, 0o644)
    await expect(openHistory(paths).prepare()).rejects.toThrow('is open to other users')
    await chmod(log, 0o600)
    const whole = await readFile(log)
    for (const line of ['garbage', 'null', '{"sequence":2}', '{"sequence":"2","hash":"x"}', '{"hash":"x"}']) {
      await writeFile(log, `${whole}${line}\n`)
      await expect(openHistory(paths).prepare()).rejects.toThrow('is damaged at its end')
    }
    const nowhere = resolvePaths({}, 'linux', () => undefined)
    await expect(openHistory(nowhere).prepare()).rejects.toMatchObject({ exitCode: 13 })
  })

  it('takes many entries at the same time', async () => {
    const history = openHistory(paths)
    await history.prepare()
    await Promise.all(Array.from({ length: 500 }, () => history.record(entry())))
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 500 })
  })

  it('writes in one go what comes until it need not wait any more', async () => {
    let goOn = () => {}
    const history = openHistory(paths, () => new Promise<void>((resolve) => (goOn = resolve)))
    await history.prepare()
    const written = [history.record(entry())]
    await new Promise((resolve) => setImmediate(resolve))
    written.push(history.record(entry()))
    expect(new Set(written).size).toBe(1)
    expect(await verifyHistory(paths)).toMatchObject({ lines: 0 })
    goOn()
    await Promise.all(written)
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 2 })
  })

  it('goes on recording after a write that failed', async () => {
    const history = openHistory(paths)
    await history.record(entry())
    await chmod(log, 0o644)
    await expect(history.record(entry())).rejects.toMatchObject({ code: 'configuration' })
    await chmod(log, 0o600)
    await history.record(entry())
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 2 })
  })
})
