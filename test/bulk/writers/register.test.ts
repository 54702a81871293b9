import { expect, test } from 'vitest'
import { WriterRegister } from '../../../src/bulk/writers/register.ts'
import { UserFilter } from '../../../src/bulk/writers/user-filter.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const users = UserFilter.of([{ kind: 'external_user_id', id: '4711' }])

test('a heartbeat that is still being written when the import ends does not fail or outlive the end', async () => {
  const register = new WriterRegister(temporaryFolder(), 'service', () => 0)
  const self = { id: 'import a', users }
  const heartbeats = Array.from({ length: 20 }, () => register.enter(self, 9_000))
  await Promise.all([...heartbeats, register.leave(self, 5_000)])
  const [mark] = await register.others({ id: 'import b', users })
  expect(mark?.activeUntil).toBe(5_000)
})
