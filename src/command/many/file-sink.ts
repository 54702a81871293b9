import { createHash } from 'node:crypto'
import { extname, join, resolve } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'
import { requireDirectory } from '../../base/system/paths.ts'
import { countOf } from '../../base/text/count.ts'
import type { ItemEnd } from '../../bulk/lists/process-list.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { type Checkpoint, ResumableFile } from '../../bulk/lists/resumable-file.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import type { Context } from '../context.ts'
import { ErrorsFile, toFailure } from './failures.ts'
import type { CheckedList } from './open-users.ts'
import type { RowFormat } from './row-format.ts'
import type { Files, Sink } from './sink.ts'

const saveEveryMs = 500

export interface FileSinkOptions {
  out: string
  errors: string | undefined
  /** Identifies the settings that determine the content of the file. */
  settings: unknown
  format: RowFormat
  list: CheckedList
  /** When a token or link in a result expires, in ms. */
  expiryOf?: ((result: unknown) => number) | undefined
}

/** A file that appears when it is complete. The same command resumes it after an interruption. */
export class FileSink implements Sink {
  readonly #file: ResumableFile
  readonly #lock: Lock
  readonly #options: FileSinkOptions
  readonly #now: () => number
  readonly #announced: Map<number, string>
  readonly #counts: Pick<Checkpoint, 'rows' | 'done' | 'failed' | 'expiresAt'>
  #savedAt: number
  #saving: Promise<void> | undefined

  private constructor(file: ResumableFile, lock: Lock, options: FileSinkOptions, now: () => number) {
    this.#file = file
    this.#lock = lock
    this.#options = options
    this.#now = now
    this.#savedAt = now()
    const { rows, done, failed, expiresAt, announced } = file.checkpoint
    this.#counts = { rows, done, failed, expiresAt }
    this.#announced = new Map(announced)
  }

  static async open(ctx: Context, options: FileSinkOptions): Promise<FileSink> {
    const path = resolve(options.out)
    const folder = join(requireDirectory(ctx.paths, 'state'), 'lists', hashOf(path))
    makeDirectory(folder)
    const { baseUrl = 'sandbox', profile } = await ctx.session()
    const settings = [ctx.command, baseUrl, profile, options.settings]
    const lock = await acquireLock(folder)
    try {
      const key = hashOf(JSON.stringify([options.list.identity, settings]))
      const now = ctx.clock.now()
      const isUsable = ({ expiresAt = now + 1 }: Checkpoint) => expiresAt > now
      const file = new ResumableFile({ path, folder, key, start: options.format.start, isUsable })
      if (file.isResumed) {
        const { done, failed } = file.checkpoint
        ctx.note(`resuming ${options.out}: ${countOf(done + failed, 'user')} already processed`)
      }
      return new FileSink(file, lock, options, () => ctx.clock.monotonic())
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  get rowsDone(): number {
    return this.#counts.rows
  }

  get done(): number {
    return this.#counts.done
  }

  get failed(): number {
    return this.#counts.failed
  }

  /** What was announced for a row, by this run or an interrupted one. */
  announcedFor({ row }: ListItem): string | undefined {
    return this.#announced.get(row)
  }

  /** Records durably that a change is sent next. Announcements of the same moment share one write to the disk. */
  announce({ row }: ListItem, userId: string): Promise<void> {
    this.#announced.set(row, userId)
    this.#saving ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#saving = undefined
        try {
          resolve(this.#save())
        } catch (error) {
          reject(error)
        }
      })
    })
    return this.#saving
  }

  put(item: ListItem, end: ItemEnd<unknown>): undefined {
    const counts = this.#counts
    if ('error' in end) {
      this.#file.addFailure(toFailure(item, end.error))
      counts.failed++
    } else {
      this.#file.write(this.#options.format.text(item, end.result, counts.done))
      const expiry = this.#options.expiryOf?.(end.result)
      if (expiry !== undefined) counts.expiresAt = Math.min(counts.expiresAt ?? expiry, expiry)
      counts.done++
    }
    counts.rows = item.row + 1
    this.#announced.delete(item.row)
    if (this.#now() - this.#savedAt >= saveEveryMs) this.#save()
  }

  async end(isComplete: boolean): Promise<Files> {
    try {
      if (!isComplete) {
        this.#save()
        this.#file.close()
        return {}
      }
      this.#file.write(this.#options.format.end(this.done))
      const errors = this.#saveErrors()
      this.#file.finish()
      return { out: this.#options.out, ...errors }
    } finally {
      await this.#lock.release()
    }
  }

  #saveErrors(): Files {
    if (this.failed === 0) return {}
    this.#file.sync()
    const { errors, out, list } = this.#options
    const file = new ErrorsFile(errors ?? errorsPathOf(out), list)
    file.addAll(this.#file.failuresPath)
    return file.save()
  }

  #save(): void {
    this.#file.save({ ...this.#counts, announced: [...this.#announced] })
    this.#savedAt = this.#now()
  }
}

/** `links.csv` has its errors in `links.errors.csv`. */
function errorsPathOf(out: string): string {
  const ending = extname(out)
  return `${out.slice(0, out.length - ending.length)}.errors.csv`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
