import { type FacescanError, mayBeApplied, NetworkError, ServiceError } from '../../base/errors.ts'
import type { Api } from '../../http/client.ts'
import type { toFields } from './fields.ts'

export const existingActions = ['skip', 'update', 'fail'] as const

export interface CreateOptions {
  existing: (typeof existingActions)[number]
  /** Whether an interrupted run may have sent the same create. */
  mayBeSent: boolean
  /** Waits before a create is sent again. */
  pause(): Promise<void>
}

/** A user is `created_or_existing` if the reply to a create is missing, because the user may have existed before it. */
type CreationStatus = 'created' | 'existing' | 'updated' | 'created_or_existing'

const maxAttempts = 4

/**
 * Creates a user effectively once. The service refuses a second user with the same external ID, so a lookup resolves a create
 * with an unknown outcome, and sending it again cannot create a second user.
 */
export async function createOnce(
  api: Api,
  external_user_id: string,
  fields: ReturnType<typeof toFields>,
  { existing, mayBeSent, pause }: CreateOptions,
): Promise<{ user_id: string; status: CreationStatus }> {
  const user = { external_user_id }
  let isInDoubt = mayBeSent
  for (let attempt = 1; ; attempt++) {
    const created = await create(() => api.users.create({ body: { ...user, ...fields } }))
    // A reply with an unexpected shape may lack the user ID.
    if ('user' in created) return { user_id: created.user.user_id, status: 'created' }
    const { error } = created
    isInDoubt ||= mayBeApplied(error)
    const user_id = await findUser(api, user)
    if (user_id !== undefined) {
      // The create succeeded, but its reply was incomplete.
      if (error.details.status === 201) return { user_id, status: 'created' }
      if (existing === 'fail' && !isInDoubt) throw error
      if (existing === 'update') await api.users.update({ params: { user_id }, body: fields })
      if (isInDoubt) return { user_id, status: 'created_or_existing' }
      return { user_id, status: existing === 'update' ? 'updated' : 'existing' }
    }
    if (isRefused(error) || attempt === maxAttempts) throw error
    await pause()
  }
}

/** Returns the created user, or the error if the user may exist. */
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

function isRefused(error: FacescanError): boolean {
  return error.code === 'rejected' && !mayBeApplied(error)
}

async function findUser(api: Api, user: { external_user_id: string }): Promise<string | undefined> {
  try {
    return (await api.users.get({ user })).user_id
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}
