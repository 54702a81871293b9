import { ServiceError, UsageError } from '../base/errors.ts'
import type { Who } from '../command/who.ts'
import type { Api } from '../http/client.ts'

/** The person's identifier as an endpoint takes it that accepts either kind. */
export function eitherId(who: Who): { external_user_id: string } | { user_id: string } {
  if (who.externalUserId !== undefined) return { external_user_id: who.externalUserId }
  if (who.userId !== undefined) return { user_id: who.userId }
  throw new UsageError('which user? Give --external-user-id ID or --user-id UUID')
}

/** For an endpoint that takes the external id only, which the parser has made sure of. */
export function externalId(who: Who): { external_user_id: string } {
  if (who.externalUserId !== undefined) return { external_user_id: who.externalUserId }
  throw new UsageError('which user? Give --external-user-id ID')
}

/** A client that acts as the user: with the token at hand, or with one made right before from the key. */
export async function actingAs(api: Api, who: Who): Promise<Api> {
  if (api.credentialKind === 'token') return api
  return api.withToken(essential(await api.users.authenticate({ user: eitherId(who) }), 'token'))
}

/** A field of a reply that the next request hangs on; whatever else a reply lacks is only not shown. */
export function essential<Name extends string>(reply: Record<Name, string>, name: Name): string {
  const value: unknown = reply[name]
  if (typeof value === 'string' && value !== '') return value
  throw new ServiceError('server', `the service answered without a ${name}`)
}

/**
 * For an endpoint that takes the external id or a token: with an internal id, which it does not take, a token is made.
 * `user` is undefined where the token implies it.
 */
export async function reachUser(
  api: Api,
  who: Who,
): Promise<{ api: Api; user: { external_user_id: string } | undefined }> {
  if (who.externalUserId !== undefined) return { api, user: { external_user_id: who.externalUserId } }
  return { api: await actingAs(api, who), user: undefined }
}
