import { ServiceError } from '../base/errors.ts'
import { quoteWord } from '../base/text.ts'
import { dashed } from '../contract/values.ts'
import { oneLine } from '../output/text.ts'
import type { Determined } from '../profiles/determine-session.ts'
import { type Argument, type Arguments, flag, type Options, optionalArgument, toggle } from './options.ts'
import { uuid } from './values.ts'

type ExternalId = { external_user_id: string }

/** A user, identified by the ID on the command line. */
export type UserId = ExternalId | { user_id: string }

/**
 * The ID that a command needs. `either`: an external user ID or a user ID. `external`: an external user ID. `new`: the external user ID of
 * the user to create, or no ID. `token`: an external user ID, a user ID, or an action token that implies the user.
 */
export type UserNeed = 'either' | 'external' | 'new' | 'token'

export type UserOf<Need extends UserNeed> = Need extends 'either'
  ? UserId
  : Need extends 'token'
    ? UserId | undefined
    : Need extends 'new'
      ? ExternalId | undefined
      : ExternalId

export function nameUser(user: UserId): string {
  return 'user_id' in user ? user.user_id : user.external_user_id
}

/** The ID of a user for a message, on one line. If the ID contained a line break, the rest of the ID would look like another message. */
export function shownUser(user: UserId): string {
  return oneLine(nameUser(user))
}

/** The name of the profile, for messages. If there is no profile, the name of the environment. */
export async function namePlace(ctx: { session(): Promise<Determined> }): Promise<string> {
  const { profile, environment } = await ctx.session()
  return profile ?? environment
}

/** Throws if the two IDs of a row belong to different users, for example after a sort of only one column. */
export function assertSameUser(found: string, expected: string | undefined): void {
  if (expected === undefined || isSameId(found, expected)) return
  throw new ServiceError(
    'rejected',
    'the external user ID and the user ID of this row belong to different users',
  )
}

/** Whether two user IDs are equal, without regard to case and dashes. */
export function isSameId(found: string | undefined, expected: string): boolean {
  return found !== undefined && dashed(found) === dashed(expected)
}

export function userArguments(user: UserId): string[] {
  if ('user_id' in user) return ['--user-id', user.user_id]
  const id = user.external_user_id
  // If an ID starts with a dash, it would be parsed as a flag, so the flag for the ID is used.
  return [id.startsWith('-') ? `--external-user-id=${id}` : id]
}

export function userWords(user: UserId): string {
  return userArguments(user).map(quoteWord).join(' ')
}

/** The first argument of every command for one user. A flag or an action token can replace it. */
export const userArgument = optionalArgument('[external-user-id]', 'external user ID')

export function argumentsOf({ user, args }: { user: UserNeed | undefined; args: Arguments }): Argument[] {
  return [...(user ? [userArgument] : []), ...Object.values(args)]
}

const externalUserId = flag('--external-user-id <id>', 'external user ID', String, { once: true })
const noExternalUserId = toggle(
  '--no-external-user-id',
  'create without an external user ID (earlier API revision)',
)

export function userOptions(need: UserNeed | undefined): Options {
  if (need === undefined) return {}
  if (need === 'new') return { externalUserId, noExternalUserId }
  // `--user-id` is hidden but accepted, so that the error can name the supported kind of ID.
  const isHidden = need === 'external'
  return {
    externalUserId,
    userId: flag('--user-id <uuid>', 'user ID assigned by the service', uuid, { once: true, isHidden }),
  }
}
