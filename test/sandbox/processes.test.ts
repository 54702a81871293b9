import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openStore } from '../../src/sandbox/index.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import type { Keys } from '../../src/sandbox/store.ts'
import { buildServer, killServers, type Served, send, serve, stop } from './serve.ts'

let folder: string
let database: string

beforeAll(() => buildServer())
afterAll(killServers)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facescan-processes-'))
  database = join(folder, 'sandbox.sqlite')
})

const hasSqlite = createRequire(import.meta.url)('node:module').isBuiltin('node:sqlite')

it.skipIf(hasSqlite)(
  'the sandbox reports that SQLite is not available on an old version of Node without libsql',
  async () => {
    const bundle = join(folder, 'server.mjs')
    await buildServer(bundle)
    const start = () =>
      execFileSync(process.execPath, [bundle, database], { encoding: 'utf8', stdio: 'pipe' })
    expect(start).toThrow('the sandbox needs SQLite, but SQLite is not available')
    rmSync(folder, { recursive: true })
  },
)

// spec 5:5
it('several processes that start the sandbox at the same time create the API keys once', async () => {
  const served = await Promise.all(Array.from({ length: 6 }, () => serve(database)))
  const keys = new Set(served.map((one) => JSON.stringify(one.keys)))
  expect(keys.size).toBe(1)
  const [{ development, production }] = served.map((one) => one.keys) as [Keys]
  expect([development.alias, production.alias]).toEqual(['ACME-DEV', 'ACME'])
  for (const { key } of [development, production]) expect(key).toMatch(/^[\w!.@-]{40}$/)
  expect(development.key).not.toBe(production.key)
  await Promise.all(served.map(stop))
  rmSync(folder, { recursive: true })
})

it('the sandbox creates a database that only its owner can read', async () => {
  await stop(await serve(database))
  expect(statSync(database).mode & 0o777).toBe(0o600)
  rmSync(folder, { recursive: true })
})

// spec 2.1:3
it('several processes save answers in one sandbox at the same time, and create a user once', async () => {
  const served = await Promise.all([serve(database), serve(database), serve(database)])
  const attempts = served.map((one) => send(one, 'POST', '/v2/users', { external_user_id: 'shared' }))
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 400, 400])
  const answer = { lookup_key: 'weight', value: 1, timezone: 'UTC' }
  const writes = Array.from({ length: 90 }, (_, index) =>
    send(served[index % 3] as Served, 'POST', '/v2/questions/answer?external_user_id=shared', answer),
  )
  const replies = await Promise.all(writes)
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
  const page = await send(served[0] as Served, 'GET', '/v2/questions/answered?external_user_id=shared')
  expect(await page.json()).toMatchObject({ pagination: { total_items: 90 } })
  await Promise.all(served.map(stop))
  rmSync(folder, { recursive: true })
})

it('a killed sandbox keeps confirmed answers, and stores either all answers in a request or none', async () => {
  const served = await serve(database)
  await send(served, 'POST', '/v2/users', { external_user_id: 'killed' })
  const batch = Array.from({ length: 20 }, (_, value) => ({ lookup_key: 'age', value, timezone: 'UTC' }))
  let acknowledged = 0
  const write = async (): Promise<void> => {
    const reply = await send(served, 'POST', '/v2/questions/answer/many?external_user_id=killed', batch)
    if (reply.status === 201) acknowledged += 1
    if (acknowledged === 40) served.child.kill('SIGKILL')
    return write()
  }
  await Promise.allSettled(Array.from({ length: 16 }, write))
  const store = await openStore(database)
  const { total } = store.get<{ total: number }>('select count(*) as total from answer') ?? {}
  expect(store.get('pragma integrity_check')).toEqual({ integrity_check: 'ok' })
  expect(Number(total) % batch.length).toBe(0)
  expect(Number(total) / batch.length).toBeGreaterThanOrEqual(acknowledged)
  expect(acknowledged).toBeGreaterThanOrEqual(40)
  store.close()
  rmSync(folder, { recursive: true })
})

it('links contain the port of a running "sandbox serve", or port 4010 if none is running', async () => {
  const serving = await serve(database, { announce: true })
  const inProcess = await startSandbox({ strict: true, database })
  const own = { ...serving, url: inProcess.url }
  await send(own, 'POST', '/v2/users', { external_user_id: 'linked' })
  const portOfLink = async () => {
    const reply = await send(own, 'GET', '/v2/userjourneys/scan?external_user_id=linked')
    return new URL((await reply.json()) as string).port
  }
  expect(await portOfLink()).toBe(new URL(serving.url).port)
  serving.child.kill('SIGKILL')
  await once(serving.child, 'exit')
  expect(await portOfLink()).toBe('4010')
  await inProcess.close()
  rmSync(folder, { recursive: true })
})
