import { ServiceError } from '../base/errors.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import { uuidPattern } from '../contract/values.ts'
import type { Context } from './context.ts'
import { followUp } from './follow-up.ts'
import { nameUser, type UserId } from './user.ts'

/**
 * Adds the user or face scan and the profile to a 404 error. Returns other errors unchanged. Does not use the text of the
 * service, because its wording differs between services.
 */
export async function explainMissing(
  error: unknown,
  ctx: Context,
  { user, faceScanId }: { user?: UserId | undefined; faceScanId?: string },
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'not_found' || user === undefined) return error
  const { profile, environment } = await ctx.session()
  const place = `in ${profile ?? environment} (404)`
  const name = `user "${nameUser(user)}"`
  const [message, hint] =
    faceScanId === undefined
      ? [`${name} not found ${place}`, suggest(user, ctx)]
      : [`face scan ${faceScanId} of ${name} not found ${place}`, suggestScans(user, ctx)]
  return new ServiceError('not_found', message, { ...error.details, hint })
}

function suggestScans(user: UserId, { flags }: Context): string {
  const selected = 'user_id' in user ? `--user-id ${user.user_id}` : quoteWord(user.external_user_id)
  return `List the user’s face scans: ${followUp(`biomarkers list ${selected}`, flags)}`
}

function suggest(user: UserId, { command, flags }: Context): string {
  if ('user_id' in user) return 'Check the user ID, or pass the external user ID'
  const id = user.external_user_id
  if (uuidPattern.test(id))
    return `If the service assigned this ID, pass it with --user-id: ${followUp(`users get --user-id ${id}`, flags)}`
  if (command === 'users delete') return 'Check the ID'
  return `Check the ID, or create the user: ${followUp(`users create ${quoteWord(id)}`, flags)}`
}
