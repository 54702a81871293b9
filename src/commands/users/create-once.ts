import { NetworkError, ServiceError } from '../../base/errors.ts'
import type { Api } from '../../http/client.ts'
import type { toFields } from './fields.ts'

type UserFields = ReturnType<typeof toFields>

export const existingActions = ['skip', 'update', 'fail'] as const

export interface CreateOptions {
  existing: (typeof existingActions)[number]
  /** Whether an earlier run may have sent the same create: a user that exists then counts as created. */
  mayBeSent: boolean
  /** Waits before a create is sent again. */
  pause(): Promise<void>
}

export interface CreatedUser {
  user_id: string
  status: 'created' | 'existing' | 'updated'
}

const maxAttempts = 4

/**
 * Creates a user effectively once. The service refuses a second user with the same external ID, so a lookup resolves a create
 * with an unknown outcome, and sending it again cannot create a second user.
 */
export async function createOnce(
  api: Api,
  external_user_id: string,
  fields: UserFields,
  { existing, mayBeSent, pause }: CreateOptions,
): Promise<CreatedUser> {
  const user = { external_user_id }
  let isOurs = mayBeSent
  for (let attempt = 1; ; attempt++) {
    try {
      const { user_id } = await api.users.create({ body: { ...user, ...fields } })
      return { user_id, status: 'created' }
    } catch (error) {
      const isAmbiguous = isUnknown(error)
      if (!isAmbiguous && !isRefused(error)) throw error
      const user_id = await findUser(api, user)
      if (user_id !== undefined) {
        // The user may exist because of this create, or of an earlier attempt.
        if (isAmbiguous || isOurs) {
          if (mayBeSent && existing === 'update')
            await api.users.update({ params: { user_id }, body: fields })
          return { user_id, status: 'created' }
        }
        return useExisting(api, user_id, fields, existing, error)
      }
      if (!isAmbiguous || attempt === maxAttempts) throw error
      isOurs = true
      await pause()
    }
  }
}

async function useExisting(
  api: Api,
  user_id: string,
  fields: UserFields,
  existing: CreateOptions['existing'],
  error: unknown,
): Promise<CreatedUser> {
  if (existing === 'fail') throw error
  if (existing === 'update') await api.users.update({ params: { user_id }, body: fields })
  return { user_id, status: existing === 'update' ? 'updated' : 'existing' }
}

async function findUser(api: Api, user: { external_user_id: string }): Promise<string | undefined> {
  try {
    return (await api.users.get({ user })).user_id
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

/** No reply, or a server error: the user may have been created. */
function isUnknown(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ServiceError && error.code === 'server')
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'rejected'
}
