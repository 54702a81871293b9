import { ServiceError } from '../../base/errors.ts'
import { dashed } from '../../contract/values.ts'
import type { UserId } from '../../framework/user.ts'
import type { Api } from '../../http/client.ts'

/** Throws if a row has both IDs and they belong to two users, for example because one column was sorted alone. */
export function assertSameUser(found: string, expected: string | undefined): void {
  if (expected === undefined || dashed(expected) === dashed(found)) return
  throw new ServiceError(
    'rejected',
    'the external user ID and the user ID of this row belong to different users',
  )
}

/** Looks up the user of a row that has both IDs, before the user is changed. */
export async function checkSameUser(api: Api, user: UserId, expected: string | undefined): Promise<void> {
  if (expected !== undefined) assertSameUser((await api.users.get({ user })).user_id, expected)
}

type User = Awaited<ReturnType<Api['users']['get']>>

/**
 * The user before a change. Undefined if the service refuses to read with a user ID: the current revision accepts it only for
 * updates and deletions (spec 9).
 */
export async function readUser(api: Api, user: UserId): Promise<User | undefined> {
  try {
    return await api.users.get({ user })
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.code === 'rejected'
    if ('user_id' in user && isRefused) return undefined
    throw error
  }
}
