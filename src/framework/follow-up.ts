import { type Hint, ServiceError } from '../base/errors.ts'
import { uuidPattern } from '../contract/values.ts'
import type { Context } from './context.ts'
import { nameUser, type UserId, type UserNeed, userArguments } from './user.ts'

/** The profile of the session for messages, or the environment if there is no profile. */
export async function namePlace(ctx: Context): Promise<string> {
  const { profile, environment } = await ctx.session()
  return profile ?? environment
}

/** Adds to a 404 error which user or face scan was not found in which profile. Other errors stay unchanged. */
export async function explainMissing(
  error: unknown,
  ctx: Context,
  need: UserNeed | undefined,
  { user, faceScanId }: { user?: UserId | undefined; faceScanId?: string },
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.details.missing !== 'user' || user === undefined) return error
  const { detail } = error.details
  const place = `in ${await namePlace(ctx)} (404)${detail === undefined ? '' : `: ${detail}`}`
  const name = `user "${nameUser(user)}"`
  const list = ['biomarkers', 'list', ...userArguments(user), '--no-truncate']
  const [message, hint] =
    faceScanId === undefined
      ? [`${name} not found ${place}`, suggest(user, ctx, need)]
      : [
          `face scan ${faceScanId} not found for ${name} ${place}`,
          { text: 'List the user’s face scans', run: list },
        ]
  return new ServiceError('not_found', message, { ...error.details, hint })
}

/** Commands that a person also runs for a user who does not exist yet. */
const forNewUsers = ['answers save', 'scan-url', 'dashboard-url', 'token']

function suggest(user: UserId, { command, line }: Context, need: UserNeed | undefined): string | Hint {
  if ('user_id' in user) return 'Check the user ID, or pass the external user ID'
  const id = user.external_user_id
  if (uuidPattern.test(id)) {
    const same = line.replace(new RegExp(`(?:--external-user-id[ =]|-- )?\\b${id}\\b`), `--user-id ${id}`)
    return need === 'external' || same === line
      ? 'If the service assigned this ID, pass the external user ID instead'
      : `If the service assigned this ID, pass it with --user-id: ${same}`
  }
  if (id !== id.trim()) return 'Check the ID: it starts or ends with a space'
  if (!forNewUsers.includes(command)) return 'Check the ID'
  return { text: 'Check the ID, or create the user', run: ['users', 'create', ...userArguments(user)] }
}
