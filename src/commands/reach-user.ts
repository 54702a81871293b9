import { ServiceError } from '../base/errors.ts'
import type { Context } from '../framework/context.ts'
import type { UserId } from '../framework/user.ts'
import type { Api } from '../http/client.ts'

/** A client for one user, with the action token of the command line or, for an API key, with a new token. */
export async function actingAs(ctx: Context, user: UserId | undefined): Promise<Api> {
  const api = await ctx.api()
  if (user === undefined) return api
  // A dry run masks the token, so any text can be used.
  if (ctx.flags.dryRun) return api.withToken('action-token')
  return api.withToken(await createToken(api, user))
}

/** Creates an action token. Throws if a character is not visible ASCII, because scripts use the token as one word. */
export async function createToken(api: Api, user: UserId): Promise<string> {
  const token = requireField(await api.users.authenticate({ user }), 'token')
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new ServiceError(
    'server',
    'the service returned an action token with a space, a line break, or another invalid character; it is not shown',
  )
}

/** Client and user for an endpoint that accepts an external user ID or an action token. A user ID is exchanged for a token. */
export async function reachUser(
  ctx: Context,
  user: UserId | undefined,
): Promise<{ api: Api; user: { external_user_id: string } | undefined }> {
  if (user !== undefined && 'external_user_id' in user) return { api: await ctx.api(), user }
  return { api: await actingAs(ctx, user), user: undefined }
}

/** Returns a field of a response that the next request needs. Throws if the field is missing. */
export function requireField<Name extends string>(
  reply: Record<Name, string> | undefined,
  name: Name,
): string {
  const value: unknown = reply?.[name]
  if (typeof value === 'string' && value !== '') return value
  throw new ServiceError('server', `the service’s response has no ${name}`)
}
