import { renameSync, statSync } from 'node:fs'
import { UsageError } from '../../base/errors.ts'
import { readList } from '../../bulk/lists/read-list.ts'
import { type Shard, shardName } from '../../bulk/shard.ts'
import type { Context } from '../../framework/context.ts'
import { openUsers } from '../../framework/many/open-users.ts'
import { type ListOptions, readingOf } from '../../framework/many/options.ts'
import type { EarlierLinks, InvitedRow } from './send-links.ts'

const columns = ['status', 'url', 'expires_at', 'invited_at', 'reason'] as const

/** The path of the file with links: `staff.links.csv` for `staff.csv`. A later run updates this file. */
export function besidePath(input: string, name: string, shard: Shard | undefined): string {
  const stem = input === '-' ? '' : input.replace(/(\.[^./]+)?(\.gz)?$/, '')
  const parts = [name === 'links' ? stem.replace(/\.links$/, '') : stem, shard && shardName(shard), name]
  return `${parts.filter(Boolean).join('.')}.csv`
}

/** Reads the file of an earlier run. Empty if it does not exist. */
export async function readEarlier(ctx: Context, path: string, options: ListOptions): Promise<EarlierLinks> {
  const links = new Map<string, InvitedRow>()
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return links
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`, { hint: 'Choose another file.' })
  const known = { known: columns, data: columns, required: ['url', 'invited_at'] }
  // The settings for reading the input do not apply to this file, except the rule for IDs.
  const { ids } = readingOf(options)
  const reading = { delimiter: ',', map: {}, ...(ids !== undefined && { ids }) }
  const list = await openUsers(ctx, { file: path, reading, skipInvalid: options.skipInvalid }, known)
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

/** Replaces the earlier file with the new file, unless another program edited the earlier file during the run. */
export function watchFile(path: string): { replaceWith(newer: string): boolean } {
  const versionOf = () => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
  }
  const before = versionOf()
  return {
    replaceWith(newer) {
      if (versionOf() !== before) return false
      renameSync(newer, path)
      return true
    },
  }
}
