import { quoteWord } from '../base/text/shell-quote.ts'
import type { ArgumentRow, OptionRow } from './options.ts'
import { uuid } from './values.ts'

type ExternalId = { external_user_id: string }

/** A user, by the kind of ID that the person gave. */
export type UserId = ExternalId | { user_id: string }

/**
 * User identification of a command. `either`: the external or the internal ID. `external`: only the external ID. `new`:
 * the external ID of a user to create, or none. `token`: either ID, or an action token that implies the user.
 */
export type UserNeed = 'either' | 'external' | 'new' | 'token'

/** `input.user` of a command. */
export type UserOf<Need extends UserNeed> = Need extends 'either'
  ? UserId
  : Need extends 'token'
    ? UserId | undefined
    : Need extends 'new'
      ? ExternalId | undefined
      : ExternalId

/** The ID as the person gave it. */
export function nameUser(user: UserId): string {
  return 'user_id' in user ? user.user_id : user.external_user_id
}

/** The user as words of a command line, for a suggested command. */
export function userWords(user: UserId): string {
  return 'user_id' in user ? `--user-id ${user.user_id}` : quoteWord(user.external_user_id)
}

/** Accepted by every command that has a user and no other argument. */
export const userArgument = ['[external-user-id]', 'external user ID'] as const satisfies ArgumentRow

const externalOption = ['--external-user-id <id>', 'external user ID', { once: true }] as const
const noExternalOption = [
  '--no-external-user-id',
  'create a user without an external user ID (earlier API revision only)',
] as const

export function userOptions(need: UserNeed | undefined): readonly OptionRow[] {
  if (need === undefined) return []
  if (need === 'new') return [externalOption, noExternalOption]
  // If the internal ID is not supported, the flag is still parsed, so that the error can say what to pass instead.
  const isHidden = need === 'external'
  const internal = ['--user-id <uuid>', 'user ID assigned by the service'] as const
  return [externalOption, [...internal, { parse: uuid, once: true, isHidden }]]
}

/** The user in the command line. */
export interface GivenUser {
  argument?: string | undefined
  externalUserId?: string | undefined
  userId?: string | undefined
  /** Whether the command line contains --no-external-user-id. */
  hasNoExternalId?: boolean
}

/** Reads the user: exactly one ID, unless an action token from `tokenSource` implies the user (spec 4). */
export function readUser(
  need: UserNeed,
  given: GivenUser,
  tokenSource: string | undefined,
): { user?: UserId | undefined; problem?: string } {
  const { argument, externalUserId, userId, hasNoExternalId = false } = given
  const ids = [argument, externalUserId, userId].filter((id) => id !== undefined)
  if (ids.includes('')) return { problem: 'the user ID is empty' }
  if (tokenSource !== undefined) {
    return ids.length === 0
      ? { user: undefined }
      : { problem: `${tokenSource} already identifies the user; remove the user ID or the action token` }
  }
  if (hasNoExternalId && ids.length > 0)
    return { problem: '--no-external-user-id cannot be used with an external user ID' }
  if (hasNoExternalId) return { user: undefined }
  if (ids.length > 1) return { problem: 'more than one user ID; pass exactly one' }
  if (userId !== undefined && need === 'external') {
    return { problem: '--user-id is not supported here; pass the external user ID' }
  }
  if (userId !== undefined) return { user: { user_id: userId } }
  const external = argument ?? externalUserId
  if (external !== undefined) return { user: { external_user_id: external } }
  return {
    problem:
      need === 'either' || need === 'token'
        ? 'user ID is missing; pass the external user ID or --user-id'
        : 'external user ID is missing',
  }
}
