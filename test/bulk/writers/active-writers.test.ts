import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeProcess } from '../../../src/bulk/lock-holder.ts'
import { hashUserId } from '../../../src/bulk/rows/user-hash.ts'
import { confusableMs } from '../../../src/bulk/service-clock.ts'
import { ActiveWriters, BloomFilter, type Writer } from '../../../src/bulk/writers/active-writers.ts'
import { fakeClock } from '../../helpers/clock.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const users = new BloomFilter()
users.add(hashUserId('4711'), false)

test('if an import ends while its record is being renewed, the record keeps the end', async () => {
  const shared = { stateDirectory: temporaryFolder(), host: 'service', clock: fakeClock() }
  const writers = new ActiveWriters({ ...shared, self: { id: 'import a', users } })
  const heartbeats = Array.from({ length: 20 }, () => writers.enter(9_000))
  await Promise.all([...heartbeats, writers.leave(5_000)])
  const other = new ActiveWriters({ ...shared, self: { id: 'import b', users } })
  expect(await other.quietAfterMs()).toBe(6_000 + confusableMs)
})

test('an import waits for late requests of an ended import, even if the clock was set back', async () => {
  const shared = { stateDirectory: temporaryFolder(), host: 'service' }
  const ended = new ActiveWriters({
    ...shared,
    clock: fakeClock(100_000_000),
    self: { id: 'import a', users },
  })
  await ended.enter(9_000)
  await ended.leave(5_000)
  const other = new ActiveWriters({
    ...shared,
    clock: fakeClock(50_000_000),
    self: { id: 'import b', users },
  })
  expect(await other.quietAfterMs()).toBe(6_000 + confusableMs)
})

test('the record of an active import on another machine expires if it is not renewed', async () => {
  const stateDirectory = temporaryFolder()
  const clock = fakeClock()
  const writers = new ActiveWriters({
    stateDirectory,
    host: 'service',
    clock,
    self: { id: 'import a', users },
  })
  await writers.enter(9_000)
  const folder = join(stateDirectory, 'writers')
  const [path = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  const mark = JSON.parse(readFileSync(join(folder, path), 'utf8'))
  writeFileSync(
    join(folder, path),
    JSON.stringify({ ...mark, holder: { ...mark.holder, host: 'pod-1', bootId: 'other' } }),
  )
  const other = new ActiveWriters({
    stateDirectory,
    host: 'service',
    clock,
    self: { id: 'import b', users },
  })
  const user = { kind: 'external_user_id', id: '4711' } as const
  expect(await other.findConcurrentWriter(user, 0)).toMatch('import a may have saved')
  await clock.advance(2 * 60 * 60_000)
  expect(await other.findConcurrentWriter(user, 0)).toBeUndefined()
})

const hourMs = 60 * 60_000
const known = { kind: 'external_user_id', id: '4711' } as const
const usersOf = (...ids: string[]) => {
  const filter = new BloomFilter()
  for (const id of ids) filter.add(hashUserId(id), false)
  return filter
}

/** A state directory with the records of several commands. All commands use the same clock. */
function machine() {
  const stateDirectory = temporaryFolder()
  const clock = fakeClock(100_000_000)
  const writers = (self: Partial<Writer> = {}, host = 'service') =>
    new ActiveWriters({ stateDirectory, host, clock, self: { id: 'import b', users, ...self } })
  const paths = () =>
    readdirSync(join(stateDirectory, 'writers'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(stateDirectory, 'writers', name))
  /** Changes fields of the first record in the directory. Each test writes only one record. */
  const edit = (change: Record<string, unknown>) => {
    const [path = ''] = paths()
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }))
  }
  return { stateDirectory, clock, writers, paths, edit }
}

const part = (input: string, index: number) => ({ input, index })
test.each<[name: string, isFound: boolean, other: Partial<Writer>, self: Partial<Writer>]>([
  ['the same user', true, {}, {}],
  ['other users', false, { users: usersOf('4712') }, {}],
  ['the same user and other users', true, { users: usersOf('4711', '4712') }, {}],
  ['the same ID as the import', false, { id: 'import b' }, {}],
  ['another shard of the same input', false, { part: part('x', 0) }, { part: part('x', 1) }],
  ['the same shard of the same input', true, { part: part('x', 1) }, { part: part('x', 1) }],
  ['another shard of another input', true, { part: part('y', 0) }, { part: part('x', 1) }],
  ['no shard', true, {}, { part: part('x', 1) }],
])(
  'an active command with %s could have saved the answers of an import: %s',
  async (_, isFound, other, self) => {
    const { writers } = machine()
    await writers({ id: 'import a', ...other }).enter(9_000)
    const found = await writers(self).findConcurrentWriter(known, 0)
    expect(found).toBe(
      isFound ? 'import a may have saved the same answer for the same user at the same time' : undefined,
    )
  },
)

test('a command for another service is not a possible source of a saved answer', async () => {
  const { writers } = machine()
  await writers({ id: 'import a' }, 'another service').enter(9_000)
  expect(await writers().findConcurrentWriter(known, 0)).toBeUndefined()
})

test('a listed answer that equals a sent answer may come from another command that ended shortly before the request', async () => {
  const { writers, clock } = machine()
  const ended = writers({ id: 'import a' })
  await ended.enter(9_000)
  await ended.leave(5_000)
  const find = (sinceMs: number) => writers().findConcurrentWriter(known, sinceMs, 1_000)
  await clock.advance(8_000)
  expect(await find(2_000)).toBeDefined()
  expect(await find(1_999)).toBeUndefined()
})

test('an import waits for late requests of an ended command, but not for an active command', async () => {
  const { writers, clock } = machine()
  const other = writers({ id: 'import a' })
  await other.enter(9_000)
  expect(await writers().quietAfterMs()).toBe(0)
  await other.leave(5_000)
  await clock.advance(1_000)
  expect(await writers().quietAfterMs()).toBe(5_000 + confusableMs)
  await clock.advance(hourMs)
  expect(await writers().quietAfterMs()).toBe(0)
})

test('the record of an ended command is removed one hour after the service can no longer save its answers', async () => {
  const { writers, clock, paths } = machine()
  await writers({ id: 'import a' }).leave(5_000)
  await clock.advance(hourMs + 5_000)
  expect(await writers().findConcurrentWriter(known, hourMs)).toBeDefined()
  await clock.advance(1)
  expect(await writers().findConcurrentWriter(known, hourMs + 1)).toBeUndefined()
  expect(paths()).toEqual([])
})

test('a killed command counts as ended once the service can no longer save its answers', async () => {
  const { writers, clock, edit } = machine()
  await writers({ id: 'import a' }).enter(5_000)
  edit({ holder: { ...(await describeProcess(process.pid)), pid: 2 ** 22 + 1 } })
  expect(await writers().quietAfterMs()).toBe(6_000 + confusableMs)
  await clock.advance(5_001)
  expect(await writers().findConcurrentWriter(known, 0, 0)).toBeUndefined()
})

test('if a record has no field settleMs, an import waits for late requests until the recorded time', async () => {
  const { writers, clock, edit } = machine()
  await writers({ id: 'import a' }).leave(5_000)
  edit({ settleMs: undefined })
  await clock.advance(1_000)
  expect(await writers().quietAfterMs()).toBe(5_000 + confusableMs)
})

test('damaged and temporary files in the directory of records are ignored', async () => {
  const { writers, paths } = machine()
  await writers().enter(5_000)
  const [path = ''] = paths()
  writeFileSync(join(path, '..', 'damaged.json'), '{')
  writeFileSync(join(path, '..', 'a.tmp'), readFileSync(path, 'utf8').replace('import b', 'import a'))
  expect(await writers().findConcurrentWriter(known, 0)).toBeUndefined()
})

test('if a command cannot write its record at its start, it fails; if it cannot write its record at its end, it does not fail', async () => {
  const { stateDirectory, writers } = machine()
  writeFileSync(join(stateDirectory, 'writers'), 'a file')
  await expect(writers().enter(9_000)).rejects.toThrow()
  await writers().leave(9_000)
  expect(existsSync(join(stateDirectory, 'writers', 'service'))).toBe(false)
  expect(await writers().quietAfterMs()).toBe(0)
})

test('a set of users that is written and read again contains every added user, and none of the other users in the test', () => {
  const stored = BloomFilter.parse(String(usersOf('4711', 'b')), false)
  const has = (id: string) => stored.has({ kind: 'external_user_id', id })
  expect(['4711', 'b', 'c', '4712', ''].map(has)).toEqual([true, true, false, false, false])
  expect(stored.has({ kind: 'user_id', id: 'c' })).toBe(true)
  expect([stored.overlaps(usersOf('b', 'x')), stored.overlaps(usersOf('x', 'y'))]).toEqual([true, false])
})

test('if a set of users contains a user_id, every external user ID is treated as a member of the set', () => {
  const internal = usersOf('4711')
  internal.add(hashUserId('x'), true)
  internal.add(hashUserId('y'), false)
  expect(internal.has({ kind: 'external_user_id', id: 'c' })).toBe(true)
  expect([internal.overlaps(usersOf('z')), usersOf('z').overlaps(internal)]).toEqual([true, true])
  expect(BloomFilter.parse(String(internal), true).overlaps(usersOf('z'))).toBe(true)
})
