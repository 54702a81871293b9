import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { span } from '../../base/clock.ts'
import { mayBeApplied } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files.ts'
import { countOf } from '../../base/text.ts'
import { AppendedFile } from '../../bulk/lists/appended-file.ts'
import { completePath, openPath, partialPath, removeIncomplete } from '../../bulk/lists/earlier-run.ts'
import {
  type ListCounts,
  ListJournal,
  type ListState,
  type RowRecord,
  writeState,
} from '../../bulk/lists/list-journal.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { writeOrExplain } from '../../bulk/write-or-explain.ts'
import type { Context } from '../context.ts'
import { countRows } from './conclude.ts'
import { factsOf, KeptRow, readEarlier } from './earlier-rows.ts'
import { ListFiles, type ResumableFileOptions } from './list-files.ts'
import type { ChangeStep } from './options.ts'
import { type Output, type RowEnd, toFailure } from './output.ts'
import type { Files } from './output-paths.ts'

/** Time in ms between two saves. A save waits for the disk, and a crash loses the results since the last save. */
const saveEveryMs = { data: 2_000, secrets: 2_000, changes: 500 }

interface OpenFiles {
  data: AppendedFile
  journal: ListJournal
  earlier: ReturnType<typeof readEarlier> | undefined
}

/**
 * Writes results to a file that appears only when it is complete. Until then, the data is in `PATH.partial`, readable only by its owner.
 * A journal records the finished rows and the sent requests. After a crash, the same command continues at the last record. For a complete
 * file, the same command processes only failed users and expired links, and replaces the file.
 */
export class ResumableFile implements Output {
  readonly lock: Lock
  readonly complete: Files | undefined
  readonly #ctx: Context
  readonly #options: ResumableFileOptions
  readonly #paths: ListFiles
  readonly #state: ListState
  #files: OpenFiles | undefined
  /** Records that are not in the journal yet. */
  #written: RowRecord[] = []
  #announced: [row: number, note: string | null][] = []
  #savedAt = 0
  #saving: Promise<void> | undefined

  private constructor(ctx: Context, options: ResumableFileOptions, paths: ListFiles, lock: Lock) {
    this.#ctx = ctx
    this.#options = options
    this.#paths = paths
    this.lock = lock
    this.#state = paths.begin(ctx.clock.now())
    this.complete = this.#state.complete && paths.written(this.#state.failed)
  }

  /** Waits for the lock, and opens or resumes the file. Refuses an existing file that another command wrote. */
  static async open(ctx: Context, options: ResumableFileOptions): Promise<ResumableFile> {
    const paths = new ListFiles(ctx, options)
    writeOrExplain(paths.folder, () => makeDirectory(paths.folder))
    const lock = await acquireLock(paths.folder, { ...ctx, settleMs: ctx.flags.timeout })
    try {
      const destination = new ResumableFile(ctx, options, paths, lock)
      const { complete, counts } = destination
      // The run that completed the files can have ended before it saved the summary, so the summary is saved again.
      if (complete) await paths.saveSummary(ctx, counts, complete)
      return destination
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Opens the files, after the confirmation. */
  async begin(): Promise<void> {
    const { note, flags } = this.#ctx
    const { out, creates, renew, list, format } = this.#options
    const { done, failed, replaces, sent, rows, data: saved, isNew } = this.#state
    if (done + failed > 0) note(`resuming ${out}: ${countRows(list, done + failed)} already processed`)
    else if (replaces && !renew) {
      const failures = replaces.failed
      const what = failures > 0 ? `retrying ${countOf(failures, 'failed user')}` : 'renewing expired links'
      note(`${out} is complete; ${what}`)
    }
    if (creates && sent.size > 0) {
      const users = countOf(sent.size, 'user')
      note(`waiting ${span(flags.timeout / 1000)}, because the interrupted run may still create ${users}`)
    }
    const { path, folder } = this.#paths
    const journalPath = openPath(folder)
    if (isNew) removeIncomplete(folder)
    const data = new AppendedFile(partialPath(path), saved.bytes, { name: out, crc: saved.crc })
    if (isNew) {
      // The start of the document is written together with the first record. A file that contains a record, and can therefore be resumed,
      // always contains the start too.
      data.write(format.start)
      this.#state.data = { bytes: data.sync(), crc: data.crc }
      writeState(journalPath, this.#state)
    }
    const earlier = replaces && readEarlier(path, completePath(folder), format, rows)
    this.#files = { data, journal: new ListJournal(journalPath), earlier }
  }

  get counts(): ListCounts {
    return this.#state
  }

  recall({ row }: ListItem): KeptRow | undefined {
    const earlier = this.#files?.earlier?.next().value
    if (!earlier) return undefined
    if ('sent' in earlier && earlier.sent !== undefined) this.#note(row, earlier.sent)
    const isCurrent =
      earlier instanceof KeptRow && (earlier.expiresAt ?? Number.POSITIVE_INFINITY) > this.#ctx.clock.now()
    return isCurrent && !this.#options.renew ? earlier : undefined
  }

  stepFor(item: ListItem): ChangeStep {
    const { row } = item
    const { sent, changed } = this.#state
    const { line } = this.#options.list.repeats.firstOf(item) ?? item
    const announced = sent.get(row) ?? changed.get(line)
    let isUnclear = announced !== undefined
    return {
      announced,
      send: async (userId, request) => {
        await this.#announce(row, userId)
        try {
          return await request()
        } catch (error) {
          isUnclear ||= mayBeApplied(error)
          if (!isUnclear) this.#note(row, null)
          throw error
        }
      },
    }
  }

  /** Writes to disk that a change will be sent. Changes that start at the same time share one disk write. */
  #announce(row: number, userId: string): Promise<void> {
    this.#note(row, userId)
    this.#saving ??= setImmediate().then(() => {
      this.#saving = undefined
      this.#save()
    })
    return this.#saving
  }

  #note(row: number, note: string | null): void {
    this.#state.announce(row, note)
    this.#announced.push([row, note])
  }

  put(item: ListItem, end: RowEnd): undefined {
    const { format, list, content } = this.#options
    // The result is formatted first, so that an error in the formatting does not change the state.
    const text =
      'error' in end ? '' : end.result instanceof KeptRow ? end.result.text : format.text(item, end.result)
    const isFirst = this.#state.done === 0
    const isRepeat = list.repeats.isRepeat(item) || undefined
    const record =
      'error' in end
        ? { ...toFailure(item, end.error), isRepeat, sent: this.#state.sent.get(item.row) }
        : {
            row: item.row,
            bytes: Buffer.byteLength(text),
            isRepeat,
            ...factsOf(this.#options, item, end.result),
          }
    // The row is counted before its text is written. If writing fails, the next save writes the text again before it saves the record.
    this.#state.count(record)
    this.#written.push(record)
    if ('result' in end) this.#files?.data.write(isFirst ? text : format.separator + text)
    if (this.#ctx.clock.monotonic() - this.#savedAt < saveEveryMs[content]) return
    this.#save()
    this.#files?.journal.recordLength()
  }

  async finish(isComplete: boolean): Promise<Files> {
    this.#save()
    const files = await this.#close(isComplete)
    await this.#paths.saveSummary(this.#ctx, this.#state, files)
    if (files.out !== undefined) this.forget()
    return files
  }

  async #close(isComplete: boolean): Promise<Files> {
    if (!this.#files) return {}
    const { data, journal, earlier } = this.#files
    earlier?.return(undefined)
    // The end of the document is not recorded, because a resumed run writes it again.
    if (isComplete) data.write(this.#options.format.end(this.#state.done))
    const bytes = data.close()
    const complete = isComplete ? await this.#paths.complete(this.#state, bytes) : undefined
    if (complete) journal.append({ complete })
    else journal.recordLength()
    journal.close()
    if (complete) return this.#paths.publish(this.#state, complete)
    return isComplete ? this.#paths.remove() : {}
  }

  /** Records that the result was reported, unless --out was set. The next run then processes all users again. */
  forget(): void {
    const journalPath = completePath(this.#paths.folder)
    if (this.#options.isNamed || !existsSync(journalPath)) return
    const journal = new ListJournal(journalPath)
    journal.append({ isReported: true })
    journal.close()
  }

  #save(): void {
    if (!this.#files) return
    const { data, journal } = this.#files
    this.#state.data = { bytes: data.sync(), crc: data.crc }
    const record = { written: this.#written, announced: this.#announced, data: this.#state.data }
    this.#written = []
    this.#announced = []
    journal.append(record)
    this.#savedAt = this.#ctx.clock.monotonic()
  }
}
