import { createHash } from 'node:crypto'
import { extname, join, resolve } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'
import { requireDirectory } from '../../base/system/paths.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { type Checkpoint, ResumableFile } from '../../bulk/lists/resumable-file.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { write } from '../../output/write.ts'
import type { Context } from '../context.ts'
import { ErrorsFile, type Failure, reportFailure } from './failures.ts'
import type { CheckedList } from './open-users.ts'

/** Where the output for a list goes. All methods are called in the order of the list. */
export interface Sink {
  /** Rows of the list, of all shards, that an earlier run completed. */
  readonly rowsDone: number
  readonly done: number
  readonly failed: number
  add(item: ListItem, text: string, expiresAt?: number): Promise<void> | undefined
  fail(item: ListItem, failure: Failure): void
  /** Announces that rows before this one may be sent. Durable when it returns. */
  announce(rows: number): void
  /** Ends the output: complete, or interrupted. Returns the files that exist now. */
  end(isComplete: boolean, closing: string): Promise<{ out?: string; errors?: string }>
}

const saveEveryMs = 1_000

/** stdout, as one stream. It stays empty if the run stops before the first result. */
export class StreamSink implements Sink {
  readonly rowsDone = 0
  done = 0
  failed = 0
  readonly #ctx: Context
  readonly #errors: ErrorsFile | undefined
  #start: string

  constructor(ctx: Context, start: string, errorsPath: string | undefined, list: CheckedList) {
    this.#ctx = ctx
    this.#start = start
    this.#errors = errorsPath === undefined ? undefined : new ErrorsFile(errorsPath, list)
  }

  add(_item: ListItem, text: string): Promise<void> | undefined {
    this.done++
    return this.#write(text)
  }

  fail(_item: ListItem, failure: Failure): void {
    this.failed++
    if (this.#errors) this.#errors.add(failure)
    else reportFailure(this.#ctx, failure)
  }

  announce(): void {}

  async end(isComplete: boolean, closing: string): Promise<{ errors?: string }> {
    // A document that was begun is closed after an interruption too, so that it stays valid.
    if (isComplete || this.#start === '') await this.#write(closing)
    const errors = this.#errors?.save()
    return errors === undefined ? {} : { errors }
  }

  #write(text: string): Promise<void> | undefined {
    const all = this.#start + text
    this.#start = ''
    return all === '' ? undefined : write(this.#ctx.io.stdout, all)
  }
}

export interface FileSinkOptions {
  out: string
  errors: string | undefined
  /** Identifies the command, its settings, and the service. */
  settings: unknown
  start: string
  list: CheckedList
}

/** A file that appears when it is complete. The same command resumes it after an interruption. */
export class FileSink implements Sink {
  readonly #file: ResumableFile
  readonly #lock: Lock
  readonly #options: FileSinkOptions
  readonly #now: () => number
  #rows: number
  #counts: Pick<Checkpoint, 'done' | 'failed' | 'expiresAt'>
  #savedAt: number

  private constructor(file: ResumableFile, lock: Lock, options: FileSinkOptions, now: () => number) {
    this.#file = file
    this.#lock = lock
    this.#options = options
    this.#now = now
    this.#savedAt = now()
    const { rows, done, failed, expiresAt } = file.checkpoint
    this.#rows = rows
    this.#counts = { done, failed, expiresAt }
  }

  static async open(ctx: Context, options: FileSinkOptions): Promise<FileSink> {
    const path = resolve(options.out)
    const folder = join(requireDirectory(ctx.paths, 'state'), 'lists', hashOf(path))
    makeDirectory(folder)
    const lock = await acquireLock(folder)
    try {
      const key = hashOf(JSON.stringify([options.list.identity, options.settings]))
      const now = ctx.clock.now()
      const isUsable = ({ expiresAt = now + 1 }: Checkpoint) => expiresAt > now
      const file = new ResumableFile({ path, folder, key, start: options.start, isUsable })
      if (file.isResumed) {
        const { done, failed } = file.checkpoint
        ctx.note(`resuming ${options.out}: ${done + failed} users are already in it`)
      }
      return new FileSink(file, lock, options, () => ctx.clock.monotonic())
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  get rowsDone(): number {
    return this.#rows
  }

  get done(): number {
    return this.#counts.done
  }

  get failed(): number {
    return this.#counts.failed
  }

  /** Rows that an earlier run may have sent without recording the result. */
  get mayBeSent(): number {
    return this.#file.checkpoint.mayBeSent ?? 0
  }

  add(item: ListItem, text: string, expiresAt?: number): undefined {
    this.#file.write(text)
    const { done, expiresAt: earlier = expiresAt } = this.#counts
    const earliest = expiresAt === undefined ? earlier : Math.min(earlier ?? expiresAt, expiresAt)
    this.#counts = { ...this.#counts, done: done + 1, expiresAt: earliest }
    this.#advance(item)
  }

  fail(item: ListItem, failure: Failure): void {
    this.#file.addFailure(failure)
    this.#counts = { ...this.#counts, failed: this.#counts.failed + 1 }
    this.#advance(item)
  }

  announce(rows: number): void {
    this.#save({ mayBeSent: rows })
  }

  async end(isComplete: boolean, closing: string): Promise<{ out?: string; errors?: string }> {
    try {
      if (!isComplete) {
        this.#save({})
        this.#file.close()
        return {}
      }
      this.#file.write(closing)
      const errors = this.#saveErrors()
      this.#file.finish()
      return { out: this.#options.out, ...(errors !== undefined && { errors }) }
    } finally {
      await this.#lock.release()
    }
  }

  #saveErrors(): string | undefined {
    if (this.failed === 0) return undefined
    this.#save({})
    const { errors, out, list } = this.#options
    const file = new ErrorsFile(errors ?? errorsPathOf(out), list)
    file.addAll(this.#file.failuresPath)
    return file.save()
  }

  #advance({ row }: ListItem): void {
    this.#rows = row + 1
    if (this.#now() - this.#savedAt >= saveEveryMs) this.#save({})
  }

  #save(changes: Partial<Checkpoint>): void {
    this.#file.save({ rows: this.#rows, ...this.#counts, ...changes })
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
