import { expect, test } from 'vitest'
import { hashUserId } from '../../../src/bulk/rows/user-hash.ts'
import { confusableMs } from '../../../src/bulk/service-clock.ts'
import { WriterRegister } from '../../../src/bulk/writers/register.ts'
import { UserFilter } from '../../../src/bulk/writers/user-filter.ts'
import { fakeClock } from '../../helpers/clock.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const users = new UserFilter()
users.add(hashUserId('4711'), false)

test('a heartbeat that is still being written when the import ends does not fail or outlive the end', async () => {
  const shared = { stateDirectory: temporaryFolder(), host: 'service', clock: fakeClock() }
  const register = new WriterRegister({ ...shared, self: { id: 'import a', users } })
  const heartbeats = Array.from({ length: 20 }, () => register.enter(9_000))
  await Promise.all([...heartbeats, register.leave(5_000)])
  const other = new WriterRegister({ ...shared, self: { id: 'import b', users } })
  expect(await other.quietAfterMs()).toBe(5_000 + confusableMs)
})
