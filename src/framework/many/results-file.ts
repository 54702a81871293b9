import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { isTaken } from '../../base/files.ts'
import { realPath } from '../../base/paths.ts'
import { shortHash } from '../../base/text.ts'
import { partialPath } from '../../bulk/lists/earlier-run.ts'
import { firstNumbered, stemOf } from '../../bulk/results/result-folder.ts'
import { describeShard, shardName } from '../../bulk/shard.ts'
import type { OutputSettings } from '../../output/settings.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { findWritten } from './list-files.ts'
import type { CheckedList } from './open-users.ts'
import { fileOptions, type ManyInput, shardOptions } from './options.ts'
import { errorsPathOf } from './output-paths.ts'
import { ResumableFile } from './resumable-file.ts'
import type { RowFormat } from './row-format.ts'
import { userValueOptions } from './value-options.ts'

export interface FileRequest {
  command: Pick<Command, 'many'>
  input: ManyInput
  settings: OutputSettings
  list: CheckedList
}

/** Opens the file for the results of a list: the --out file or, for a change, a file beside the list. */
export async function openResultsFile(
  ctx: Context,
  run: FileRequest,
  format: RowFormat,
): Promise<ResumableFile> {
  const { command, input, list } = run
  const { change, isSecret, isStatus, copiesColumns } = command.many ?? {}
  const { out, errors, renew } = input
  const { commonKey, key: listKey } = await keysOf(ctx, run, format)
  // A file with the current state of users is replaced by a later run for the same list, even if the content of the list has changed.
  const replacedKeys = isStatus ? `status ${shortHash(realPath(input.users) ?? input.users)} ` : undefined
  const key = `${replacedKeys ?? ''}${listKey}`
  const open = (file: ReturnType<typeof fileBeside>) =>
    ResumableFile.open(ctx, {
      ...file,
      isNamed: out !== undefined,
      errors: errors ?? errorsPathOf(file.out),
      key,
      commonKey: change && !copiesColumns ? commonKey : undefined,
      format,
      list,
      content: change ? 'changes' : isSecret ? 'secrets' : 'data',
      creates: change?.creates === true,
      replacedKeys,
      renew,
    })
  if (out !== undefined) return open({ out })
  const file = fileBeside(ctx, run, key)
  try {
    return await open(file)
  } catch (error) {
    // While this process waited for the lock of the file, another process may have completed the file. The next free name is then used.
    const next = fileBeside(ctx, run, key)
    if (next.out === file.out) throw error
    return open(next)
  }
}

/** Hashes of the command, its list, its service, and all settings that affect the output. */
async function keysOf(ctx: Context, { input, list, settings }: FileRequest, { start }: RowFormat) {
  const { out, errors, rate, maxConcurrency, maxUsers, users, renew, ...others } = input
  const isReading = (name: string) =>
    name !== 'skipInvalid' && (name in fileOptions || name in userValueOptions)
  // A duration such as `2h` results in a different time in each run, so the hash uses its text.
  const decisive = Object.entries(others)
    .filter(([name]) => !isReading(name) && !(name in shardOptions))
    .map(([name, value]) => [name, typeof value === 'string' ? (ctx.given[name] ?? value) : value])
  const { baseUrl = 'sandbox', profile } = await ctx.session()
  const source = [list.table.input.identity, list.reading, ctx.command, baseUrl, profile]
  const commonKey = shortHash(JSON.stringify([source, decisive, settings, start]))
  const key = list.shard ? shortHash(`${commonKey} ${describeShard(list.shard)}`) : commonKey
  return { commonKey, key }
}

/**
 * The path of the results file in the directory of the list: `staff.users.csv`, or `staff.users-2.csv` if that file exists. `earlier` is
 * a file that an earlier run of the same command completed and reported.
 */
function fileBeside(
  ctx: Context,
  { command: { many }, input: { users, renew }, list }: FileRequest,
  key: string,
): { out: string; earlier?: string | undefined } {
  const { path: source, name: inputName } = list.table.input
  const { shard } = list
  const { fileName = '' } = many?.change ?? {}
  const ending = extname(fileName)
  const stem = source === undefined ? '' : stemOf(inputName)
  const parts = [stem, shard && shardName(shard), basename(fileName, ending)].filter(Boolean)
  let earlier: string | undefined
  return firstNumbered((suffix) => {
    const name = `${parts.join('.')}${suffix}${ending}`
    const out = join(source === undefined ? '.' : dirname(users), name)
    const written = existsSync(out) ? findWritten(ctx, out, key) : undefined
    const isContinued = written && (renew || written.failed > 0 || !written.isReported)
    // If an earlier run was interrupted (a partial file exists), the file for failed users may be from that run.
    const isFree = !isTaken(out) && (!isTaken(errorsPathOf(out)) || isTaken(partialPath(out)))
    if (isFree || isContinued) return { out, earlier }
    if (written) earlier = out
    return undefined
  })
}
