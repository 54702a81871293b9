import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readLog } from '../../src/audit/changes.ts'
import { AuditLog, type ChangeFacts } from '../../src/audit/log.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { findLog } from '../helpers/history.ts'
import { intentOf } from './entries.ts'

let state: string
let paths: Paths

beforeEach(() => {
  state = join(temporaryFolder(), 'state')
  paths = resolvePaths({ FACESCAN_STATE_DIR: state })
})

/** Writes the intent of a change to the log, and returns the line. */
async function write(facts: ChangeFacts): Promise<string> {
  const clock = { now: () => Date.UTC(2026, 0, 1) }
  await new AuditLog({ paths, env: {}, clock, auditCommands: [], facts: intentOf() }).begin(facts)
  return readFile(findLog(state), 'utf8')
}

describe('a line of the audit log', () => {
  it('the log entry of a change contains the user name from the operating system', async () => {
    expect(JSON.parse(await write({})).os_user).toBe(userInfo().username)
  })

  it('each text field of a log entry is truncated at 255 characters', async () => {
    const long = 'x'.repeat(1_000)
    const texts = { profile: long, host: long, path: long, detail: long, reason: long }
    const line = JSON.parse(await write(texts))
    for (const name of Object.keys(texts)) expect(line[name]).toBe(long.slice(0, 255))
  })

  it('control characters, no-break spaces, and line separators in a log entry are replaced with question marks', async () => {
    const line = await write({ status: 201, detail: '\x1f ~\x7f\x80\xa0\xa1ü漢\u2027\u2028\u2029\u202a' })
    expect(line.endsWith('\n')).toBe(true)
    expect(JSON.parse(line)).toMatchObject({ status: 201, detail: '? ~???¡ü漢\u2027??\u202a' })
  })

  it('a log entry contains no field that has no value', async () => {
    expect(JSON.parse(await write({ status: null, detail: null }))).not.toHaveProperty('detail')
  })
})

const required = { time: '2026-01-01T00:00:00Z', os_user: 'ada', command: 'users create' }

async function read(text: string) {
  await mkdir(state, { mode: 0o700 })
  await writeFile(join(state, 'history.ndjson'), `${text}\n`, { mode: 0o600 })
  return readLog(paths)
}

describe('reading a line of the log', () => {
  it.each([
    [{ id: 'a' }, { id: 'a', outcome: 'unknown', detail: null, status: null }],
    [
      { id: 'a', outcome: 'started' },
      { id: 'a', outcome: 'started' },
    ],
    [
      { event: 'intent', id: 'a', is_import: true },
      { id: 'a', outcome: 'started' },
    ],
    [
      { event: 'user', id: 'a', outcome: 'done' },
      { id: 'a', outcome: 'done' },
    ],
    [
      { event: 'intent', sequence: 7, previous: 'p', hash: 'h' },
      { id: '7', outcome: 'unknown' },
    ],
    [
      { event: 'outcome', intent: 7, outcome: 'failed' },
      { id: '7', outcome: 'failed' },
    ],
    [
      { id: 'a', detail: '\u001b[2J' },
      { id: 'a', detail: '?[2J' },
    ],
  ])('the log line %j is read as %j', async (fields, expected) => {
    const { changes, damaged } = await read(JSON.stringify({ ...fields, ...required }))
    expect([changes.length, damaged]).toEqual([1, 0])
    expect(changes[0]).toMatchObject(expected)
    expect(changes[0]).not.toHaveProperty('event')
  })

  it.each([
    '{"event":"intent","id":"a"}',
    JSON.stringify({ id: 'a', ...required, time: 'junk' }),
    JSON.stringify({ id: 'a', ...required, time: 5 }),
    JSON.stringify({ id: 'a', ...required, detail: { b: 1 } }),
    JSON.stringify({ id: 'a', ...required, outcome: 'other' }),
    '{"event":"outcome","intent":"deleted","outcome":"done"}',
    '7',
    'null',
    '{"event":',
    '['.repeat(100_000),
  ])('the log line %s is not an entry of the audit log', async (text) => {
    expect(await read(text)).toEqual({ changes: [], damaged: 1 })
  })
})
