import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkFile } from '../../../src/bulk/check.ts'
import { CheckPass } from '../../../src/bulk/check-pass.ts'
import { openInput } from '../../../src/bulk/open-input.ts'
import { openTable } from '../../../src/bulk/rows/open-table.ts'
import { hashUserId } from '../../../src/bulk/rows/user-hash.ts'
import { OrderedGrouping } from '../../../src/bulk/spool/grouping.ts'
import { SpooledGrouping } from '../../../src/bulk/spool/spooled-grouping.ts'
import type { Batch } from '../../../src/bulk/types.ts'
import fc from '../../helpers/fast-check.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { check, knownKeys } from '../import-input.ts'

const runs = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 100)
const header = 'external_user_id,lookup_key,value'
const settings = { batchSize: 3, timezone: 'UTC' }

interface Row {
  user: string
  value: number
}

const textOf = (rows: readonly Row[]) =>
  `${header}\n${rows.map(({ user, value }) => `${user},height,${value}\n`).join('')}`

/** The expected batches: users in order of appearance, rows in file order. Each batch is at most as long as the batch size. */
function expectedBatches(rows: readonly Row[]): { user: string; values: number[] }[] {
  const byUser = new Map<string, Row[]>()
  for (const row of rows) byUser.set(row.user, [...(byUser.get(row.user) ?? []), row])
  return [...byUser].flatMap(([user, all]) => {
    const cuts = Math.ceil(all.length / settings.batchSize)
    return Array.from({ length: cuts }, (_, cut) => ({
      user,
      values: all.slice(cut * settings.batchSize, (cut + 1) * settings.batchSize).map(({ value }) => value),
    }))
  })
}

/** Groups the rows of a text by user, in a temporary file with this number of partitions. */
async function spooled(text: string, partitions: number) {
  const input = await openInput('-', Readable.from([Buffer.from(text)]))
  const table = await openTable(input, { ...settings, kind: 'answers' })
  const grouping = new SpooledGrouping(settings.batchSize, text.length, partitions)
  const pass = new CheckPass({ table, settings, knownKeys }, (answer) => grouping.add(answer))
  for await (const _position of pass.read());
  grouping.finish()
  const names = { keys: pass.keys.names, zones: pass.zones.names }
  const batches: Batch[] = []
  for (const batch of grouping.batches(names)) batches.push(batch)
  grouping.close()
  input.close()
  return { batches, counts: grouping.counts }
}

const briefBatch = ({ user, rows }: Batch) => ({ user: user.id, values: rows.map(({ value }) => value) })
const byUserAndFirst = (a: { user: string; values: number[] }, b: { user: string; values: number[] }) =>
  a.user < b.user ? -1 : a.user > b.user ? 1 : (a.values[0] ?? 0) - (b.values[0] ?? 0)

/** Rows of random users. The value of a row is its position. */
function shuffledRows(count: number, users: number): Row[] {
  let state = 7
  return Array.from({ length: count }, (_, value) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return { user: `user-${(state >>> 8) % users}`, value }
  })
}

/** Two user IDs with the same length and the same hash. */
function collidingUsers(): [string, string] {
  const byHash = new Map<number, string>()
  for (let number = 100_000; ; number++) {
    const user = `patient-${number}`
    const hash = hashUserId(user)
    const other = byHash.get(hash)
    if (other?.length === user.length) return [other, user]
    byHash.set(hash, user)
  }
}

describe('batches', () => {
  it('a batch contains answers of one user in file order, up to the batch size', async () => {
    const row = fc.record({
      user: fc.constantFrom('a', 'b', 'c', 'aa', 'ü', 'x'.repeat(100)),
      value: fc.nat(1000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const batches = await (await check(textOf(rows), settings)).allBatches()
        expect(batches.map(briefBatch)).toEqual(expectedBatches(rows))
        expect(batches.map(({ id }) => id)).toEqual(batches.map((_, index) => index))
      }),
      { numRuns: runs },
    )
  })

  it('the plan of a file with shuffled rows states the correct number of batches', async () => {
    const rows = shuffledRows(20_000, 3000)
    const checked = await check(textOf(rows), settings)
    const batches = await checked.allBatches()
    expect(batches).toHaveLength(expectedBatches(rows).length)
    expect(checked.plan).toMatchObject({
      requests: batches.length,
      users: new Set(rows.map(({ user }) => user)).size,
    })
  })

  it('reading a file twice returns the same batches', async () => {
    const text = textOf(shuffledRows(500, 40))
    const [first, second] = [await check(text, settings), await check(text, settings)]
    const all = await first.allBatches()
    expect(await first.allBatches()).toEqual(all)
    expect(await second.allBatches()).toEqual(all)
  })

  it('a batch contains the row, the line, and the byte position of each answer', async () => {
    const text = `${header}\nb,height,1\n\na,"height",2\nb,weight,3\n`
    const batches = await (await check(text, settings)).allBatches()
    const places = batches.flatMap(({ rows }) =>
      rows.map(({ row, line, offset, value }) => ({ row, line, offset, value })),
    )
    expect(places).toEqual([
      { row: 0, line: 2, offset: text.indexOf('b,height'), value: 1 },
      { row: 2, line: 5, offset: text.indexOf('b,weight'), value: 3 },
      { row: 1, line: 4, offset: text.indexOf('a,"height'), value: 2 },
    ])
  })
})

describe('the temporary file that sorts answers by user', () => {
  const rows = shuffledRows(30_000, 500)
  const expected = expectedBatches(rows).sort(byUserAndFirst)

  it.each([
    ['with one partition', 1],
    ['with many partitions', 64],
  ])('a temporary file %s groups the answers into one batch for each user', async (_, partitions) => {
    const { batches, counts } = await spooled(textOf(rows), partitions)
    expect(batches.map(briefBatch).sort(byUserAndFirst)).toEqual(expected)
    expect(counts).toMatchObject({ users: 500, requests: expected.length })
  })

  it('the temporary file can contain more answers than fit into the read buffer', async () => {
    const many = shuffledRows(120_000, 500)
    const { counts } = await spooled(textOf(many), 1)
    expect(counts).toMatchObject({ users: 500, requests: expectedBatches(many).length })
  })

  it.each([
    ['a few answers', 60],
    ['more answers than fit into one block', 60_000],
  ])('the plan for %s counts the repeated answers', async (_, count) => {
    const rows = shuffledRows(count, 20)
    const text = textOf(rows).replaceAll(/^user-1,height/gm, 'user-1,weight')
    const { plan } = await check(text, settings)
    const users = new Set(rows.map(({ user }) => user)).size
    expect(plan).toMatchObject({ answers: count, users, repeats: { rows: count - users } })
  })

  it('two users whose IDs have the same length and hash are in separate batches', async () => {
    const pair = collidingUsers()
    const rows = [0, 1, 2, 3, 4].flatMap((turn) =>
      pair.map((user, index) => ({ user, value: turn * 2 + index })),
    )
    const { batches, counts } = await spooled(textOf(rows), 1)
    expect(counts).toMatchObject({ users: 2, requests: 4 })
    expect(batches.map(briefBatch)).toEqual(expectedBatches(rows))
  })

  it('an external user ID and a user ID with the same text are in separate batches', async () => {
    const id = '8d38118f-3b79-409b-be37-59a541f4499e'
    const lines = [`${id},,height,1,UTC`, `,${id},weight,2,Asia/Tokyo`, `${id},,weight,3,Asia/Tokyo`]
    const text = `external_user_id,user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`
    const { batches } = await spooled(text, 1)
    const answers = batches.map(({ user, rows }) => ({
      kind: user.kind,
      id: user.id,
      rows: rows.map(({ lookup_key, value, timezone }) => `${lookup_key} ${value} ${timezone}`),
    }))
    expect(answers).toEqual([
      { kind: 'external_user_id', id, rows: ['height 1 UTC', 'weight 3 Asia/Tokyo'] },
      { kind: 'user_id', id, rows: ['weight 2 Asia/Tokyo'] },
    ])
  })

  it.skipIf(process.platform === 'win32')('a killed process leaves no temporary file', async () => {
    const folder = temporaryFolder()
    // The rows need more than 1 MiB of memory, so some of them are in the temporary file only.
    const rows = shuffledRows(80_000, 10_000)
    const text = textOf(rows)
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const input = await openInput('-', Readable.from([Buffer.from(text)]))
    const checked = await checkFile(input, settings, { knownKeys })
    expect(readdirSync(folder)).toEqual([])
    expect(checked.plan.users).toBe(new Set(rows.map(({ user }) => user)).size)
    await checked.close()
    input.close()
  })
})

describe('a file whose users are in order', () => {
  it.each([
    ['by the bytes of the IDs', ['a', 'ab', 'b', 'ü']],
    ['by the number in the IDs', ['8', '9', '10', '11', '100']],
  ])('a file sorted %s is grouped by user without a temporary file', async (_, users) => {
    const rows = users.flatMap((user, index) =>
      [1, 2, 3, 4].map((value) => ({ user, value: index * 10 + value })),
    )
    const text = textOf(rows)
    const input = await openInput('-', Readable.from([Buffer.from(text)]))
    const source = { table: await openTable(input, { ...settings, kind: 'answers' }), settings, knownKeys }
    const grouping = new OrderedGrouping(source)
    const pass = new CheckPass(source, (answer) => grouping.add(answer))
    for await (const _position of pass.read());
    expect(grouping.isClosed).toBe(false)
    input.close()
    const checked = await check(text, settings)
    expect((await checked.allBatches()).map(briefBatch)).toEqual(expectedBatches(rows))
    expect(checked.plan).toMatchObject({ users: users.length, requests: users.length * 2 })
  })

  it('a file with shuffled rows is grouped by user, and each of its problems is counted once', async () => {
    const rows = [
      ...shuffledRows(5, 1),
      { user: 'zz', value: 1 },
      { user: 'a', value: 2 },
      { user: 'zz', value: 3 },
    ]
    const checked = await check(`${textOf(rows)}q,hight,1\n`, settings)
    expect((await checked.allBatches()).map(briefBatch)).toEqual(expectedBatches(rows))
    expect(checked.plan).toMatchObject({ invalid: 1, unknown_keys: [{ rows: 1 }] })
    expect((await checked.rejectsText())!.trimEnd().split('\n')).toHaveLength(2)
  })

  it('a sorted file is refused if it changes between the check and the import', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'answers.csv')
    writeFileSync(path, textOf([{ user: 'a', value: 1 }]))
    const input = await openInput(path, Readable.from([]))
    const checked = await checkFile(input, settings, { knownKeys })
    appendFileSync(path, 'b,height,2\n')
    const readAll = async () => {
      for await (const batch of checked.batches()) void batch
    }
    await expect(readAll()).rejects.toThrow(/changed while facescan was reading it/)
    await checked.close()
    input.close()
  })
})
