import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeBinary } from '../../scripts/node-binaries.js'
import { buildServer, killServers, type Served, send, serve, stop } from '../sandbox/serve.ts'

let folder: string
let database: string

beforeAll(async () => {
  await buildServer()
  folder = mkdtempSync(join(tmpdir(), 'facescan-nodes-'))
  database = join(folder, 'sandbox.sqlite')
})

afterAll(() => {
  killServers()
  rmSync(folder, { recursive: true })
})

/** Node 20 opens the database with libsql. Later versions have SQLite. */
const nodes = [20, 22, 24].map((major) => nodeBinary(major))
const answer = { lookup_key: 'weight', value: 1, timezone: 'UTC' }

async function countAnswers(served: Served): Promise<unknown> {
  const page = await send(served, 'GET', '/v2/questions/answered?external_user_id=shared')
  return ((await page.json()) as { pagination: { total_items: unknown } }).pagination.total_items
}

it('a sandbox database keeps all changes that Node 20, 22, and 24 write at the same time', async () => {
  const served = await Promise.all(nodes.map((node) => serve(database, { node })))
  const creations = served.map((one) => send(one, 'POST', '/v2/users', { external_user_id: 'shared' }))
  expect((await Promise.all(creations)).map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  const writes = Array.from({ length: 150 }, (_, index) =>
    send(served[index % 3] as Served, 'POST', '/v2/questions/answer?external_user_id=shared', answer),
  )
  const replies = await Promise.all(writes)
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
  for (const one of served) expect(await countAnswers(one)).toBe(150)
  await Promise.all(served.map(stop))
}, 120_000)

it('another version of Node can open the sandbox database of a killed process', async () => {
  for (const [index, node] of [...nodes, ...nodes.toReversed()].entries()) {
    const served = await serve(database, { node })
    expect(await countAnswers(served)).toBe(150 + index)
    await send(served, 'POST', '/v2/questions/answer?external_user_id=shared', answer)
    served.child.kill('SIGKILL')
  }
}, 120_000)
