import { type FacescanError, mayBeApplied, NetworkError, ServiceError } from '../../base/errors.ts'
import { findUnconfirmed } from '../../contract/echo.ts'
import type { ReplyOf } from '../../contract/index.ts'
import type { Context } from '../../framework/context.ts'
import type { ChangeStep, ListedInput } from '../../framework/many/options.ts'
import type { OptionValues } from '../../framework/options.ts'
import { nameUser } from '../../framework/user.ts'
import type { Api } from '../../http/client.ts'
import { type fieldOptions, toFields } from './fields.ts'
import { checkSameUser, unlessMissing } from './read-user.ts'

export const existingActions = ['skip', 'update', 'fail'] as const

/** Time between two lookups, because a service may find a new user only after a moment. */
const lookupPauseMs = 2_000

/**
 * Whether creations of a run returned 200, and whether they returned 201. If 201 was returned, 200 means that the user existed (spec 7).
 */
export interface CreationReplies {
  use200?: boolean
  use201?: boolean
  /** The first request that creates a user. The other requests wait for its response, so that they know whether it returned 200. */
  first?: Promise<unknown>
}

/** A user to create, with the fields that the flags of the command can set. */
export interface ListedUser extends ListedInput, Partial<OptionValues<typeof fieldOptions>> {
  existing?: (typeof existingActions)[number]
}

export interface CreationRun {
  replies: CreationReplies
  /** Records the request to create the user on disk, and then sends it. `announced` is set if an interrupted run may have sent it. */
  step: ChangeStep
}

/** The parts of the context that are needed to create a user. */
type CreationContext = Pick<Context, 'api' | 'clock' | 'signal'> & {
  flags: Pick<Context['flags'], 'timeout'>
}

/** The result of a creation. `unknown`: the response was incomplete, or does not show whether the user is new. */
type CreationStatus = 'created' | 'existing' | 'updated' | 'unknown'

interface CreatedUser {
  user_id: string
  status: CreationStatus
}

const maxAttempts = 4

/**
 * Creates a user exactly once, even if the service accepts a second user with the same external user ID. If the outcome of a creation is
 * unknown, the user is looked up twice, after the time at which the service can no longer apply the request. The creation is sent again
 * only if both lookups find no user. Some services return 200 only for an existing user, others also for a new user. From the first 200
 * until the first 201, each user is therefore looked up before it is created.
 */
export async function createOnce(
  ctx: CreationContext,
  listed: ListedUser,
  run: CreationRun,
): Promise<CreatedUser> {
  const api = await ctx.api()
  await checkSameUser(api, listed.user, listed.expectedUserId)
  if (run.replies.first) await run.replies.first
  return createUser(api, ctx, listed, run)
}

async function createUser(
  api: Api,
  ctx: CreationContext,
  listed: ListedUser,
  { step, replies }: CreationRun,
): Promise<CreatedUser> {
  const user = { external_user_id: nameUser(listed.user) }
  const fields = toFields(listed)
  const finish = finisher(api, listed)
  let isInDoubt = step.announced !== undefined
  const isProofNeeded = replies.use200 && !replies.use201 && !isInDoubt
  const before = isProofNeeded ? await lookUpFirst(api, user) : 'unread'
  if (typeof before === 'object') return finish(before.user_id, 'existing')
  for (let attempt = 1; ; attempt++) {
    const earlier = isInDoubt ? await findSettled(ctx, user) : undefined
    if (earlier !== undefined) return finish(earlier.user_id, 'unknown')
    const sent = create(() => step.send('', () => sendCreation(api, { ...user, ...fields })))
    if (step.announced === undefined) replies.first ??= sent.catch(() => undefined)
    const created = await sent
    if ('user' in created) {
      const { status, user_id } = created.user
      replies.use200 ||= status === 200
      replies.use201 ||= status === 201
      if (status === 201 || (before === undefined && !isInDoubt)) return finish(user_id, 'created')
      return finish(user_id, replies.use201 && !isInDoubt ? 'existing' : 'unknown')
    }
    const { error } = created
    isInDoubt ||= mayBeApplied(error)
    const found = await unlessMissing(api.users.get({ user }))
    if (found !== undefined) {
      // If the status is 201 and the user has the values that were sent, this request created the user. Only its response was incomplete.
      const isStored = findUnconfirmed({ body: fields }, found).length === 0
      const isNew = error.details.status === 201 && isStored
      return finish(found.user_id, isNew ? 'created' : isInDoubt ? 'unknown' : 'existing', error)
    }
    const isRefused = error.code === 'rejected' && !mayBeApplied(error)
    if (isRefused || attempt === maxAttempts) throw error
    if (!isInDoubt) await ctx.clock.sleep(ctx.flags.timeout / 10, ctx.signal)
  }
}

/** Returns a function that applies `--existing` to a user. `refusal` is the error with which the service refused to create the user. */
function finisher(api: Api, listed: ListedUser) {
  const { existing = 'skip' } = listed
  return async (user_id: string, status: CreationStatus, refusal?: FacescanError) => {
    if (existing === 'fail' && status === 'existing')
      throw refusal ?? new ServiceError('rejected', `user "${nameUser(listed.user)}" already exists`)
    if (existing !== 'update' || status === 'created') return { user_id, status }
    await api.users.update({ params: { user_id }, body: toFields(listed) })
    return { user_id, status: status === 'existing' ? ('updated' as const) : status }
  }
}

/** Looks up a user before the creation. `unread`: the service refused the lookup. */
async function lookUpFirst(api: Api, user: { external_user_id: string }) {
  try {
    return await unlessMissing(api.users.get({ user }))
  } catch (error) {
    if (error instanceof ServiceError || error instanceof NetworkError) return 'unread'
    throw error
  }
}

/** Looks up a user after a creation with an unknown outcome, when the service can no longer apply the request. */
async function findSettled(
  { api: connect, clock, signal, flags: { timeout } }: CreationContext,
  user: { external_user_id: string },
) {
  const api = await connect()
  await clock.sleep(timeout, signal)
  const found = await unlessMissing(api.users.get({ user }))
  if (found !== undefined) return found
  await clock.sleep(lookupPauseMs, signal)
  return unlessMissing(api.users.get({ user }))
}

/** Sends a request to create a user. Also returns the status, because only 201 means that the user is new (spec 7). */
export async function sendCreation(api: Api, body: object) {
  const { status, content } = await api.respond(api.contract.users.create, { body })
  const user = content?.value as ReplyOf<'users.create'>
  // If the service returns an unexpected response, `user_id` can be undefined despite its type.
  return { user, user_id: user.user_id, status }
}

/** Creates a user. If the request fails although the user may exist, returns the error instead of throwing it. */
async function create<User>(send: () => Promise<User>): Promise<{ user: User } | { error: FacescanError }> {
  try {
    return { user: await send() }
  } catch (error) {
    if (error instanceof NetworkError) return { error }
    if (error instanceof ServiceError && (error.code === 'server' || error.code === 'rejected'))
      return { error }
    throw error
  }
}
