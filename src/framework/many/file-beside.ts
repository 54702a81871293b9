import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { stemOf } from '../../bulk/results/result-folder.ts'
import { shardName } from '../../bulk/shard.ts'
import type { Context } from '../context.ts'
import { findWritten } from './list-files.ts'
import type { CheckedList } from './open-users.ts'

interface Place {
  fileName: string
  list: CheckedList
  /** Path of the list. */
  users: string
  key: string
  renew: boolean
}

/**
 * The file of a change, beside the list and named after it: `staff.users.csv`, or `staff.users-2.csv` if that file exists.
 * `earlier` is a file that the same command has completed and reported.
 */
export function fileBeside(
  ctx: Context,
  { fileName, list, users, key, renew }: Place,
): { out: string; earlier?: string | undefined } {
  const { path: source, name: inputName } = list.table.input
  const { shard } = list
  const stem = source === undefined ? '' : stemOf(inputName)
  const folder = source === undefined ? '.' : dirname(users)
  const ending = extname(fileName)
  let earlier: string | undefined
  for (let number = 1; ; number++) {
    const parts = [stem, shard && shardName(shard), basename(fileName, ending)].filter(Boolean)
    const name = `${parts.join('.')}${number === 1 ? '' : `-${number}`}${ending}`
    const out = join(folder, name)
    const written = existsSync(out) ? findWritten(ctx, out, key) : undefined
    const isContinued = written && (renew || written.failed > 0 || !written.isReported)
    if (!existsSync(out) || isContinued) return { out, earlier }
    if (written) earlier = out
  }
}
