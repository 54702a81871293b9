import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashUserId } from '../../../src/bulk/rows/user-hash.ts'
import { confusableMs } from '../../../src/bulk/service-clock.ts'
import { ActiveWriters, BloomFilter } from '../../../src/bulk/writers/active-writers.ts'
import { fakeClock } from '../../helpers/clock.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const users = new BloomFilter()
users.add(hashUserId('4711'), false)

test('renewing the record of an active import does not overwrite the recorded end of the import', async () => {
  const shared = { stateDirectory: temporaryFolder(), host: 'service', clock: fakeClock() }
  const writers = new ActiveWriters({ ...shared, self: { id: 'import a', users } })
  const heartbeats = Array.from({ length: 20 }, () => writers.enter(9_000))
  await Promise.all([...heartbeats, writers.leave(5_000)])
  const other = new ActiveWriters({ ...shared, self: { id: 'import b', users } })
  expect(await other.quietAfterMs()).toBe(6_000 + confusableMs)
})

test('an import waits for late saves of an import that has ended, even if the clock was set back', async () => {
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
