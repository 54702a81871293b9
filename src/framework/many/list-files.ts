import { rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { isTaken, replaceFile } from '../../base/files.ts'
import { realPath, requireDirectory } from '../../base/paths.ts'
import { shortHash } from '../../base/text.ts'
import { crcOfFile, damagedState } from '../../bulk/lists/appended-file.ts'
import {
  type CompleteList,
  completePath,
  findComplete,
  findEarlier,
  isReplaceable,
  isWritten,
  openPath,
  partialPath,
  publish,
  removeIncomplete,
} from '../../bulk/lists/earlier-run.ts'
import {
  type CompleteFile,
  type ListCounts,
  ListState,
  readRows,
  writeState,
} from '../../bulk/lists/list-journal.ts'
import { ResultWriter } from '../../bulk/results/result-file.ts'
import type { ShardSummary } from '../../bulk/schemas.ts'
import { describeShard } from '../../bulk/shard.ts'
import type { Context } from '../context.ts'
import { addSkipped, type CheckedList } from './open-users.ts'
import { checkOutputPaths, type Files, refuseAppeared, refuseOther } from './output-paths.ts'
import type { RowFormat } from './row-format.ts'

export interface ResumableFileOptions {
  out: string
  /** Whether --out sets the path. If so, the file is written even if the list is empty. */
  isNamed: boolean
  errors: string
  key: string
  /** Key that all shards of a list share, for `imports merge`. */
  commonKey: string | undefined
  list: CheckedList
  format: RowFormat
  /** Content of the file. `data`: results. `secrets`: tokens and links, which expire. `changes`: users with the status of their change. */
  content: 'data' | 'secrets' | 'changes'
  /** Whether each row creates a user. If an interrupted run sent a row, the row is sent again only after the earlier request has ended. */
  creates: boolean
  /** Start of the keys of earlier runs whose results file is replaced, even if the content of their list was different. */
  replacedKeys: string | undefined
  renew: boolean
  /** Complete file of an earlier run of the same command. It remains the result if this run changes nothing. */
  earlier?: string | undefined
}

/** The files of a list: the output, the failed users, and the journal. */
export class ListFiles {
  readonly path: string
  readonly folder: string
  readonly #options: ResumableFileOptions
  readonly #errors: ResultWriter
  readonly #stopping: AbortSignal

  constructor(ctx: Context, options: ResumableFileOptions) {
    this.#options = options
    this.path = resolve(options.out)
    this.folder = stateFolder(ctx, options.out)
    this.#errors = new ResultWriter('rejects', options.list.table)
    this.#stopping = ctx.drainFirst()
  }

  /** Returns the state from which a run continues at time `now`. Throws if another command wrote the existing file. */
  begin(now: number): ListState {
    const { out, errors, key, list } = this.#options
    checkOutputPaths({ out, errors }, list)
    const found = findEarlier(this.path, this.folder, key, now)
    if (found.state === 'resumable' && found.list.replaces) return found.list
    if (found.state === 'complete' || found.state === 'recent') {
      const { renew, content } = this.#options
      const isExpired = (found.list.expiresAt ?? Number.POSITIVE_INFINITY) <= now
      if (renew || found.list.failed > 0 || isExpired) return this.#startOver(found.list)
      if (found.state === 'recent' || content === 'secrets') return found.list
    }
    const { replacedKeys } = this.#options
    const canReplace =
      replacedKeys !== undefined && (found.state !== 'other' || found.key.startsWith(replacedKeys))
    const replaced = canReplace ? findComplete(this.path, this.folder, replacedKeys) : undefined
    // A complete file can be out of date, so it is refused like a file that another program wrote.
    if (!replaced) refuseOther(out, found.state === 'other' && !canReplace)
    if (!replaced && found.state === 'resumable') return found.list
    // An existing file for failed users can belong to another run, so it is not replaced. A device such as /dev/null is allowed.
    if (isTaken(errors) && !isReplaceable(this.folder, errors))
      throw new UsageError(`${errors} already exists`, {
        hint: 'Move it to another directory, or choose another file with --errors.',
      })
    return this.#startOver(replaced)
  }

  #startOver(earlier?: CompleteList): ListState {
    const state = new ListState()
    state.key = this.#options.key
    state.replaces = earlier?.complete
    return state
  }

  written(failed: number): Files {
    const { out, errors, list } = this.#options
    return { out, ...(failed + list.invalid > 0 && { errors }) }
  }

  /** Saves the failed users of a complete list. Returns the last record of the journal, or undefined if the output is not kept. */
  async complete(state: ListState, bytes: number): Promise<CompleteFile | undefined> {
    const { out, isNamed, earlier, list } = this.#options
    const { done, failed, statuses, replaces } = state
    if (done + failed !== list.users) throw damagedState(partialPath(this.path))
    // If the list is empty, no file is needed, unless --out sets the path or the file is merged as a shard later.
    const isEmpty = list.users === 0 && !isNamed && list.shard === undefined
    if (isEmpty || (earlier !== undefined && statuses['existing'] === list.users)) return undefined
    const { errors } = this.written(failed)
    await this.#saveErrors(errors, replaces?.errorsMs)
    // If this check fails, the journal stays incomplete, so the same command can run again and complete the file.
    if (replaces === undefined || !isWritten(this.path, replaces)) refuseAppeared(out)
    const { mtimeMs } = statSync(partialPath(this.path))
    const stat = errors === undefined ? undefined : statSync(errors)
    // A later run removes only files whose time is stored. The time of a device such as /dev/null is therefore not stored: the device must
    // not be removed.
    return { bytes, completedMs: mtimeMs, failed, errorsMs: stat?.isFile() ? stat.mtimeMs : undefined }
  }

  /** Renames the files of a complete list. The journal keeps its rows only if a later run can process some of them again. */
  publish(state: ListState, complete: CompleteFile): Files {
    publish(this.path, this.folder)
    if (state.failed === 0 && this.#options.content !== 'secrets')
      writeState(completePath(this.folder), { ...state, complete })
    return this.written(state.failed)
  }

  remove(): Files {
    const { earlier } = this.#options
    rmSync(partialPath(this.path), { force: true })
    removeIncomplete(this.folder)
    rmSync(this.folder, { recursive: true, force: true })
    return earlier === undefined ? {} : { out: earlier }
  }

  /** Saves the counts of a shard beside its results file, for `imports merge`. */
  async saveSummary(ctx: Context, { done, failed }: ListCounts, files: Files): Promise<void> {
    const { list, key, commonKey, out } = this.#options
    const { shard, users, table } = list
    if (shard === undefined || commonKey === undefined) return
    const summary: ShardSummary = {
      id: key,
      source: table.input.name,
      profile: (await ctx.session()).profile,
      shard: describeShard(shard),
      input_sha256: table.input.identity.sha256,
      settings_sha256: commonKey,
      status: files.out === undefined ? 'stopped' : 'finished',
      rows: users,
      accepted: done,
      rejected: failed,
      unknown: 0,
      unsent: users - done - failed,
      rejects_file: files.errors === undefined ? null : resolve(files.errors),
      unknown_file: null,
      ...(files.out && { results_file: basename(files.out), results_crc32: crcOfFile(files.out) }),
    }
    const path = (files.out ?? out).replace(/\.[^./]*$/, '.summary.json')
    replaceFile(path, `${JSON.stringify(summary, null, 2)}\n`)
  }

  /** Saves the failed users and the skipped rows. If there are none, removes the file with the failed users of the earlier run. */
  async #saveErrors(path: string | undefined, earlierMs: number | undefined): Promise<void> {
    const { errors } = this.#options
    if (path === undefined) {
      if (earlierMs !== undefined && statSync(errors, { throwIfNoEntry: false })?.mtimeMs === earlierMs)
        rmSync(errors)
      return
    }
    for (const record of readRows(openPath(this.folder)))
      if ('code' in record) this.#errors.add(record, [record])
    await addSkipped(this.#errors, this.#options.list)
    await this.#errors.saveAs(path, this.#stopping)
  }
}

export function findWritten(ctx: Context, out: string, key: string): CompleteList | undefined {
  return findComplete(resolve(out), stateFolder(ctx, out), key)
}

function stateFolder(ctx: Context, out: string): string {
  const path = resolve(out)
  // Another path to the same directory must find the same state.
  const directory = realPath(dirname(path)) ?? dirname(path)
  return join(requireDirectory(ctx.paths, 'state'), 'lists', shortHash(join(directory, basename(path))))
}
