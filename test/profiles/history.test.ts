import { execFileSync } from 'node:child_process'
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Paths, resolvePaths } from '../../src/base/system/paths.ts'
import { appendHistory, hashExternalId, openEntry } from '../../src/profiles/history.ts'
import { hashLine, origin, parseLine, sealLine } from '../../src/profiles/history-line.ts'
import { listHistory, readHistory, verifyHistory } from '../../src/profiles/read-history.ts'
import { intentOf, outcomeOf } from './history-lines.ts'

let state: string
let paths: Paths
let log: string
let head: string

beforeEach(async () => {
  state = join(await mkdtemp(join(tmpdir(), 'facescan-history-')), 'state')
  paths = resolvePaths({ FACESCAN_STATE_DIR: state })
  log = join(state, 'history.ndjson')
  head = join(state, 'history.head')
})

const append = (change: Parameters<typeof intentOf>[0] = {}) => appendHistory(paths, intentOf(change))
const readLines = async () => (await readFile(log, 'utf8')).trimEnd().split('\n')
const changeLines = async (change: (lines: string[]) => string[]) =>
  writeFile(
    log,
    change(await readLines())
      .map((line) => `${line}\n`)
      .join(''),
  )
const problems = async () => (await verifyHistory(paths)).problems.map(({ problem }) => problem)

async function appendThree(): Promise<void> {
  for (const command of ['users create', 'users update', 'users delete']) await append({ command })
}

/** Changes a line and recomputes its hash. */
function forge(line: string, change: object): string {
  const forged = { ...parseLine(line), ...change } as Parameters<typeof hashLine>[0]
  return JSON.stringify({ ...forged, hash: hashLine(forged) })
}

describe('the audit log', () => {
  it('the audit log has one line per record, is readable by its owner only, and is intact', async () => {
    await appendThree()
    expect((await stat(log)).mode & 0o777).toBe(0o600)
    expect((await stat(head)).mode & 0o777).toBe(0o600)
    expect((await stat(state)).mode & 0o777).toBe(0o700)
    const check = { ok: true, lines: 3, files: 1, first: 1, last: 3, problems: [] }
    expect(await verifyHistory(paths)).toEqual(check)
  })

  it('the audit log is intact before the first change, and without a home directory', async () => {
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 0, last: null })
    const nowhere = resolvePaths({}, 'linux', () => undefined)
    expect(await verifyHistory(nowhere)).toMatchObject({ ok: true, lines: 0 })
    await expect(appendHistory(nowhere, intentOf())).rejects.toMatchObject({ exitCode: 13 })
  })

  it('the audit log continues in another file when one is full', async () => {
    await append()
    const filler = Array.from({ length: 2_400 }, () => intentOf({ reason: 'x'.repeat(200) }))
    let end = { sequence: 1, hash: parseLine((await readLines())[0] ?? '')?.hash ?? '' }
    const texts = filler.map((record) => {
      const sealed = sealLine(record, end)
      end = sealed.end
      return sealed.text
    })
    await appendFile(log, `${texts.join('\n')}\n`)
    await writeFile(head, `${texts.at(-1)}\nappended\n`)
    await append()
    expect(await readdir(state)).toContain('history-000002401.ndjson')
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 2_402, files: 2 })
    await rm(join(state, 'history-000002401.ndjson'))
    expect(await problems()).toEqual(['comes after a gap: lines 1 to 2401 are missing'])
  })

  it('ignores other files in its directory', async () => {
    await append()
    for (const name of ['history-000000001.ndjson.bak', 'my-history-000000001.ndjson', 'history-1.ndjson'])
      await writeFile(join(state, name), 'notes', { mode: 0o600 })
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 1, files: 1 })
  })
})

describe('an alteration of the audit log', () => {
  beforeEach(appendThree)

  it.each([
    [
      'an altered line',
      (lines: string[]) => lines.with(1, lines[1]!.replace('update', 'delete')),
      'was altered',
    ],
    [
      'a repeated member',
      (lines: string[]) => lines.with(1, lines[1]!.replace('{', '{"command":"users show",')),
      'was altered',
    ],
    ['added space', (lines: string[]) => lines.with(1, lines[1]!.replace('{', '{ ')), 'was altered'],
    [
      'a line altered with a new hash',
      (lines: string[]) => lines.with(1, forge(lines[1]!, { command: 'users show' })),
      'does not match the line before it',
    ],
    ['removed first lines', (lines: string[]) => lines.slice(2), 'lines 1 to 2 are missing'],
    ['a removed line in the middle', (lines: string[]) => lines.toSpliced(1, 1), 'line 2 is missing'],
    ['removed last lines', (lines: string[]) => lines.slice(0, 1), 'lines 2 to 3 are missing'],
    ['a removed last line', (lines: string[]) => lines.slice(0, 2), 'line 3 is missing'],
    [
      'reordered lines',
      (lines: string[]) => [lines[1]!, lines[0]!, lines[2]!],
      'has sequence number 1, which is repeated or out of order',
    ],
    [
      'a repeated line',
      (lines: string[]) => [...lines, lines[2]!],
      'has sequence number 3, which is repeated or out of order',
    ],
    ['text that is not a line', (lines: string[]) => lines.with(1, 'garbage'), 'is not a valid log line'],
    ['null', (lines: string[]) => lines.with(1, 'null'), 'is not a valid log line'],
    ['an empty line', (lines: string[]) => lines.with(1, ''), 'is not a valid log line'],
    [
      'a line without a hash',
      (lines: string[]) => lines.with(1, '{"sequence":2}'),
      'is not a valid log line',
    ],
    [
      'an added line',
      (lines: string[]) => {
        const { sequence, hash } = parseLine(lines[2]!)!
        return [...lines, sealLine(intentOf(), { sequence, hash }).text]
      },
      'it ends at line 3, but the log ends at line 4',
    ],
    ['an emptied file', () => [], 'lines 1 to 3 are missing'],
  ])(
    'an alteration of the audit log is detected before and after the next change: %s',
    async (_, change, problem) => {
      await changeLines(change)
      expect((await problems()).join()).toContain(problem)
      await append()
      expect(await verifyHistory(paths)).toMatchObject({ ok: false })
      await append()
      expect((await verifyHistory(paths)).ok).toBe(false)
    },
  )

  it('an alteration of the audit log is detected if the log is removed', async () => {
    await rm(log)
    expect(await problems()).toEqual(['is newer than the log: lines 1 to 3 are missing'])
    await append()
    expect((await problems()).join()).toContain('lines 1 to 2 are missing')
  })

  it.each([
    ['removed', () => rm(head)],
    ['emptied', () => writeFile(head, '')],
    ['damaged', () => writeFile(head, 'garbage')],
    [
      'altered',
      async () => writeFile(head, (await readFile(head, 'utf8')).replace('users delete', 'users show')),
    ],
  ])(
    'an alteration of the audit log is detected if history.head is %s, also after the next change',
    async (_, change) => {
      await change()
      expect((await problems()).join()).toMatch(/^is (missing|damaged)$/)
      await append()
      expect((await problems()).join()).toMatch(
        /^records earlier damage: history.head was (missing|damaged)$/,
      )
      expect(await readLines()).toHaveLength(5)
    },
  )

  it('an alteration of the audit log is detected if the last line break is removed, and no line is lost by the next change', async () => {
    await writeFile(log, (await readFile(log, 'utf8')).trimEnd())
    expect(await problems()).toEqual(['does not end with a line break'])
    await append()
    expect(await problems()).toEqual([expect.stringContaining('the end of the log was missing')])
    expect((await readLines()).map((line) => JSON.parse(line).command)).toEqual(
      expect.arrayContaining(['users create', 'users update', 'users delete']),
    )
  })

  it('an alteration of the audit log is detected if the whole log is rewritten without its head', async () => {
    let end = origin
    await changeLines((lines) =>
      lines.map((line) => {
        const { sequence: _, previous: _previous, hash: _hash, ...record } = parseLine(line)!
        const sealed = sealLine({ ...record, os_user: 'eve' } as never, end)
        end = sealed.end
        return sealed.text
      }),
    )
    expect(await problems()).toEqual(['does not match the last line'])
  })

  it('a problem of the audit log names its file and line', async () => {
    await changeLines((lines) => lines.with(1, lines[1]!.replace('update', 'delete')))
    expect((await verifyHistory(paths)).problems).toEqual([
      { file: 'history.ndjson', line: 2, problem: 'was altered' },
    ])
  })
})

describe('a process that died while it wrote the log', () => {
  beforeEach(appendThree)

  it.each([
    ['before the line', (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)],
    ['within the line', (text: string) => text.slice(0, -20)],
    ['before the line break', (text: string) => text.slice(0, -1)],
    ['after the line', (text: string) => text],
  ])('loses nothing if it died %s', async (_, cut) => {
    await writeFile(head, (await readFile(head, 'utf8')).replace('appended\n', ''))
    await writeFile(log, cut(await readFile(log, 'utf8')))
    await append()
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 4 })
  })
})

describe('the audit log before a change', () => {
  it('refuses a file that others can read, a symbolic link, and an open state directory', async () => {
    await append()
    await chmod(log, 0o644)
    await expect(append()).rejects.toThrow('other users can access')
    await chmod(log, 0o600)
    await chmod(state, 0o777)
    await expect(append()).rejects.toThrow(`other users can access ${state} (mode 0777)`)
    await chmod(state, 0o700)
    await writeFile(join(state, 'elsewhere'), await readFile(log), { mode: 0o600 })
    await rm(log)
    await symlink(join(state, 'elsewhere'), log)
    await expect(append()).rejects.toThrow(`${log} is not a regular file`)
    await expect(verifyHistory(paths)).rejects.toThrow(`${log} is not a regular file`)
    expect(await readFile(join(state, 'elsewhere'), 'utf8')).toMatch(/^[^\n]+\n$/)
  })

  it.each([
    ['named pipe', (path: string) => execFileSync('mkfifo', ['-m', '600', path])],
    ['directory', (path: string) => mkdir(path, { mode: 0o700 })],
  ])('refuses a %s as the log or its head, without waiting for it', async (_, create) => {
    for (const path of [log, head]) {
      await append()
      await rm(path)
      await create(path)
      await expect(append()).rejects.toThrow(`${path} is not a regular file`)
      await expect(verifyHistory(paths)).rejects.toThrow(`${path} is not a regular file`)
      await rm(path, { recursive: true })
    }
  })

  it('the audit log is refused if its end and its head are both damaged', async () => {
    await append()
    await writeFile(log, 'garbage\n')
    await rm(head)
    await expect(append()).rejects.toMatchObject({ exitCode: 13 })
    expect(await readFile(log, 'utf8')).toBe('garbage\n')
  })

  it('bounds every field of an entry', async () => {
    const long = 'x\u001b\n'.repeat(10_000)
    const endEntry = await openEntry(paths, () => 0, {
      ...intentOf(),
      profile: long,
      command: long,
      reason: long,
    })
    await endEntry({ outcome: 'done', detail: long })
    for (const line of await readLines()) expect(line.length).toBeLessThan(2_000)
    expect(await readFile(log, 'utf8')).not.toMatch(/u001b/)
    await append()
    expect(await verifyHistory(paths)).toMatchObject({ ok: true, lines: 3 })
  })
})

describe('the list of changes', () => {
  const userId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
  const commandsOf = async (filter: Parameters<typeof listHistory>[1]) =>
    (await listHistory(paths, filter, 50)).map(({ command }) => command)

  it('merges an intent with its outcome, newest first', async () => {
    const first = await append({ command: 'users create' })
    await append({ command: 'users update' })
    await appendHistory(paths, outcomeOf(first, { status: 201, user_id: userId, request_id: 'r-1' }))
    expect(await listHistory(paths, {}, 50)).toMatchObject([
      { command: 'users update', outcome: 'unknown', status: null },
      {
        command: 'users create',
        outcome: 'done',
        status: 201,
        user_id: userId,
        request_id: 'r-1',
        os_user: 'ada',
      },
    ])
    expect(await listHistory(paths, {}, 1)).toHaveLength(1)
  })

  it('shows the start and the end of an import', async () => {
    const start = await append({ command: 'answers import', is_import: true, detail: 'import 216 answers' })
    await appendHistory(paths, outcomeOf(start, { status: null, detail: '213 accepted, 3 rejected' }))
    expect(await listHistory(paths, {}, 50)).toMatchObject([
      { outcome: 'done', detail: '213 accepted, 3 rejected', time: '2026-01-01T00:00:01Z' },
      { outcome: 'started', detail: 'import 216 answers', time: '2026-01-01T00:00:00Z' },
    ])
  })

  it('finds the changes of a user by either ID, if one entry contains both', async () => {
    const hash = (await hashExternalId(paths, '4711', { create: true })) ?? ''
    const created = await append({ command: 'users create', external_id_hash: hash })
    await appendHistory(paths, outcomeOf(created, { user_id: userId }))
    await append({ command: 'users update', user_id: userId })
    await append({ command: 'answers save', external_id_hash: hash })
    await append({ command: 'users delete', external_id_hash: 'other' })
    const expected = ['answers save', 'users update', 'users create']
    expect(await commandsOf({ externalIdHash: hash })).toEqual(expected)
    expect(await commandsOf({ userId })).toEqual(expected)
    expect(await commandsOf({ userId: userId.replaceAll('-', '').toUpperCase() })).toEqual(expected)
    expect(await commandsOf({ userId, profile: 'OTHER' })).toEqual([])
    expect(await readFile(log, 'utf8')).not.toContain('4711')
  })

  it('hashes an external user ID with a key of this machine', async () => {
    expect(await hashExternalId(paths, '4711', { create: false })).toBeUndefined()
    const hash = await hashExternalId(paths, '4711', { create: true })
    expect(hash).toMatch(/^[0-9a-f]{32}$/)
    expect(await hashExternalId(paths, '4711', { create: false })).toBe(hash)
    expect(await hashExternalId(paths, '4712', { create: true })).not.toBe(hash)
    expect((await stat(join(state, 'history.key'))).mode & 0o777).toBe(0o600)
    await rm(join(state, 'history.key'))
    expect(await hashExternalId(paths, '4711', { create: true })).not.toBe(hash)
  })

  it('yields every line of the log in order', async () => {
    await appendThree()
    const texts = []
    for await (const { text } of readHistory(paths)) texts.push(text)
    expect(texts).toEqual(await readLines())
  })
})
