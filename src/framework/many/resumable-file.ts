import { setImmediate } from 'node:timers/promises'
import { span } from '../../base/clock.ts'
import { mayBeApplied } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files.ts'
import { countOf } from '../../base/text.ts'
import { AppendedFile } from '../../bulk/lists/appended-file.ts'
import {
  type Checkpoint,
  type ListCounts,
  partialPath,
  writeCheckpoint,
} from '../../bulk/lists/checkpoint.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { writeOrExplain } from '../../bulk/write-or-explain.ts'
import type { Context } from '../context.ts'
import { lockOptions } from '../lock-options.ts'
import { KeptRow, type RowRecord, type RowResult, readEarlier, readRecords } from './earlier-rows.ts'
import { ListFiles, type ResumableFileOptions } from './list-files.ts'
import type { ChangeStep } from './options.ts'
import { type Files, type Output, type RowEnd, toFailure } from './output.ts'

/** How often results are saved. A save waits for the disk. The results since the last save of a killed run are requested again. */
const saveEveryMs = { data: 2_000, secrets: 2_000, changes: 500 }

/**
 * Writes results to a file that appears only when it is complete. Until then the data is in `PATH.partial`, which only the owner can read.
 * After a crash, the same command continues at the last checkpoint. If the file is complete, the same command processes only failed users
 * and expired links again and replaces the file.
 */
export class ResumableFile implements Output {
  readonly lock: Lock
  readonly complete: Files | undefined
  readonly #ctx: Context
  readonly #options: ResumableFileOptions
  readonly #paths: ListFiles
  readonly #announced: Map<number, string>
  /**
   * IDs of users whom an interrupted run changed. The key is the line of the next equal row, for which the change was therefore already
   * made.
   */
  readonly #changed = new Map<number, string>()
  #checkpoint: Checkpoint
  #files:
    | { data: AppendedFile; records: AppendedFile; earlier: ReturnType<typeof readEarlier> | undefined }
    | undefined
  #final: Checkpoint | undefined
  #savedAt = 0
  #saving: Promise<void> | undefined

  private constructor(ctx: Context, options: ResumableFileOptions, paths: ListFiles, lock: Lock) {
    this.#ctx = ctx
    this.#options = options
    this.#paths = paths
    this.lock = lock
    const { checkpoint, isComplete } = paths.begin(ctx.clock.now())
    this.#checkpoint = checkpoint
    this.complete = isComplete ? paths.written(checkpoint) : undefined
    this.#final = isComplete ? checkpoint : undefined
    this.#announced = new Map(checkpoint.announced)
  }

  /** Opens the destination. Refuses an existing file unless the same command wrote it. */
  static async open(ctx: Context, options: ResumableFileOptions): Promise<ResumableFile> {
    const paths = new ListFiles(ctx, options)
    writeOrExplain(paths.folder, () => makeDirectory(paths.folder))
    const lock = await acquireLock(paths.folder, lockOptions(ctx))
    try {
      const destination = new ResumableFile(ctx, options, paths, lock)
      const { complete, counts } = destination
      // The summary is saved again, because the run that completed the files may have ended before it saved the summary.
      if (complete) await paths.saveSummary(ctx, counts, complete)
      return destination
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Opens the files. Called after the confirmation. */
  async begin(): Promise<void> {
    const { bytes, failureBytes, dataCrc, failureCrc, done, failed, replaces } = this.#checkpoint
    const { path, recordsPath, earlierPath } = this.#paths
    const { out, format, creates, list } = this.#options
    const { start, separator } = format
    const earlier = { path, recordsPath: earlierPath, start, separator, skip: done + failed }
    this.#files = {
      data: new AppendedFile(partialPath(path), bytes, { name: out, crc: dataCrc }),
      records: new AppendedFile(recordsPath, failureBytes, { crc: failureCrc }),
      earlier: replaces && readEarlier(earlier),
    }
    if (list.repeats.equal > 0)
      for await (const record of readRecords(recordsPath))
        if ('bytes' in record && record.handsOn) this.#changed.set(...record.handsOn)
    if (done + failed > 0)
      this.#ctx.note(`resuming ${out}: ${countOf(done + failed, 'user')} already processed`)
    else if (replaces && !this.#options.renew) {
      const { failed } = replaces
      const what = failed > 0 ? `trying again ${countOf(failed, 'failed user')}` : 'renewing expired links'
      this.#ctx.note(`${out} is complete; ${what}`)
    }
    if (creates && this.#announced.size > 0) {
      const wait = span(this.#ctx.flags.timeout / 1000)
      const users = countOf(this.#announced.size, 'user')
      this.#ctx.note(`waiting ${wait}, because the interrupted run may still create ${users}`)
    }
    // The start of the document is part of the first checkpoint, so that each resumed file contains it.
    if (bytes === 0) this.#files.data.write(start)
    this.#save()
  }

  get counts(): ListCounts {
    return this.#checkpoint
  }

  async recall({ row }: ListItem): Promise<KeptRow | undefined> {
    const earlier = (await this.#files?.earlier?.next())?.value
    if (!earlier) return undefined
    if ('sent' in earlier && earlier.sent !== undefined) this.#announced.set(row, earlier.sent)
    const isCurrent =
      earlier instanceof KeptRow && (earlier.expiresAt ?? Number.POSITIVE_INFINITY) > this.#ctx.clock.now()
    return isCurrent && !this.#options.renew ? earlier : undefined
  }

  /** Records the change of one user. */
  stepFor({ row, line }: ListItem): ChangeStep {
    const announced = this.#announced.get(row) ?? this.#changed.get(line)
    let isUnclear = announced !== undefined
    return {
      announced,
      send: async (userId, request) => {
        await this.#announce(row, userId)
        try {
          return await request()
        } catch (error) {
          isUnclear ||= mayBeApplied(error)
          if (!isUnclear) this.#announced.delete(row)
          throw error
        }
      },
    }
  }

  /** Records on disk that a change is sent next. Changes at the same moment share one disk write. */
  #announce(row: number, userId: string): Promise<void> {
    this.#announced.set(row, userId)
    this.#saving ??= setImmediate().then(() => {
      this.#saving = undefined
      this.#save()
    })
    return this.#saving
  }

  put(item: ListItem, end: RowEnd): undefined {
    // The text is created before the state changes, so that a result that cannot be formatted leaves no trace in the file.
    const text = this.#textOf(item, end)
    const sent = this.#announced.get(item.row)
    this.#announced.delete(item.row)
    // The row is counted before it is written. If the write fails, the same text is written again before the counts are saved.
    this.#checkpoint.rows = item.row + 1
    if ('error' in end) {
      this.#checkpoint.failed++
      this.#addRecord({ ...toFailure(item, end.error), sent })
    } else {
      const isFirst = this.#checkpoint.done++ === 0
      this.#addRecord({ bytes: Buffer.byteLength(text), ...this.#countResult(item, end.result) })
      this.#files?.data.write(isFirst ? text : this.#options.format.separator + text)
    }
    if (this.#ctx.clock.monotonic() - this.#savedAt >= saveEveryMs[this.#options.content]) this.#save()
  }

  #addRecord(record: RowRecord): void {
    this.#files?.records.write(`${JSON.stringify(record)}\n`)
  }

  #textOf(item: ListItem, end: RowEnd): string {
    if ('error' in end) return ''
    return end.result instanceof KeptRow ? end.result.text : this.#options.format.text(item, end.result)
  }

  /** Adds a result to the counts of statuses and to the earliest expiry. Returns the content of the record for its row. */
  #countResult(item: ListItem, result: unknown): Omit<RowResult, 'bytes'> {
    const { content, creates, list } = this.#options
    const { status, expires_at, user_id } = (result ?? {}) as Readonly<Record<string, string | undefined>>
    const isKept = result instanceof KeptRow
    if (isKept) this.#countStatus('kept')
    if (content === 'changes' && !isKept) {
      this.#countStatus(status)
      const next = creates || user_id === undefined ? undefined : list.repeats.nextOf(item)
      return next === undefined || user_id === undefined ? {} : { handsOn: [next, user_id] }
    }
    const expiry = content === 'secrets' && expires_at !== undefined ? Date.parse(expires_at) : Number.NaN
    const expiresAt = isKept ? result.expiresAt : Number.isNaN(expiry) ? undefined : expiry
    if (expiresAt === undefined) return {}
    this.#checkpoint.expiresAt = Math.min(this.#checkpoint.expiresAt ?? expiresAt, expiresAt)
    return { expiresAt }
  }

  #countStatus(status: string | undefined): void {
    if (status === undefined) return
    this.#checkpoint.statuses ??= {}
    const { statuses } = this.#checkpoint
    statuses[status] = (statuses[status] ?? 0) + 1
  }

  async finish(isComplete: boolean): Promise<Files> {
    // The end of the document is not part of a checkpoint, because a resumed run writes it.
    if (isComplete) this.#files?.data.write(this.#options.format.end(this.#checkpoint.done))
    else this.#save()
    this.#checkpoint = { ...this.#checkpoint, ...(await this.#closeFiles()) }
    const { files, checkpoint } = isComplete ? await this.#paths.complete(this.#checkpoint) : { files: {} }
    this.#final = checkpoint
    await this.#paths.saveSummary(this.#ctx, this.#checkpoint, files)
    return files
  }

  async #closeFiles(): Promise<Partial<Checkpoint>> {
    if (!this.#files) return {}
    const { data, records, earlier } = this.#files
    await earlier?.return(undefined)
    const lengths = { bytes: data.close(), failureBytes: records.close() }
    return { ...lengths, dataCrc: data.crc, failureCrc: records.crc }
  }

  /** Lets the same command process all users again, because the users may have changed. */
  forget(): void {
    if (this.#final) this.#write({ ...this.#final, isReported: true })
  }

  #write(checkpoint: Checkpoint): void {
    this.#checkpoint = { ...checkpoint, announced: [...this.#announced] }
    writeCheckpoint(this.#paths.folder, this.#checkpoint)
  }

  #save(): void {
    if (!this.#files) return
    const { data, records } = this.#files
    const lengths = { bytes: data.sync(), failureBytes: records.sync() }
    this.#write({ ...this.#checkpoint, ...lengths, dataCrc: data.crc, failureCrc: records.crc })
    this.#savedAt = this.#ctx.clock.monotonic()
  }
}
