import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DriverName, driverNames, openDatabase } from '../../src/sandbox/database.ts'
import { openStore, reset } from '../../src/sandbox/index.ts'
import { insertAnswers, insertScans } from '../../src/sandbox/records.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { status } from '../../src/sandbox/serving.ts'
import { recordScans, synthesizeNext } from '../../src/sandbox/synthetic.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facescan-store-'))
  path = join(folder, 'deep/er/sandbox.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

const isMissing: Record<DriverName, boolean> = {
  libsql: false,
  'node:sqlite': !createRequire(import.meta.url)('node:module').isBuiltin('node:sqlite'),
}

for (const driver of driverNames) {
  const suffix = isMissing[driver] ? ' (this Node has no such module)' : ''

  it.skipIf(isMissing[driver])(
    `a sandbox database with the driver ${driver} commits and rolls back transactions${suffix}`,
    async () => {
      const store = await openStore(path, { driver })
      const insert = 'insert into user (user_id, external_hash, created_at_ms) values (?, ?, ?)'
      expect(store.run(insert, '1', 'hash', Date.now())).toBe(1)
      const work = () => {
        store.run(insert, '2', 'other', 0)
        throw new Error('no')
      }
      expect(() => store.transaction(work)).toThrow('no')
      expect(store.all('select user_id, birth_date from user')).toEqual([{ user_id: '1', birth_date: null }])
      expect(store.get('select user_id from user where user_id = ?', '2')).toBeUndefined()
      store.close()
      const reopened = await openStore(path)
      expect(reopened.keys).toEqual(store.keys)
      reopened.close()
    },
  )
}

it('a reset of the sandbox removes the data and creates new API keys', async () => {
  const first = await openStore(path)
  first.close()
  reset(path)
  expect(existsSync(path)).toBe(false)
  const second = await openStore(path)
  expect(second.keys.development.key).not.toBe(first.keys.development.key)
  second.close()
})

it('the status of the sandbox contains the number of users and scans, but no API keys', async () => {
  const sandbox = await startSandbox({ strict: true, database: path, announce: true })
  const headers = { 'x-api-key': sandbox.keys.development.key, 'content-type': 'application/json' }
  await fetch(`${sandbox.url}/v2/users`, { method: 'POST', headers, body: '{"external_user_id":"4711"}' })
  const store = await openStore(path)
  recordScans(store, { user: { external_user_id: '4711' }, count: 3, days: 3, seed: 1, now: Date.now() })
  expect(await status(store)).toEqual({
    database: path,
    customer: 'Acme Wellness',
    users: 1,
    face_scans: 3,
    answers: 0,
    keys: ['ACME-DEV', 'ACME'],
    serving: sandbox.url,
  })
  await sandbox.close()
  expect((await status(store)).serving).toBeNull()
  const overIpv6 = await startSandbox({ strict: true, database: path, announce: true, host: '::1' })
  expect((await status(store)).serving).toBe(overIpv6.url)
  const latest = await startSandbox({ strict: true, database: path, announce: true })
  expect((await status(store)).serving).toBe(latest.url)
  await latest.close()
  expect((await status(store)).serving).toBe(overIpv6.url)
  await overIpv6.close()
  store.close()
})

it('the same seed and external user ID produce the same scans in different databases', async () => {
  const scansIn = async (file: string, seed: number) => {
    const store = await openStore(join(folder, file))
    const hash = store.hashExternalId('4711')
    store.run('insert into user (user_id, external_hash, created_at_ms) values (?, ?, 0)', file, hash)
    const now = Date.parse('2026-03-10T12:00:00Z')
    const scans = recordScans(store, { user: { external_user_id: '4711' }, count: 30, days: 30, seed, now })
    store.close()
    return scans.map(({ face_scan_id: _, ...scan }) => scan)
  }
  const scans = await scansIn('a.sqlite', 1)
  expect(await scansIn('b.sqlite', 1)).toEqual(scans)
  expect(await scansIn('c.sqlite', 2)).not.toEqual(scans)
  const times = scans.map(({ taken_at_ms }) => taken_at_ms)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBe(Date.parse('2026-03-10T12:00:00Z'))
})

it('heart rates differ less between successive scans than between scans that are 20 days apart', async () => {
  const store = await openStore(path)
  store.run('insert into user (user_id, created_at_ms) values (?, 0)', 'u')
  const scans = recordScans(store, { user: { user_id: 'u' }, count: 1000, days: 1000, seed: 1, now: 0 })
  const rates = scans.map(({ heart_rate }) => heart_rate)
  const meanStep = (distance: number) => {
    const steps = rates.slice(distance).map((rate, index) => Math.abs(rate - (rates[index] ?? 0)))
    return steps.reduce((sum, step) => sum + step, 0) / steps.length
  }
  expect(meanStep(1)).toBeLessThan(meanStep(20) * 0.85)
  store.close()
})

it('the sandbox refuses scans for a user that does not exist', async () => {
  const store = await openStore(path)
  const request = { user: { external_user_id: 'nobody' }, count: 1, days: 1, seed: 1, now: 0 }
  expect(() => recordScans(store, request)).toThrow('not found in the sandbox')
  store.close()
})

it('the sandbox refuses answers and scans for a deleted user', async () => {
  const store = await openStore(path)
  const gone = expect.objectContaining({ status: 404, detail: 'user not found' })
  const answer = { lookup_key: 'weight', value: 80, timezone: 'UTC' }
  const scan = { ...synthesizeNext([]), taken_at_ms: 0 }
  expect(() => insertAnswers(store, 'gone', [answer], 0)).toThrow(gone)
  expect(() => insertScans(store, 'gone', [scan])).toThrow(gone)
  store.close()
})

it('the sandbox immediately refuses a named pipe as its database', async () => {
  const pipe = join(folder, 'pipe.sqlite')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  const message = `the sandbox database ${pipe} cannot be used (a named pipe)`
  for (const create of [true, false])
    await expect(openStore(pipe, { create })).rejects.toMatchObject({ message })
})

it('the sandbox refuses a file that is not a database, a database from a newer version, and an invalid path', async () => {
  const text = join(folder, 'text.sqlite')
  writeFileSync(text, 'this is not a database, and long enough to be sure of it. '.repeat(20))
  await expect(openStore(text)).rejects.toMatchObject({
    code: 'configuration',
    message: `the sandbox database ${text} cannot be used (file is not a database)`,
  })
  const newer = await openDatabase(join(folder, 'newer.sqlite'))
  newer.exec('pragma user_version = 99')
  newer.close()
  await expect(openStore(join(folder, 'newer.sqlite'))).rejects.toMatchObject({ code: 'configuration' })
  await expect(openStore(join(text, 'below-a-file.sqlite'))).rejects.toMatchObject({ code: 'configuration' })
})

it.skipIf(process.platform === 'win32')(
  'the sandbox refuses a directory in which other users can create files next to the database',
  async () => {
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    for (const mode of [0o777, 0o1777]) {
      chmodSync(shared, mode)
      await expect(openStore(join(shared, 'sandbox.db'))).rejects.toThrow(`other users can access ${shared}`)
      expect(readdirSync(shared)).toEqual([])
    }
  },
)

it('the sandbox refuses an empty file or the database of another program, and does not change it', async () => {
  const [other, empty] = [join(folder, 'bookmarks.sqlite'), join(folder, 'empty.sqlite')]
  const bookmarks = await openDatabase(other)
  bookmarks.exec('create table bookmark (url text)')
  bookmarks.close()
  writeFileSync(empty, '')
  const read = () => [readFileSync(other), readFileSync(empty), readdirSync(folder)]
  const before = read()
  const refusal = (path: string) => ({
    code: 'configuration',
    message: `${path} is not a sandbox database; nothing was changed`,
  })
  await expect(openStore(other)).rejects.toMatchObject(refusal(other))
  await expect(openStore(empty, { create: false })).rejects.toMatchObject(refusal(empty))
  expect(read()).toEqual(before)
})

it('the database name :memory: creates a file that several processes can share', async () => {
  const before = process.cwd()
  process.chdir(folder)
  try {
    const first = await openStore(':memory:')
    const second = await openStore(':memory:', { create: false })
    expect(second.keys).toEqual(first.keys)
    first.close()
    second.close()
  } finally {
    process.chdir(before)
  }
})

it('if a setting is missing in a database, the error names the setting', async () => {
  const store = await openStore(path)
  store.exec(`delete from setting where name = 'customer'`)
  store.close()
  await expect(openStore(path)).rejects.toMatchObject({
    code: 'configuration',
    message: `the sandbox database ${path} cannot be used (setting customer is missing)`,
  })
})

it('the error for a database on a full disk names the cause, and nothing is stored', async () => {
  const store = await openStore(path)
  const pages = store.get<{ page_count: number }>('pragma page_count')?.page_count
  store.exec(`pragma max_page_count = ${pages}`)
  const fill = () => {
    for (let user = 0; ; user++)
      store.run('insert into user (user_id, created_at_ms) values (?, 0)', `${user}`)
  }
  const message = `the sandbox database ${path} cannot be used (database or disk is full)`
  expect(() => store.transaction(fill)).toThrow(message)
  expect((await status(store)).users).toBe(0)
  store.close()
})

it('if its database is damaged, the sandbox returns 503 and logs the reason', async () => {
  await damageUsers()
  const lines: string[] = []
  const sandbox = await startSandbox({ strict: true, database: path, log: (line) => lines.push(line) })
  const headers = { 'x-api-key': sandbox.keys.development.key }
  const reply = await fetch(`${sandbox.url}/v2/users?external_user_id=4711`, { headers })
  expect([reply.status, await reply.json()]).toEqual([503, { detail: 'the sandbox database cannot be used' }])
  expect(lines[0]).toBe(`the sandbox database ${path} cannot be used (database disk image is malformed)`)
  await sandbox.close()
})

/** Damages the database: overwrites the first page of the users table and of its indexes. */
async function damageUsers(): Promise<void> {
  const store = await openStore(path)
  const roots = store.all<{ rootpage: number }>(`select rootpage from sqlite_master where tbl_name = 'user'`)
  store.get('pragma wal_checkpoint(truncate)')
  store.close()
  const file = await open(path, 'r+')
  for (const { rootpage } of roots) await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (rootpage - 1) * 4096)
  await file.close()
}

it('the sandbox releases its port if the database cannot store the port', async () => {
  const store = await openStore(path)
  store.exec(`create trigger full before insert on setting begin select raise(fail, 'disk is full'); end`)
  const free = await startSandbox({ strict: true, database: path })
  await free.close()
  const port = Number(new URL(free.url).port)
  await expect(startSandbox({ strict: true, database: path, port, announce: true })).rejects.toThrow(
    'disk is full',
  )
  store.exec('drop trigger full')
  const sandbox = await startSandbox({ strict: true, database: path, port })
  await sandbox.close()
  store.close()
})

it('the error for a port that is in use names the address and the cause', async () => {
  const first = await startSandbox({ strict: true, database: path })
  const port = Number(new URL(first.url).port)
  await expect(startSandbox({ strict: true, database: path, port })).rejects.toMatchObject({
    code: 'configuration',
    message: `the sandbox cannot listen on 127.0.0.1:${port} (address already in use)`,
  })
  await first.close()
})
