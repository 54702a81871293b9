import { setMaxListeners } from 'node:events'
import { ServiceError } from '../../base/errors.ts'
import { count } from '../../base/text.ts'
import { hashUserId } from '../../bulk/rows/user-hash.ts'
import { ownsUser, rateOfShard, type Shard } from '../../bulk/shard.ts'
import { dashed } from '../../contract/values.ts'
import type { Context } from '../../framework/context.ts'
import type { SendingOptions } from './options.ts'

const lookupsAtOnce = 16

/** Returns the external user IDs whose user ID in the service differs from the file. Unknown users are reported later. */
export async function findOtherUsers(
  ctx: Context,
  expected: ReadonlyMap<string, string>,
  { maxConcurrency, rate }: Pick<SendingOptions, 'maxConcurrency' | 'rate'>,
  shard: Shard | undefined,
): Promise<Set<string>> {
  const { clock, progress } = ctx
  const api = await ctx.api()
  const others = new Set<string>()
  const left = expected.entries()
  const intervalMs = 1_000 / (rateOfShard(rate, shard) ?? Number.POSITIVE_INFINITY)
  const startedAt = clock.monotonic()
  let started = 0
  const failed = new AbortController()
  const signal = AbortSignal.any([ctx.signal, failed.signal])
  // Each waiting lookup adds a listener. Node prints a warning for more than ten listeners, so the limit is removed.
  setMaxListeners(0, signal)
  const work = async () => {
    for (const [external, internal] of left) {
      if (!ownsUser(shard, hashUserId(external))) continue
      const waitMs = startedAt + intervalMs * started++ - clock.monotonic()
      if (waitMs > 0) await clock.sleep(waitMs, signal)
      signal.throwIfAborted()
      progress.show(`comparing the IDs of users: ${count(started)}`)
      try {
        const { user_id } = await api.users.get({ user: { external_user_id: external } })
        if (dashed(user_id) !== dashed(internal)) others.add(external)
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'not_found') continue
        failed.abort()
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(lookupsAtOnce, maxConcurrency) }, work))
  return others
}
