import { ServiceError } from '../../base/errors.ts'
import type { Context } from '../../framework/context.ts'
import { assertSameUser, type UserId } from '../../framework/user.ts'
import type { Api } from '../../http/client.ts'
import { statesMissingUser } from '../../http/error-response.ts'

/** Throws if the two IDs of a row belong to different users. Call this before the user is changed. */
export async function checkSameUser(api: Api, user: UserId, expected: string | undefined): Promise<void> {
  if (expected !== undefined) assertSameUser((await api.users.get({ user })).user_id, expected)
}

type User = Awaited<ReturnType<Api['users']['get']>>

/** The user before a change. Undefined if the service accepts a user ID only for updates and deletions (spec 9). */
export async function readUser(api: Api, user: UserId): Promise<User | undefined> {
  try {
    return await api.users.get({ user })
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.code === 'rejected'
    if ('user_id' in user && isRefused) return undefined
    throw error
  }
}

const newUserMs = 10_000

/** Sends a request about a new user. Sends it again after 10 s if the user is not found, because a service may find a new user late. */
export async function sendForNew<Result>(
  { clock, signal }: Context,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (!isMissingUser(error)) throw error
    await clock.sleep(newUserMs, signal)
    return send()
  }
}

/** Whether an error states that the user does not exist. */
export function isMissingUser(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false
  return error.code === 'not_found' || statesMissingUser(error.details.status, error.details.detail)
}

/** The user. Undefined if the service does not find the user. */
export async function unlessMissing<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isMissingUser(error)) return undefined
    throw error
  }
}
