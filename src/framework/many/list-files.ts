import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { shortHash } from '../../base/text.ts'
import { crcOfFile, damagedState } from '../../bulk/lists/appended-file.ts'
import {
  type Checkpoint,
  type Earlier,
  findEarlier,
  isReplaceable,
  isWritten,
  type ListCounts,
  partialPath,
  publish,
  writeCheckpoint,
} from '../../bulk/lists/checkpoint.ts'
import { ResultWriter } from '../../bulk/results/result-file.ts'
import type { Context } from '../context.ts'
import { readRecords, startsWith } from './earlier-rows.ts'
import { addSkipped, type CheckedList } from './open-users.ts'
import type { Files } from './output.ts'
import { checkOutputPaths, isTaken, refuseAppeared, refuseOther } from './output-paths.ts'
import type { RowFormat } from './row-format.ts'

export interface ResumableFileOptions {
  out: string
  /** Whether the path was set with --out. Such a file is always written. */
  isNamed: boolean
  /** Path of the file with the failed users. */
  errors: string
  key: string
  /** Key of a list with shards. Only files with the same key can be merged. */
  commonKey: string | undefined
  list: CheckedList
  format: RowFormat
  /** Content of the file: results, secrets that expire (tokens and links), or changes with a status. */
  content: 'data' | 'secrets' | 'changes'
  /**
   * Whether each row creates a user. An interrupted run may have sent a request for the row. The user is created only after that request
   * has ended.
   */
  creates: boolean
  /** Whether all users are processed again although the file is complete. */
  renew: boolean
  /** The complete file of an earlier run of the same command. The file is kept if this run changes nothing. */
  earlier?: string | undefined
}

/** The state from which a run continues. A complete list needs no request. */
export interface Start {
  checkpoint: Checkpoint
  isComplete: boolean
}

/** The files of a list with an output file: the output, the list of failed users, and the state between runs. */
export class ListFiles {
  readonly path: string
  readonly folder: string
  readonly #options: ResumableFileOptions
  /** The failed users with their original columns and the reasons. The file can be used as a list. */
  readonly #errors: ResultWriter
  readonly #stopping: AbortSignal

  constructor(ctx: Context, options: ResumableFileOptions) {
    this.#options = options
    this.path = resolve(options.out)
    this.folder = stateFolder(ctx, options.out)
    this.#errors = new ResultWriter('rejects', options.list.table)
    this.#stopping = ctx.drainFirst()
  }

  /** The state from which a run at the time `now` continues. Refuses an existing file unless the same command wrote it. */
  begin(now: number): Start {
    const { out, errors, key, list } = this.#options
    checkOutputPaths({ out, errors }, list)
    const found = findEarlier(this.path, this.folder, key, now)
    if (found.state === 'resumable') return this.#resume(found.checkpoint)
    const repeated =
      found.state === 'complete' || found.state === 'recent' ? this.#repeat(found, now) : undefined
    if (repeated) return repeated
    refuseOther(out, found.state === 'other')
    // The file may contain the failed users of a different run. That file is kept, because someone may need it. A device is not replaced.
    if (isTaken(errors) && !isReplaceable(this.folder, errors))
      throw new UsageError(`${errors} already exists`, {
        hint: 'Move it to another directory, or choose another file with --errors.',
      })
    return this.#startOver()
  }

  #startOver(replaces?: Checkpoint): Start {
    const { key } = this.#options
    const counts = { rows: 0, bytes: 0, failureBytes: 0, done: 0, failed: 0 }
    return { checkpoint: { key, isRecorded: true, ...counts, replaces }, isComplete: false }
  }

  /** Continues an interrupted run. If the file that it replaces was changed, the run starts over. */
  #resume(checkpoint: Checkpoint): Start {
    const { replaces } = checkpoint
    if (replaces && isWritten(this.path, replaces)) return { checkpoint, isComplete: false }
    refuseOther(this.#options.out, false)
    return replaces ? this.#startOver() : { checkpoint, isComplete: false }
  }

  /** Processes the failed users and expired links of a complete file again. Undefined if the file cannot be used. */
  #repeat(
    { state, checkpoint }: Exclude<Earlier, { state: 'other' | 'none' }>,
    now: number,
  ): Start | undefined {
    const { format, renew, content } = this.#options
    const { failed, expiresAt = Number.POSITIVE_INFINITY } = checkpoint
    const isExpired = expiresAt <= now
    const isDue = renew || failed > 0 || isExpired
    if (isDue && startsWith(this.path, format.start) && this.#findRecords(checkpoint))
      return this.#startOver(checkpoint)
    const isCurrent = !isExpired && (state === 'recent' || content === 'secrets')
    return isCurrent ? { checkpoint, isComplete: true } : undefined
  }

  /** Moves the records of a complete file back to the path that a run writes. Returns false if the records are missing. */
  #findRecords({ isRecorded, failureBytes, failureCrc }: Checkpoint): boolean {
    if (!isRecorded) return false
    const isThere = (path: string) =>
      existsSync(path) && statSync(path).size === failureBytes && crcOfFile(path) === failureCrc
    if (isThere(this.earlierPath)) return true
    if (!isThere(this.recordsPath)) return false
    renameSync(this.recordsPath, this.earlierPath)
    return true
  }

  get recordsPath(): string {
    // File name of version 0.1, which recorded only failures.
    return join(this.folder, 'failures.ndjson')
  }

  get earlierPath(): string {
    return join(this.folder, 'earlier.ndjson')
  }

  written({ failed }: Checkpoint): Files {
    const { out, errors, list } = this.#options
    return { out, ...(failed + list.invalid > 0 && { errors }) }
  }

  /** Gives the files of a complete list their names. Returns no checkpoint if the earlier file is kept. */
  async complete(checkpoint: Checkpoint): Promise<{ files: Files; checkpoint?: Checkpoint }> {
    const { out, isNamed, earlier, list, content } = this.#options
    const { done, failed, statuses = {}, replaces } = checkpoint
    if (done + failed !== list.users) throw damagedState(partialPath(this.path))
    // A list without users needs no file, except for the merge of shards.
    const isEmpty = list.users === 0 && !isNamed && list.shard === undefined
    if (isEmpty || (earlier !== undefined && statuses['existing'] === list.users)) {
      rmSync(partialPath(this.path), { force: true })
      rmSync(this.folder, { recursive: true, force: true })
      return { files: earlier === undefined ? {} : { out: earlier } }
    }
    const files = this.written(checkpoint)
    await this.#saveErrors(files.errors, replaces?.errorsMs)
    // This check comes before the checkpoint is complete, so that the same command can still resume the file if the check fails.
    if (replaces === undefined || !isWritten(this.path, replaces)) refuseAppeared(out)
    const completedMs = statSync(partialPath(this.path)).mtimeMs
    const errors = files.errors === undefined ? undefined : statSync(files.errors)
    // Only the time of a regular file is stored, because a device such as /dev/null must not be removed later.
    const errorsMs = errors?.isFile() ? errors.mtimeMs : undefined
    const complete = { ...checkpoint, completedMs, errorsMs, replaces: undefined }
    writeCheckpoint(this.folder, complete)
    publish(this.path)
    rmSync(this.earlierPath, { force: true })
    if (failed === 0 && content !== 'secrets') rmSync(this.recordsPath, { force: true })
    return { files, checkpoint: complete }
  }

  /** Saves the counts of a shard that changes users, for `imports merge`. */
  async saveSummary(ctx: Context, counts: ListCounts, files: Files): Promise<void> {
    const { list, key, commonKey, out } = this.#options
    if (list.shard === undefined || commonKey === undefined) return
    const { saveShardSummary } = await import('./shard-summary.ts')
    const { profile } = await ctx.session()
    saveShardSummary(files.out ?? out, { ...list, shard: list.shard, key, commonKey, profile, counts, files })
  }

  /** Saves the failed users and the skipped rows, or removes the file with the failed users of an earlier run. */
  async #saveErrors(path: string | undefined, earlierMs: number | undefined): Promise<void> {
    const { errors } = this.#options
    if (path === undefined) {
      if (earlierMs !== undefined && statSync(errors, { throwIfNoEntry: false })?.mtimeMs === earlierMs)
        rmSync(errors)
      return
    }
    // The records are copied line by line, because all users of a long list may have failed.
    for await (const record of readRecords(this.recordsPath))
      if ('code' in record) this.#errors.add(record, [record])
    await addSkipped(this.#errors, this.#options.list)
    await this.#errors.saveAs(path, this.#stopping)
  }
}

export function findWritten(ctx: Context, out: string, key: string): Checkpoint | undefined {
  const found = findEarlier(resolve(out), stateFolder(ctx, out), key, ctx.clock.now())
  return found.state === 'complete' || found.state === 'recent' ? found.checkpoint : undefined
}

function stateFolder(ctx: Context, out: string): string {
  return join(requireDirectory(ctx.paths, 'state'), 'lists', shortHash(resolve(out)))
}
