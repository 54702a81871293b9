import { createReadStream, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setImmediate } from 'node:timers/promises'
import { span } from '../../base/clock.ts'
import { makeDirectory } from '../../base/files.ts'
import { requireDirectory } from '../../base/paths.ts'
import { countOf, shortHash } from '../../base/text.ts'
import { AppendedFile, damagedState } from '../../bulk/lists/appended-file.ts'
import {
  type Checkpoint,
  findEarlier,
  partialPath,
  publish,
  removeCheckpoint,
  writeCheckpoint,
} from '../../bulk/lists/checkpoint.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { acquireLock, type Lock } from '../../bulk/lock.ts'
import { ResultWriter } from '../../bulk/results/result-file.ts'
import type { Context } from '../context.ts'
import { lockOptions } from '../lock-options.ts'
import { type Destination, type Failure, type Files, type ItemEnd, toFailure } from './destination.ts'
import type { CheckedList } from './open-users.ts'
import type { ChangeStep } from './options.ts'
import { checkOutputPaths, errorsPathOf, refuseAppeared, refuseOther } from './output-paths.ts'
import type { RowFormat } from './row-format.ts'

export interface FileDestinationOptions {
  out: string
  errors: string | undefined
  key: string
  list: CheckedList
  format: RowFormat
  /** Tokens and links expire. Changes have a status. */
  content: 'data' | 'secrets' | 'changes'
  /** Whether each row creates a user, which waits for an earlier request of the same row. */
  creates: boolean
}

const saveEveryMs = 500

/**
 * A file that appears complete, or not at all. Until then the data is in `PATH.partial`, readable only by its owner. After a crash
 * the same command continues at the last checkpoint.
 */
export class FileDestination implements Destination {
  readonly #isComplete: boolean
  readonly counts: Checkpoint
  readonly #ctx: Context
  readonly #options: FileDestinationOptions
  readonly #path: string
  readonly #folder: string
  readonly #lock: Lock
  /** The failed users with their original columns and the reasons: a list that can be used again. */
  readonly #errors: ResultWriter
  readonly #announced: Map<number, string>
  #files: { data: AppendedFile; failures: AppendedFile } | undefined
  #savedAt = 0
  #saving: Promise<void> | undefined

  private constructor(ctx: Context, options: FileDestinationOptions, folder: string, lock: Lock) {
    const { out, errors = errorsPathOf(out), key, list } = options
    this.#ctx = ctx
    this.#options = options
    this.#path = resolve(out)
    this.#folder = folder
    this.#lock = lock
    checkOutputPaths({ out, errors }, list)
    this.#errors = new ResultWriter('rejects', list.table)
    const earlier = findEarlier(this.#path, folder, key, ctx.clock.now())
    this.#isComplete = earlier.state === 'complete'
    if (!this.#isComplete) refuseOther(out, earlier.state === 'other')
    const fresh = { key, rows: 0, bytes: 0, failureBytes: 0, done: 0, failed: 0 }
    this.counts = 'checkpoint' in earlier ? earlier.checkpoint : fresh
    this.#announced = new Map(this.counts.announced)
  }

  /** Refuses a file that exists, unless this command wrote it. */
  static async open(ctx: Context, options: FileDestinationOptions): Promise<FileDestination> {
    const folder = stateFolder(ctx, options.out)
    makeDirectory(folder)
    const lock = await acquireLock(folder, lockOptions(ctx))
    try {
      return new FileDestination(ctx, options, folder, lock)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Opens the files for the data. */
  open(): void {
    const { bytes, failureBytes, dataCrc, failureCrc, done, failed } = this.counts
    this.#files = {
      data: new AppendedFile(partialPath(this.#path), bytes, { name: this.#options.out, crc: dataCrc }),
      failures: new AppendedFile(this.#failuresPath, failureBytes, { crc: failureCrc }),
    }
    if (done + failed > 0)
      this.#ctx.note(`resuming ${this.#options.out}: ${countOf(done + failed, 'user')} already processed`)
    if (this.#options.creates && this.#announced.size > 0) {
      const wait = span(this.#ctx.flags.timeout / 1000)
      const users = countOf(this.#announced.size, 'user')
      this.#ctx.note(`waiting ${wait}, because the interrupted run may still create ${users}`)
    }
    // The start is part of the first checkpoint, so that a resumed file always contains it.
    if (bytes === 0) this.#files.data.write(this.#options.format.start)
    this.#save()
  }

  stepFor({ row }: ListItem): ChangeStep {
    return { announced: this.#announced.get(row), announce: (userId) => this.#announce(row, userId) }
  }

  /** Announcements at the same moment share one disk write. */
  #announce(row: number, userId: string): Promise<void> {
    this.#announced.set(row, userId)
    this.#saving ??= setImmediate().then(() => {
      this.#saving = undefined
      this.#save()
    })
    return this.#saving
  }

  put(item: ListItem, end: ItemEnd): undefined {
    // First, because a result that cannot be formatted is not in the file.
    const text = 'error' in end ? '' : this.#options.format.text(item, end.result, this.counts.done)
    // The row counts before it is written, because a failed write is repeated before the counts are saved.
    this.counts.rows = item.row + 1
    this.#announced.delete(item.row)
    if ('error' in end) {
      this.counts.failed++
      this.#files?.failures.write(`${JSON.stringify(toFailure(item, end.error))}\n`)
    } else {
      this.#note(end.result)
      this.counts.done++
      this.#files?.data.write(text)
    }
    if (this.#ctx.clock.monotonic() - this.#savedAt >= saveEveryMs) this.#save()
  }

  async finish(isComplete: boolean): Promise<Files> {
    // The end is not part of a checkpoint, because a resumed run writes it.
    if (isComplete) this.#files?.data.write(this.#options.format.end(this.counts.done))
    else this.#save()
    this.counts.bytes = this.#files?.data.close() ?? 0
    this.#files?.failures.close()
    return isComplete ? await this.#complete() : {}
  }

  get lock(): Lock {
    return this.#lock
  }

  get complete(): Files | undefined {
    return this.#isComplete ? this.#written : undefined
  }

  get #written(): Files {
    const { out, errors = errorsPathOf(out) } = this.#options
    return { out, ...(this.counts.failed > 0 && { errors }) }
  }

  /** Lets the same command run again. Its users may have changed since. */
  forget(): void {
    removeCheckpoint(this.#folder)
  }

  get #failuresPath(): string {
    return join(this.#folder, 'failures.ndjson')
  }

  async #complete(): Promise<Files> {
    const files = this.#written
    const { done, failed } = this.counts
    if (done + failed !== this.#options.list.users) throw damagedState(partialPath(this.#path))
    if (files.errors !== undefined) {
      // Line by line, because every user of a long list may have failed.
      for await (const line of createInterface(createReadStream(this.#failuresPath))) {
        const failure: Failure = JSON.parse(line)
        this.#errors.add(failure, [failure])
      }
      this.#errors.saveAs(files.errors)
    }
    // Before the checkpoint is complete, so that the same command can still resume the file.
    refuseAppeared(this.#options.out)
    this.counts.completedMs = statSync(partialPath(this.#path)).mtimeMs
    this.#write()
    publish(this.#path)
    rmSync(this.#failuresPath, { force: true })
    return files
  }

  #note(result: unknown): void {
    const { content } = this.#options
    const { status, expires_at } = (result ?? {}) as { status?: string; expires_at?: string }
    if (content === 'changes' && status !== undefined) {
      this.counts.statuses = { ...this.counts.statuses, [status]: (this.counts.statuses?.[status] ?? 0) + 1 }
    }
    if (content !== 'secrets') return
    // A link without an expiry counts as expired, because it may work only once.
    const expiry = expires_at === undefined ? this.#ctx.clock.now() : Date.parse(expires_at)
    this.counts.expiresAt = Math.min(this.counts.expiresAt ?? expiry, expiry)
  }

  #save(): void {
    if (!this.#files) return
    this.counts.bytes = this.#files.data.sync()
    this.counts.failureBytes = this.#files.failures.sync()
    this.counts.dataCrc = this.#files.data.crc
    this.counts.failureCrc = this.#files.failures.crc
    this.#write()
    this.#savedAt = this.#ctx.clock.monotonic()
  }

  #write(): void {
    writeCheckpoint(this.#folder, { ...this.counts, announced: [...this.#announced] })
  }
}

/** Identifies a command, its list, its service, and the settings that determine its output. */
export async function keyOf(ctx: Context, { identity }: CheckedList, settings: unknown): Promise<string> {
  const { baseUrl = 'sandbox', profile } = await ctx.session()
  return shortHash(JSON.stringify([identity, ctx.command, baseUrl, profile, settings]))
}

/** Whether the same command has completed a file and has not reported it. */
export function wasCompleted(ctx: Context, out: string, key: string): boolean {
  return findEarlier(resolve(out), stateFolder(ctx, out), key, ctx.clock.now()).state === 'complete'
}

function stateFolder(ctx: Context, out: string): string {
  return join(requireDirectory(ctx.paths, 'state'), 'lists', shortHash(resolve(out)))
}
