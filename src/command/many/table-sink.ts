import { count } from '../../base/text/count.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { AnyListView } from '../../output/view.ts'
import type { Context } from '../context.ts'
import { ErrorsFile, type Failure, reportFailure } from './failures.ts'
import type { CheckedList } from './open-users.ts'
import type { RowFormat, UserRow } from './row-format.ts'
import type { Sink } from './sink.ts'

/** Lines of the terminal for the heading, the summary, and the prompt of the shell. */
const reservedLines = 8

/** A table of at most one screen. It is printed at the end. */
export class TableSink implements Sink {
  readonly rowsDone = 0
  done = 0
  failed = 0
  readonly #ctx: Context
  readonly #format: RowFormat
  readonly #maxRows: number
  readonly #rows: UserRow[] = []
  readonly #errors: ErrorsFile | undefined
  #more = 0

  constructor(ctx: Context, format: RowFormat, errorsPath: string | undefined, list: CheckedList) {
    this.#ctx = ctx
    this.#format = format
    this.#maxRows = Math.max(5, ctx.pen('stdout').height - reservedLines)
    this.#errors = errorsPath === undefined ? undefined : new ErrorsFile(errorsPath, list)
  }

  /** Unlike the other sinks, this one takes the result itself. */
  addResult(item: ListItem, value: unknown): void {
    this.done++
    const rows = this.#format.rowsOf(item, value)
    const shown = rows.slice(0, this.#maxRows - this.#rows.length)
    this.#rows.push(...shown)
    this.#more += rows.length - shown.length
  }

  add(): undefined {}

  fail(_item: ListItem, failure: Failure): void {
    this.failed++
    if (this.#errors) this.#errors.add(failure)
    else if (this.failed <= this.#maxRows) reportFailure(this.#ctx, failure)
  }

  announce(): void {}

  async end(): Promise<{ errors?: string }> {
    const view: AnyListView<readonly UserRow[]> = {
      kind: 'list',
      rows: (rows) => rows,
      columns: this.#format.columns,
      empty: 'no results',
    }
    await this.#ctx.print(this.#rows, view)
    if (this.#more > 0) {
      this.#ctx.note(`${count(this.#more)} more rows not shown; write all rows with --out FILE`)
    }
    const errors = this.#errors?.save()
    return errors === undefined ? {} : { errors }
  }
}
