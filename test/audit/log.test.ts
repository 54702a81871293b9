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
import { listChanges, openHash, readLog } from '../../src/audit/changes.ts'
import { AuditLog, type ChangeFacts, type ChangeResult } from '../../src/audit/log.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { hastyClock } from '../helpers/clock.ts'
import { logName } from '../helpers/history.ts'
import { intentOf } from './entries.ts'

const userId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

let state: string
let paths: Paths
let log: string
let writer: AuditLog

beforeEach(async () => {
  state = join(await mkdtemp(join(tmpdir(), 'facescan-audit-')), 'state')
  paths = resolvePaths({ FACESCAN_STATE_DIR: state })
  log = join(state, logName('2026-01'))
  writer = openLog(paths)
})

function openLog(at: Paths): AuditLog {
  const clock = hastyClock(Date.UTC(2026, 0, 1))
  return new AuditLog({ paths: at, env: {}, clock, auditCommands: [], facts: {} })
}

const begin = (change: ChangeFacts = {}) => writer.begin(intentOf(change))
const addUser = (change: ChangeFacts, result: ChangeResult) => writer.addUser(intentOf(change), result)
const count = async (at: Paths) => {
  const { changes, damaged } = await readLog(at)
  return { changes: changes.length, damaged }
}
/** A line that an earlier version wrote at this second of the year 2026. */
const oldLine = (command: string, second: number) =>
  `${JSON.stringify({ event: 'intent', id: command, time: `2026-01-01T00:00:0${second}Z`, os_user: 'ada', command })}\n`
const readLines = async () => (await readFile(log, 'utf8')).trimEnd().split('\n')
const commandsOf = async (filter: Parameters<typeof listChanges>[1]) =>
  (await listChanges(paths, filter, 50)).map(({ command }) => command)

describe('the audit log', () => {
  it('the audit log has one line per entry, and only its owner can read it', async () => {
    const end = await begin()
    await end({ outcome: 'done' })
    const lines = (await readLines()).map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.not.objectContaining({ outcome: expect.anything() }),
      { ...lines[0], time: expect.any(String), outcome: 'done' },
    ])
    expect((await stat(log)).mode & 0o777).toBe(0o600)
    expect((await stat(state)).mode & 0o777).toBe(0o700)
  })

  it('the log entries for the users of a list are written before the entry for the end of the command', async () => {
    // Two waiting writes can continue in either order, so the test repeats the check with many lists.
    for (let list = 0; list < 40; list++) {
      const end = await begin({ outcome: 'started' })
      for (let user = 0; user < 3; user++) void addUser({}, { outcome: 'done' })
      await end({ outcome: 'done', detail: '3 done' })
      const entries = (await readLines()).slice(-5).map((line) => JSON.parse(line))
      expect(entries.map(({ outcome }) => outcome)).toEqual(['started', 'done', 'done', 'done', 'done'])
      expect(entries[4].id).toBe(entries[0].id)
    }
  })

  it('the audit log is empty before the first change, and no log is written if there is no home directory', async () => {
    expect(await count(paths)).toEqual({ changes: 0, damaged: 0 })
    const nowhere = resolvePaths({}, 'linux', () => undefined)
    expect(await count(nowhere)).toEqual({ changes: 0, damaged: 0 })
    expect(() => openLog(nowhere)).toThrow('your account has no home directory')
  })

  it('the audit log has one file for each month and machine, and the entries from all files are listed', async () => {
    await begin({ command: 'users update' })
    await writeFile(join(state, 'history-2026-01-other.example.ndjson'), oldLine('users create', 1), {
      mode: 0o600,
    })
    await writeFile(join(state, logName('2026-02')), oldLine('users delete', 3), { mode: 0o600 })
    expect(await readdir(state)).toContain(logName('2026-01'))
    expect(await commandsOf({})).toEqual(['users delete', 'users create', 'users update'])
  })

  it('the entries of several log files are listed in the order of their times', async () => {
    await mkdir(state, { mode: 0o700 })
    for (const [name, command, second] of [
      ['history.ndjson', 'users delete', 3],
      ['history-1700000000000.ndjson', 'users update', 2],
      ['history-000000003.ndjson', 'users create', 1],
    ] as const)
      await writeFile(join(state, name), oldLine(command, second), { mode: 0o600 })
    expect(await commandsOf({})).toEqual(['users delete', 'users update', 'users create'])
  })

  it('files in the directory of the audit log are ignored if they are not named like log files', async () => {
    await begin()
    for (const name of ['history-000000001.ndjson.bak', 'my-history-000000001.ndjson', 'history-1.ndjson'])
      await writeFile(join(state, name), 'notes', { mode: 0o600 })
    expect(await count(paths)).toEqual({ changes: 1, damaged: 0 })
  })

  it('an entry of the audit log is read even if it follows an incomplete line', async () => {
    await begin({ command: 'users create' })
    await appendFile(log, '{"id":"torn","time":"2026-01-01T00:00:00.000Z","command":"x')
    await begin({ command: 'users update', detail: '{"id":"quoted' })
    await appendFile(log, '{"event":"intent","sequence":7,"ti')
    await begin({ command: 'users delete' })
    expect(await commandsOf({})).toEqual(['users delete', 'users update', 'users create'])
    expect(await count(paths)).toEqual({ changes: 3, damaged: 2 })
  })

  it('lines of the audit log that are not entries are skipped', async () => {
    await begin()
    await appendFile(log, 'garbage\nnull\n[]\n"text"\n{}\n{"event":"intent"}\n\n')
    await begin()
    expect(await commandsOf({})).toHaveLength(2)
    expect(await count(paths)).toEqual({ changes: 2, damaged: 6 })
  })

  it('the audit log truncates long texts and replaces control characters', async () => {
    const long = 'x\u001b\n\u2028'.repeat(10_000)
    const end = await begin({ profile: long, command: long, reason: long })
    await end({ outcome: 'done', detail: long })
    for (const line of await readLines()) expect(line.length).toBeLessThan(2_000)
    expect(await readFile(log, 'utf8')).not.toMatch(/u001b|\u2028/)
    expect(await count(paths)).toEqual({ changes: 1, damaged: 0 })
  })

  it('log entries from version 0.1, which contain hashes, are listed', async () => {
    await mkdir(state, { mode: 0o700 })
    const chain = { previous: '0'.repeat(64), hash: '1'.repeat(64) }
    const intent = { event: 'intent', time: '2025-12-01T00:00:00Z', os_user: 'ada', user_id: null }
    const facts = {
      profile: 'ACME',
      host: 'h',
      fingerprint: null,
      method: 'PUT',
      path: '/v2/users/{user_id}',
    }
    const rest = { external_id_hash: null, is_import: false, detail: 'language', reason: null }
    const outcome = {
      event: 'outcome',
      time: '2025-12-01T00:00:01Z',
      intent: 1,
      outcome: 'done',
      status: 200,
    }
    const lines = [
      { sequence: 1, ...intent, ...facts, command: 'users update', ...rest, ...chain },
      { sequence: 2, ...outcome, request_id: 'r-1', user_id: userId, detail: null, ...chain },
      { sequence: 3, event: 'damage', time: '2025-12-01T00:00:02Z', detail: 'history.head', ...chain },
      { sequence: 4, ...intent, ...facts, command: 'answers import', ...rest, is_import: true, ...chain },
      { sequence: 5, ...outcome, intent: 4, detail: 'finished', ...chain },
    ]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await writeFile(join(state, 'history-000000003.ndjson'), text, { mode: 0o600 })
    await begin({ command: 'users delete' })
    expect(await listChanges(paths, {}, 50)).toMatchObject([
      { command: 'users delete', outcome: 'unknown' },
      { id: '4', command: 'answers import', outcome: 'done', detail: 'finished', profile: 'ACME' },
      { id: '4', command: 'answers import', outcome: 'started', detail: 'language', status: null },
      {
        id: '1',
        command: 'users update',
        detail: 'language',
        outcome: 'done',
        status: 200,
        request_id: 'r-1',
        user_id: userId,
      },
    ])
    expect(Object.keys((await listChanges(paths, {}, 50))[3] ?? {})).not.toContain('hash')
  })
})

describe('the audit log before a change', () => {
  it('a change is refused if the audit log is a link or if other users can access it', async () => {
    await begin()
    await chmod(log, 0o644)
    await expect(begin()).rejects.toThrow('other users can access')
    await chmod(log, 0o600)
    await chmod(state, 0o777)
    await expect(begin()).rejects.toThrow(`other users can access ${state} (mode 0777)`)
    await chmod(state, 0o700)
    await writeFile(join(state, 'elsewhere'), await readFile(log), { mode: 0o600 })
    await rm(log)
    await symlink(join(state, 'elsewhere'), log)
    await expect(begin()).rejects.toThrow(`${log} is not a regular file`)
    await expect(count(paths)).rejects.toThrow(`${log} is not a regular file`)
    expect(await readFile(join(state, 'elsewhere'), 'utf8')).toMatch(/^[^\n]+\n$/)
  })

  it.each([
    ['named pipe', (path: string) => execFileSync('mkfifo', ['-m', '600', path])],
    ['directory', (path: string) => mkdir(path, { mode: 0o700 })],
  ])('the audit log is refused immediately if its path is a %s', async (_, create) => {
    await begin()
    await rm(log)
    await create(log)
    await expect(begin()).rejects.toThrow(`${log} is not a regular file`)
    await expect(count(paths)).rejects.toThrow(`${log} is not a regular file`)
  })
})

describe('the list of changes', () => {
  it('changes are listed newest first, each with its start and its outcome in one row', async () => {
    const end = await begin({ command: 'users create' })
    await begin({ command: 'users update' })
    await end({ outcome: 'done', status: 201, user_id: userId, request_id: 'r-1' })
    expect(await listChanges(paths, {}, 50)).toMatchObject([
      { command: 'users update', outcome: 'unknown', status: null },
      { command: 'users create', outcome: 'done', status: 201, user_id: userId, request_id: 'r-1' },
    ])
    expect(await listChanges(paths, {}, 1)).toHaveLength(1)
  })

  it('the audit list shows the start of a command for a list of users, each changed user, and the end', async () => {
    const end = await begin({ outcome: 'started', detail: 'delete 2 users' })
    await addUser({ user_id: userId }, { outcome: 'done', status: 204 })
    await addUser({ external_id_hash: 'abc' }, { outcome: 'unknown' })
    await end({ outcome: 'done', detail: '2 done, 0 failed' })
    await writer.close()
    const changes = await listChanges(paths, {}, 50)
    expect(changes.map(({ outcome, detail, user_id }) => [outcome, detail, user_id])).toEqual(
      expect.arrayContaining([
        ['started', 'delete 2 users', null],
        ['done', null, userId],
        ['unknown', null, null],
        ['done', '2 done, 0 failed', null],
      ]),
    )
    expect(await listChanges(paths, { userId }, 50)).toMatchObject([{ user_id: userId, status: 204 }])
  })

  it('if the outcome for a user has no detail, the log entry contains the detail of the change', async () => {
    await begin({ outcome: 'started' })
    await addUser({ user_id: userId, detail: 'of the list' }, { outcome: 'done', status: 204 })
    expect((await listChanges(paths, {}, 1))[0]).toMatchObject({
      outcome: 'done',
      user_id: userId,
      detail: 'of the list',
      status: 204,
    })
  })

  it('the log entry has the user ID and detail of the outcome, if present, instead of those of the change', async () => {
    const change = { user_id: userId, detail: 'of the list' }
    await begin({ outcome: 'started' })
    await addUser(change, { outcome: 'done', user_id: 'other', detail: 'own' })
    expect((await listChanges(paths, {}, 1))[0]).toMatchObject({
      user_id: 'other',
      detail: 'own',
      status: null,
      request_id: null,
    })
  })

  it.each(['failed', 'not sent'] as const)(
    'a request for a user in a list has no log entry if its outcome is "%s"',
    async (outcome) => {
      await addUser({ user_id: userId }, { outcome })
      await writer.close()
      expect(await count(paths)).toEqual({ changes: 0, damaged: 0 })
    },
  )

  it('if a command adds several entries to the audit log at the same time, all entries are written', async () => {
    const end = await begin({ outcome: 'started' })
    for (let index = 0; index < 500; index++) void addUser({}, { outcome: 'done' })
    await end({ outcome: 'done' })
    await writer.close()
    expect(await count(paths)).toEqual({ changes: 502, damaged: 0 })
  })

  it('if a log entry contains both IDs of a user, a search with either ID finds all changes of the user', async () => {
    const hash = (await openHash(paths, { create: true }))('4711')
    const end = await begin({ command: 'users create', external_id_hash: hash })
    await end({ outcome: 'done', user_id: userId })
    await begin({ command: 'users update', user_id: userId })
    await begin({ command: 'answers save', external_id_hash: hash })
    await begin({ command: 'users delete', external_id_hash: 'other' })
    await begin({ command: 'users delete', user_id: userId.replace('5', '6') })
    await appendFile(log, '{"event":"intent","id":"without the fields of a user"}\n')
    const expected = ['answers save', 'users update', 'users create']
    expect(await commandsOf({ externalUserId: '4711' })).toEqual(expected)
    expect(await commandsOf({ userId })).toEqual(expected)
    expect(await commandsOf({ userId: userId.replaceAll('-', '').toUpperCase() })).toEqual(expected)
    expect(await commandsOf({ userId, profile: 'OTHER' })).toEqual([])
    expect(await readFile(log, 'utf8')).not.toContain('4711')
  })

  it('changes are filtered by time, and a time without a zone is read as UTC', async () => {
    await begin()
    expect(await commandsOf({ since: '2025-12-31T23:59:59' })).toHaveLength(1)
    expect(await commandsOf({ since: '2026-01-01T00:00:01' })).toHaveLength(0)
    expect(await commandsOf({ since: '2026-01-01T00:30:00+01:00' })).toHaveLength(1)
    expect(await commandsOf({ since: '2026-01-01T00:00:00Z' })).toHaveLength(1)
    expect(await commandsOf({ since: '2025-12-31T19:00:00-05:00' })).toHaveLength(1)
    expect(await commandsOf({ since: '2025-12-31T19:00:01-05:00' })).toHaveLength(0)
  })

  it('an external user ID is hashed with a key of this machine', async () => {
    const hashed = async (id: string, create: boolean) => (await openHash(paths, { create }))(id)
    await begin({ external_id_hash: await hashed('other', false) })
    expect(await commandsOf({ externalUserId: '4711' })).toEqual([])
    expect(await readdir(state)).not.toContain('history.key')
    const hash = await hashed('4711', true)
    expect(hash).toMatch(/^[0-9a-f]{32}$/)
    expect(await hashed('4711', false)).toBe(hash)
    expect(await hashed('4712', true)).not.toBe(hash)
    expect((await stat(join(state, 'history.key'))).mode & 0o777).toBe(0o600)
    await rm(join(state, 'history.key'))
    expect(await hashed('4711', true)).not.toBe(hash)
  })
})
