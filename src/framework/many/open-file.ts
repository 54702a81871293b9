import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { shortHash } from '../../base/text.ts'
import { partialPath } from '../../bulk/lists/checkpoint.ts'
import { stemOf } from '../../bulk/results/result-folder.ts'
import { describeShard, shardName } from '../../bulk/shard.ts'
import type { OutputSettings } from '../../output/settings.ts'
import type { Context } from '../context.ts'
import { FileDestination } from './file-destination.ts'
import { findWritten } from './list-files.ts'
import type { CheckedList } from './open-users.ts'
import { fileOptions, type ManyInput, type ManySupport, userValueOptions } from './options.ts'
import { errorsPathOf, isTaken } from './output-paths.ts'
import type { RowFormat } from './row-format.ts'

interface FileRequest {
  many: ManySupport
  input: ManyInput
  settings: OutputSettings
  list: CheckedList
  format: RowFormat
}

/** Opens the file for the results of a list: the file of --out, or the results file of a change in the directory of the list. */
export async function openFile(ctx: Context, request: FileRequest): Promise<FileDestination> {
  const { many, input, list, format } = request
  const { change, isSecret, copiesColumns } = many
  const { out, errors, users, renew } = input
  const { commonKey, key } = await keysOf(ctx, request)
  const fileName = change?.fileName ?? ''
  const file = out === undefined ? fileBeside(ctx, { fileName, list, users, key, renew }) : { out }
  return FileDestination.open(ctx, {
    ...file,
    isNamed: out !== undefined,
    errors,
    key,
    commonKey: change && !copiesColumns ? commonKey : undefined,
    format,
    list,
    content: change ? 'changes' : isSecret ? 'secrets' : 'data',
    creates: change?.creates === true,
    renew,
  })
}

/** A hash of the command, its list, its service, and all settings that determine the output. */
async function keysOf(ctx: Context, { many: { change, copiesColumns }, input, list, settings }: FileRequest) {
  const { out, errors, rate, maxConcurrency, maxUsers, users, renew, ...others } = input
  const isReading = (name: string) =>
    name !== 'skipInvalid' && (name in fileOptions || name in userValueOptions)
  // A text such as `2h` is a different time in each run, so the text is compared instead of the time.
  const decisive = Object.entries(others)
    .filter(([name]) => !isReading(name))
    .map(([name, value]) => [name, typeof value === 'string' ? (ctx.given[name] ?? value) : value])
  const { baseUrl = 'sandbox', profile } = await ctx.session()
  const hash = (flags: typeof decisive) => {
    const all = [list.table.input.identity, ctx.command, baseUrl, profile, [flags, list.reading, settings]]
    return shortHash(JSON.stringify(all))
  }
  const commonKey = hash(decisive.filter(([name]) => !/^shard/.test(String(name))))
  if (list.shard) return { commonKey, key: shortHash(`${commonKey} ${describeShard(list.shard)}`) }
  // The key of earlier versions, so that their lists can be resumed. They wrote a second row for a repeated row of a created user.
  const isDifferent = change?.creates && !copiesColumns && list.repeats.size > 0
  return { commonKey, key: isDifferent ? commonKey : hash(decisive) }
}

interface Place {
  fileName: string
  list: CheckedList
  users: string
  key: string
  renew: boolean
}

/**
 * The path of the results file of a change, in the directory of the list: `staff.users.csv`, or `staff.users-2.csv` if that file exists.
 * `earlier` is a file that an earlier run of the same command completed and reported.
 */
function fileBeside(
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
    // A file with failed users does not count as taken if a partial file exists, because the interrupted run may have saved it.
    const isFree = !isTaken(out) && (!isTaken(errorsPathOf(out)) || isTaken(partialPath(out)))
    if (isFree || isContinued) return { out, earlier }
    if (written) earlier = out
  }
}
