import type { CheckedInput } from '../../bulk/check.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import { whyHidden } from '../../bulk/send/lane.ts'
import { ServiceClock } from '../../bulk/send/service-clock.ts'
import type { UserRef } from '../../bulk/types.ts'
import type { Context } from '../../command/context.ts'
import type { SendingOptions } from './options.ts'

/** Only the plan needs this list. */
const longestCheckMs = 3_000

/** Whether the list of answers of the first user can prove which answers were saved. */
export async function describeEvidence(
  ctx: Context,
  { batches, hasBothIds }: CheckedInput,
  { pageParameter }: SendingOptions,
): Promise<string | undefined> {
  const user = await firstUser(batches())
  if (user === undefined) return undefined
  const why = whyHidden(user, hasBothIds) ?? (await whyUnusable(ctx, user, pageParameter))
  return why === undefined
    ? 'if the outcome of a request is unknown, facescan will check the user’s saved answers'
    : `if the outcome of a request is unknown, its rows will be unknown too, because ${why}`
}

async function firstUser(batches: ReturnType<CheckedInput['batches']>): Promise<UserRef | undefined> {
  for await (const { user } of batches) return user
  return undefined
}

async function whyUnusable(ctx: Context, user: UserRef, pageParameter: string): Promise<string | undefined> {
  const serviceClock = new ServiceClock(ctx.clock)
  const timeoutMs = Math.min(ctx.flags.timeout, longestCheckMs)
  const service = new AnswerService({ api: await ctx.api(), serviceClock, timeoutMs, pageParameter })
  try {
    const listing = await service.list(user, (ask) => ask())
    if (listing === 'unavailable') return 'the service did not return a list of answers'
    if (!listing.usable) return listing.why
    return serviceClock.isKnown ? undefined : 'the service sends no Date header'
  } catch {
    ctx.signal.throwIfAborted()
    return 'the service refused to list answers'
  }
}
