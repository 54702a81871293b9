import { ServiceError } from '../../base/errors.ts'
import type { UserId } from '../../framework/user.ts'
import type { Api } from '../../http/client.ts'

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
