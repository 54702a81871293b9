import { FacescanError, ServiceError } from '../base/errors.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import { uuidPattern } from '../contract/values.ts'
import type { Context } from './context.ts'
import type { GlobalFlags } from './global-flags.ts'
import { nameUser, type UserId, type UserNeed, userWords } from './user.ts'

type SameService = Partial<Pick<GlobalFlags, 'profile' | 'keyFile' | 'keyStdin' | 'actionToken'>>

/**
 * A suggested command that uses the same service and credential as the current command. If the credential came from a pipe,
 * the command starts with `… |`, because it needs the same pipe.
 */
export function followUp(words: string, { profile, keyFile, keyStdin, actionToken }: SameService): string {
  // Of the suggested commands, only `status` accepts an action token.
  const token = words === 'status' ? actionToken : undefined
  const same = { profile, 'key-file': keyFile, 'key-stdin': keyStdin, 'action-token': token }
  const flags = Object.entries(same).flatMap(([name, value]) =>
    typeof value === 'string' ? [`--${name} ${quoteWord(value)}`] : value ? [`--${name}`] : [],
  )
  const pipe = keyStdin || keyFile === '-' || token === '-' ? '… | ' : ''
  return `${pipe}${['facescan', words, ...flags].join(' ')}`
}

/** Profile or environment of the session, for a message. */
export async function namePlace(ctx: Context): Promise<string> {
  const { profile, environment } = await ctx.session()
  return profile ?? environment
}

/** Commands in hints that need the same service. The code that writes a hint does not know the flags. */
const looking = /facescan (status|doctor --network|users create|api \S+ .+)$/

/** A hint whose last command uses the same service. */
function completeHint(hint: string, flags: SameService): string {
  return hint.replace(looking, (_, words: string) => followUp(words, flags))
}

export function aboutSameService(error: unknown, flags: SameService): unknown {
  if (error instanceof FacescanError && error.details.hint !== undefined)
    error.details.hint = completeHint(error.details.hint, flags)
  return error
}

/**
 * Adds the user or face scan and the profile to a 404 error. Returns other errors unchanged. Does not use the text of the
 * service, because its wording differs between services.
 */
export async function explainMissing(
  error: unknown,
  ctx: Context,
  need: UserNeed | undefined,
  { user, faceScanId }: { user?: UserId | undefined; faceScanId?: string },
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'not_found' || user === undefined) return error
  const place = `in ${await namePlace(ctx)} (404)`
  const name = `user "${nameUser(user)}"`
  const [message, hint] =
    faceScanId === undefined
      ? [`${name} not found ${place}`, suggest(user, ctx, need)]
      : [
          `face scan ${faceScanId} not found for ${name} ${place}`,
          `List the user’s face scans: ${followUp(`biomarkers list ${userWords(user)} --no-truncate`, ctx.flags)}`,
        ]
  return new ServiceError('not_found', message, { ...error.details, hint })
}

function suggest(user: UserId, { command, line, flags }: Context, need: UserNeed | undefined): string {
  if ('user_id' in user) return 'Check the user ID, or pass the external user ID'
  const id = user.external_user_id
  if (uuidPattern.test(id)) {
    const same = line.replace(new RegExp(`(?:--external-user-id[ =]|-- )?\\b${id}\\b`), `--user-id ${id}`)
    return need === 'external' || same === line
      ? 'If the service assigned this ID, pass the external user ID instead'
      : `If the service assigned this ID, pass it with --user-id: ${same}`
  }
  if (command === 'users delete') return 'Check the ID'
  return `Check the ID, or create the user: ${followUp(`users create ${userWords(user)}`, flags)}`
}
