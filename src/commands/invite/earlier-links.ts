import { type FacescanError, ServiceError, UsageError } from '../../base/errors.ts'
import { assertOwner, look } from '../../base/paths.ts'
import { readList } from '../../bulk/lists/read-list.ts'
import { type Shard, shardName } from '../../bulk/shard.ts'
import type { Context } from '../../framework/context.ts'
import { openUsers } from '../../framework/many/open-users.ts'
import { type ListOptions, readingOf } from '../../framework/many/options.ts'
import { nameUser, type UserId } from '../../framework/user.ts'
import { isSafeLink } from '../deliver.ts'

/** One row of the file with links. `unknown`: the service may have created the user, so the next run looks for the user first. */
export interface InvitedRow {
  user_id: string | null
  status: 'invited' | 'renewed' | 'kept' | 'failed' | 'unknown'
  url: string | null
  expires_at: string | null
  /** Time of the first invitation as RFC 3339, by the clock of the service. */
  invited_at: string | null
  reason: string | null
}

/** Rows of an earlier run, by the ID of the user in the list. */
export type EarlierLinks = ReadonlyMap<string, InvitedRow>

export interface Renewal {
  earlier: EarlierLinks
  /** Whether links that are still valid are also replaced. */
  renew: boolean
}

const columns = ['status', 'url', 'expires_at', 'invited_at', 'reason'] as const

/** The path of the file with links: `staff.links.csv` for `staff.csv`. A later run updates this file. */
export function besidePath(input: string, name: string, shard: Shard | undefined): string {
  const stem = input === '-' ? '' : input.replace(/(\.[^./]+)?(\.gz)?$/, '')
  const parts = [name === 'links' ? stem.replace(/\.links$/, '') : stem, shard && shardName(shard), name]
  return `${parts.filter(Boolean).join('.')}.csv`
}

/** Reads the file of an earlier run. Returns an empty map if the file does not exist. */
export async function readEarlierLinks(
  ctx: Context,
  path: string,
  options: ListOptions,
): Promise<EarlierLinks> {
  const links = new Map<string, InvitedRow>()
  const found = look(path)
  if (found === undefined) return links
  assertOwner(path)
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`, { hint: 'Choose another file.' })
  const known = { known: columns, data: columns, required: ['url', 'invited_at'], effect: 'read' } as const
  // facescan wrote this file with its own columns, so only the rule for IDs applies to it. Other settings of the input are ignored.
  const { ids } = await readingOf(options)
  const reading = { map: {}, ...(ids !== undefined && { ids }) }
  const silent = { ...ctx, note: () => undefined }
  const list = await openUsers(silent, { file: path, reading, skipInvalid: options.skipInvalid }, known)
  try {
    for await (const items of readList(list))
      for (const item of items) {
        if (!('user' in item)) continue
        const cells = columns.map((name) => [name, item.cell(name) || null])
        const user_id = item.user.kind === 'user_id' ? item.user.id : (item.expectedUserId ?? null)
        links.set(item.user.id, { ...Object.fromEntries(cells), user_id })
      }
  } finally {
    list.close()
  }
  return links
}

/**
 * Finds the row of a user. `before` is the row if it has an invitation and is not about another user. `user_id` is set if the service
 * returns the user ID of the row.
 */
export async function findEarlierLink(
  ctx: Context,
  user: UserId,
  { earlier, renew, now }: Renewal & { now(): number },
) {
  const row = earlier.get(nameUser(user))
  const identity = row?.user_id ? await compareUser(ctx, user, row.user_id) : 'other'
  const before = row?.invited_at && identity !== 'other' ? row : undefined
  const isExpired = before?.expires_at && Date.parse(before.expires_at) <= now()
  return {
    before,
    isKept: isSafeLink(before?.url ?? '') && !isExpired && !renew,
    user_id: identity === 'same' ? (row?.user_id ?? null) : null,
    wasUnclear: row?.status === 'unknown',
  }
}

/** Compares the user ID of a user with a row, which can be from another service. `unread`: the service refused the request. */
async function compareUser(
  ctx: Context,
  user: UserId,
  user_id: string,
): Promise<'same' | 'other' | 'unread'> {
  const api = await ctx.api()
  try {
    return (await api.users.get({ user })).user_id === user_id ? 'same' : 'other'
  } catch (error) {
    // Only `not_found` proves that the link belongs to another user. After other errors, the link is kept.
    if (isAboutUser(error)) return error.code === 'not_found' ? 'other' : 'unread'
    throw error
  }
}

/** Whether an error concerns only one user. If no response arrived, the result is false, because the next run sends the request again. */
export function isAboutUser(error: unknown): error is FacescanError {
  return error instanceof ServiceError && ['not_found', 'rejected', 'server'].includes(error.code)
}

/** Changes if another program edits or replaces the file. */
export function versionOf(path: string): string | undefined {
  const stat = look(path)
  return stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
}
