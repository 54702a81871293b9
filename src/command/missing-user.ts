import { ServiceError } from '../base/errors.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import { uuidPattern } from '../contract/values.ts'
import type { Context } from './context.ts'
import { followUp } from './follow-up.ts'
import { nameUser, type UserId } from './user.ts'

/** Names the user and the profile in an error of a service that does not know the user. Returns other errors unchanged. */
export async function explainMissingUser(
  error: unknown,
  ctx: Context,
  user: UserId | undefined,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'not_found' || user === undefined) return error
  if (/scan/i.test(error.message)) return error
  const { profile, environment } = await ctx.session()
  const message = `user "${nameUser(user)}" not found in ${profile ?? environment} (404)`
  return new ServiceError('not_found', message, { ...error.details, hint: suggest(user, ctx) })
}

function suggest(user: UserId, { flags }: Context): string {
  if ('user_id' in user) return 'Check the user ID, or pass the external user ID'
  const id = user.external_user_id
  if (uuidPattern.test(id))
    return `If the service assigned this ID, use: ${followUp(`users get --user-id ${id}`, flags)}`
  return `Check the ID, or create the user: ${followUp(`users create ${quoteWord(id)}`, flags)}`
}
