import type { FacescanError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import type { FailedRow, ListCounts } from '../../bulk/lists/list-journal.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { ResultWriter } from '../../bulk/results/result-file.ts'
import { isForMachines } from '../../output/message.ts'
import { isForPeople } from '../../output/settings.ts'
import type { ListView } from '../../output/view.ts'
import { write } from '../../output/write.ts'
import type { Context } from '../context.ts'
import { addSkipped, type CheckedList } from './open-users.ts'
import type { Files } from './output-paths.ts'
import type { RowFormat, UserRow } from './row-format.ts'

export type RowEnd = { result: unknown } | { error: FacescanError }

/** Destination for the results of a list: stdout or a `ResumableFile`. `put` is called in the order of the list. */
export interface Output {
  /** The counts of the list. They include the rows of earlier runs. */
  readonly counts: Readonly<ListCounts>
  put(item: ListItem, end: RowEnd): Promise<void> | undefined
  /** Ends the output of a complete or interrupted run. */
  finish(isComplete: boolean): Promise<Files>
}

export function toFailure({ row, line, offset }: ListItem, { code, message }: FacescanError): FailedRow {
  return { row, line, offset, code, message: message.replace(/\s+/g, ' ') }
}

function reportFailure(ctx: Context, { line, code, message }: FailedRow): void {
  if (!isForMachines(ctx.settings.format, ctx.io.stderr)) {
    ctx.warn(`line ${line}: ${message}`)
    return
  }
  ctx.progress.clear()
  ctx.io.stderr.write(`${JSON.stringify({ error: { line, code, message } })}\n`)
}

interface Printer {
  /** Maximum number of failures to report on stderr. More failures are only counted. */
  maxReported: number
  /** Adds the result of a user. `index` is the number of users that come before this user in the output. */
  show(
    item: ListItem,
    result: unknown,
    index: number,
  ): { isEmpty: boolean; shown?: Promise<void> | undefined }
  finish(done: number, isComplete: boolean): Promise<void>
}

/** Output on stdout. Failed users are written to the file at `errorsPath`. If this path is undefined, they are reported on stderr. */
export async function stdoutOutput(
  ctx: Context,
  format: RowFormat,
  list: CheckedList,
  errorsPath: string | undefined,
): Promise<Output> {
  const printer = isForPeople(format.settings) ? tablePrinter(ctx, format) : streamPrinter(ctx, format)
  const counts = { rows: 0, done: 0, failed: 0, repeated: { done: 0, failed: 0 }, empty: 0 }
  const errors = errorsPath === undefined ? undefined : await openErrors(ctx, errorsPath, list)
  return {
    counts,
    put(item, end) {
      if ('result' in end) {
        const { isEmpty, shown } = printer.show(item, end.result, counts.done)
        counts.done++
        if (isEmpty) counts.empty++
        return shown
      }
      counts.failed++
      const failure = toFailure(item, end.error)
      if (errors) errors.add(failure, [failure])
      else if (counts.failed <= printer.maxReported) reportFailure(ctx, failure)
      return undefined
    },
    async finish(isComplete) {
      await printer.finish(counts.done, isComplete)
      const unreported = errors ? 0 : counts.failed - printer.maxReported
      if (unreported > 0) {
        const failed = countOf(unreported, 'more failed user')
        ctx.warn(`${failed} not shown; to save all failed users, add --errors errors.csv`)
      }
      if (errors && isComplete) await addSkipped(errors, list)
      if (errorsPath !== undefined) await errors?.saveAs(errorsPath, ctx.drainFirst())
      return errors?.path === undefined ? {} : { errors: errors.path }
    },
  }
}

async function openErrors({ flags }: Context, path: string, list: CheckedList): Promise<ResultWriter> {
  const { checkOutputPaths, refuseExistingErrors } = await import('./output-paths.ts')
  const { ResultWriter } = await import('../../bulk/results/result-file.ts')
  checkOutputPaths({ errors: path }, list)
  if (!flags.yes) refuseExistingErrors(path)
  return new ResultWriter('rejects', list.table)
}

/** Prints the results as one stream. Prints nothing if the run stops before the first result. */
function streamPrinter({ io, progress }: Context, format: RowFormat): Printer {
  let isEmpty = true
  const print = (text: string) => {
    const all = isEmpty ? format.start + text : text
    isEmpty = false
    if (io.stdout.isTTY) progress.clear()
    return all === '' ? undefined : write(io.stdout, all)
  }
  return {
    maxReported: Number.POSITIVE_INFINITY,
    show: (item, result, index) => {
      const text = format.text(item, result)
      return { isEmpty: text === '', shown: print((index > 0 ? format.separator : '') + text) }
    },
    async finish(done, isComplete) {
      // The end of the document is also printed after an interruption, so that the output stays valid.
      if (isComplete || !isEmpty) await print(format.end(done))
    },
  }
}

/** Number of terminal lines for the heading, the summary, and the shell prompt. */
const reservedLines = 10

/** Prints a table at the end. The table has at most as many rows as fit on the screen. */
function tablePrinter(ctx: Context, format: RowFormat): Printer {
  const maxReported = Math.max(5, ctx.terminals.stdout.height - reservedLines)
  const shown: UserRow[] = []
  let rowCount = 0
  return {
    maxReported,
    show(item, result) {
      const rows = format.rowsOf(item, result)
      rowCount += rows.length
      shown.push(...rows.slice(0, maxReported - shown.length))
      return { isEmpty: rows.length === 0 }
    },
    async finish() {
      const view: ListView<readonly UserRow[], UserRow> = {
        rows: (rows) => rows,
        columns: format.columns,
        empty: '',
      }
      if (rowCount > 0) await ctx.print(shown, view)
      const hidden = rowCount - shown.length
      if (hidden > 0) ctx.note(`${countOf(hidden, 'more row')} not shown; write all rows with --out FILE`)
    },
  }
}
