import { type FacescanError, mayBeApplied, NetworkError, ServiceError } from '../../base/errors.ts'
import { findUnconfirmed } from '../../contract/echo.ts'
import type { Context } from '../../framework/context.ts'
import type { ChangeStep } from '../../framework/many/options.ts'
import type { Api } from '../../http/client.ts'
import type { toFields } from './fields.ts'
import { isMissingUser } from './read-user.ts'

export const existingActions = ['skip', 'update', 'fail'] as const

const lookupPauseMs = 2_000

/**
 * Functions that wait during the creation of a user. `settle` waits for the timeout of a request, because the service can still apply the
 * request until then.
 */
export function creationWaits({ clock, signal, flags: { timeout } }: Context) {
  const wait = (ms: number) => () => clock.sleep(ms, signal)
  return { pause: wait(timeout / 10), settle: wait(timeout), pauseLookup: wait(lookupPauseMs) }
}

export interface CreateOptions {
  existing: (typeof existingActions)[number]
  /** Records the creation on disk and then sends it. `announced` is set if an interrupted run may have sent the creation. */
  step: ChangeStep
  /** Waits before the creation is sent again, if the service has not applied it. */
  pause(): Promise<void>
  /** Waits until the service can no longer apply a request that an interrupted run sent. */
  settle(): Promise<void>
  /** Waits between two lookups, because a service may find a new user only after a moment. */
  pauseLookup(): Promise<void>
}

/** The result of a creation. `unknown`: no complete response arrived. Either this run created the user, or the user already existed. */
type CreationStatus = 'created' | 'existing' | 'updated' | 'unknown'

const maxAttempts = 4

/**
 * Creates a user exactly once, although a service may accept a second user with the same external user ID. A creation with an unknown
 * outcome is sent again only if two lookups do not find the user. The lookups start when the service can no longer apply the earlier
 * request.
 */
export async function createOnce(
  api: Api,
  external_user_id: string,
  fields: ReturnType<typeof toFields>,
  options: CreateOptions,
): Promise<{ user_id: string; status: CreationStatus }> {
  const { existing, step, pause } = options
  const user = { external_user_id }
  let isInDoubt = step.announced !== undefined
  for (let attempt = 1; ; attempt++) {
    const earlier = isInDoubt ? await findSettled(api, user, options) : undefined
    if (earlier !== undefined) {
      const { user_id } = earlier
      if (existing === 'update') await api.users.update({ params: { user_id }, body: fields })
      return { user_id, status: 'unknown' }
    }
    const created = await create(() =>
      step.send('', () => api.users.create({ body: { ...user, ...fields } })),
    )
    // If the service returns an unexpected response, `user_id` can be undefined despite its type.
    if ('user' in created) return { user_id: created.user.user_id, status: 'created' }
    const { error } = created
    isInDoubt ||= mayBeApplied(error)
    const found = await findUser(api, user)
    if (found !== undefined) {
      const { user_id } = found
      // If the status is 201 and the user has the values that were sent, this request created the user. Only its response was incomplete.
      const isStored = findUnconfirmed({ body: fields }, found).length === 0
      if (error.details.status === 201 && isStored) return { user_id, status: 'created' }
      if (existing === 'fail' && !isInDoubt) throw error
      if (existing === 'update') await api.users.update({ params: { user_id }, body: fields })
      if (isInDoubt) return { user_id, status: 'unknown' }
      return { user_id, status: existing === 'update' ? 'updated' : 'existing' }
    }
    if (isRefused(error) || attempt === maxAttempts) throw error
    if (!isInDoubt) await pause()
  }
}

/** Looks for a user after a creation with an unknown outcome. */
async function findSettled(
  api: Api,
  user: { external_user_id: string },
  { settle, pauseLookup }: CreateOptions,
) {
  await settle()
  const found = await findUser(api, user)
  if (found !== undefined) return found
  await pauseLookup()
  return findUser(api, user)
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

function isRefused(error: FacescanError): boolean {
  return error.code === 'rejected' && !mayBeApplied(error)
}

async function findUser(api: Api, user: { external_user_id: string }) {
  try {
    return await api.users.get({ user })
  } catch (error) {
    if (isMissingUser(error)) return undefined
    throw error
  }
}
