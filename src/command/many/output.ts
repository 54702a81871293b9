import { readFileSync } from 'node:fs'
import { type FacescanError, UsageError } from '../../base/errors.ts'
import { count } from '../../base/text/count.ts'
import type { ListCounts } from '../../bulk/lists/checkpoint.ts'
import type { ItemEnd } from '../../bulk/lists/process-list.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { ResultWriter } from '../../bulk/results/result-file.ts'
import type { AnyListView } from '../../output/view.ts'
import { write } from '../../output/write.ts'
import type { Context } from '../context.ts'
import type { CheckedList } from './open-users.ts'
import type { RowFormat, UserRow } from './row-format.ts'

/** Files that a run has written. */
export interface Files {
  out?: string
  errors?: string
}

/** Destination of the results for a list. `put` is called in the order of the list. */
export interface ListOutput {
  /** They include the rows that an earlier run completed. */
  readonly counts: Readonly<ListCounts>
  put(item: ListItem, end: ItemEnd<unknown>): Promise<void> | undefined
  /** Ends the output: complete, or interrupted. */
  end(isComplete: boolean): Promise<Files>
}

/** A failed user, saved until the list is complete. */
interface Failure {
  line: number
  offset: number
  code: string
  message: string
}

export function toFailure({ line, offset }: ListItem, { code, message }: FacescanError): Failure {
  return { line, offset, code, message: message.replace(/\s+/g, ' ') }
}

/** Reports a failed user on stderr: a sentence, or a line of JSON for programs. */
function reportFailure(ctx: Context, { line, code, message }: Failure): void {
  if (ctx.settings.format === 'table') {
    ctx.warn(`line ${line}: ${message}`)
    return
  }
  ctx.progress.clear()
  ctx.io.stderr.write(`${JSON.stringify({ error: { line, code, message } })}\n`)
}

/** The failed users with their original columns and the reasons: a list that can be used again. */
export class ErrorsFile {
  readonly path: string
  readonly #writer: ResultWriter

  constructor(path: string, { input, table, settings, shard }: CheckedList) {
    this.path = path
    if (path === input.path) throw new UsageError(`--errors ${path} would overwrite the list`)
    this.#writer = new ResultWriter(undefined, 'rejects', input, table, { map: settings.map, shard })
  }

  add({ line, offset, code, message }: Failure): void {
    this.#writer.add({ line, offset }, [{ code, message }])
  }

  /** Adds the failures of a file with one JSON object per line. */
  addAll(path: string): void {
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      if (text !== '') this.add(JSON.parse(text) as Failure)
    }
  }

  /** Writes the file if a user failed. */
  save(): { errors?: string } {
    if (this.#writer.rows === 0) return {}
    this.#writer.saveAs(this.path)
    return { errors: this.path }
  }
}

abstract class StdoutOutput implements ListOutput {
  readonly counts = { rows: 0, done: 0, failed: 0 }
  /** Failures that are reported on stderr; the others are only counted. */
  protected readonly maxReported: number = Number.POSITIVE_INFINITY

  protected readonly ctx: Context
  protected readonly format: RowFormat
  protected readonly errors: ErrorsFile | undefined

  constructor(ctx: Context, format: RowFormat, errors: ErrorsFile | undefined) {
    this.ctx = ctx
    this.format = format
    this.errors = errors
  }

  put(item: ListItem, end: ItemEnd<unknown>): Promise<void> | undefined {
    if ('result' in end) return this.show(item, end.result, this.counts.done++)
    this.counts.failed++
    const failure = toFailure(item, end.error)
    if (this.errors) this.errors.add(failure)
    else if (this.counts.failed <= this.maxReported) reportFailure(this.ctx, failure)
    return undefined
  }

  async end(isComplete: boolean): Promise<Files> {
    await this.finish(isComplete)
    return this.errors?.save() ?? {}
  }

  /** `index`: the number of users before this one in the output. */
  protected abstract show(item: ListItem, result: unknown, index: number): Promise<void> | undefined
  protected abstract finish(isComplete: boolean): Promise<void>
}

/** One stream. It stays empty if the run stops before the first result. */
export class StreamOutput extends StdoutOutput {
  #isEmpty = true

  protected show(item: ListItem, result: unknown, index: number): Promise<void> | undefined {
    return this.#write(this.format.text(item, result, index))
  }

  protected async finish(isComplete: boolean): Promise<void> {
    // A document that was started is closed after an interruption too, so that it stays valid.
    if (isComplete || !this.#isEmpty) await this.#write(this.format.end(this.counts.done))
  }

  #write(text: string): Promise<void> | undefined {
    const all = this.#isEmpty ? this.format.start + text : text
    this.#isEmpty = false
    if (this.ctx.io.stdout.isTTY) this.ctx.progress.clear()
    return all === '' ? undefined : write(this.ctx.io.stdout, all)
  }
}

/** Lines of the terminal for the heading, the summary, and the prompt of the shell. */
const reservedLines = 10

/** A table of at most one screen. It is printed at the end. */
export class TableOutput extends StdoutOutput {
  protected override readonly maxReported = Math.max(5, this.ctx.pen('stdout').height - reservedLines)
  readonly #rows: UserRow[] = []
  #rowCount = 0

  protected show(item: ListItem, result: unknown): undefined {
    const rows = this.format.rowsOf(item, result)
    this.#rowCount += rows.length
    this.#rows.push(...rows.slice(0, this.maxReported - this.#rows.length))
  }

  protected async finish(): Promise<void> {
    const { columns } = this.format
    const view: AnyListView<readonly UserRow[]> = {
      rows: (rows) => rows,
      columns,
      empty: 'no results',
    }
    if (this.counts.done > 0) await this.ctx.print(this.#rows, view)
    const hidden = this.#rowCount - this.#rows.length
    if (hidden > 0) this.ctx.note(`${count(hidden)} more rows not shown; write all rows with --out FILE`)
    const unreported = this.errors ? 0 : this.counts.failed - this.maxReported
    if (unreported <= 0) return
    this.ctx.warn(
      `${count(unreported)} more failed users not shown; to save all failed users, add --errors errors.csv`,
    )
  }
}
