import { randomUUID } from 'node:crypto'
import { mayBeApplied } from '../base/errors.ts'
import { requireDirectory } from '../base/paths.ts'
import { hashUserId } from '../bulk/rows/user-hash.ts'
import { ActiveWriters, BloomFilter, describeService } from '../bulk/writers/active-writers.ts'
import type { Context } from '../framework/context.ts'

/**
 * Runs `save`. Meanwhile, a record shows imports on this machine that this command saves answers for the user. Without an external user ID,
 * the record is for all users.
 */
export async function markSave<T>(
  ctx: Context,
  user: { external_user_id?: string; user_id?: string } | undefined,
  save: () => Promise<T>,
): Promise<T> {
  const { clock, flags, paths } = ctx
  if (flags.dryRun || paths.state === undefined) return save()
  const id = user?.external_user_id
  const users = new BloomFilter(undefined, id === undefined)
  if (id !== undefined) users.add(hashUserId(id), false)
  const { baseUrl } = await ctx.session()
  // The random part is necessary, because processes in different containers can have the same process ID.
  const self = { id: `process ${process.pid} (${randomUUID().slice(0, 8)})`, users }
  const host = describeService(baseUrl)
  const writers = new ActiveWriters({ stateDirectory: requireDirectory(paths, 'state'), host, clock, self })
  const { timeout } = flags
  let settleMs = timeout
  await writers.enter(2 * timeout)
  try {
    const saved = await save()
    settleMs = 0
    return saved
  } catch (error) {
    if (!mayBeApplied(error)) settleMs = 0
    throw error
  } finally {
    await writers.leave(settleMs)
  }
}
