import { FacescanError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import type { ListCounts } from '../../bulk/lists/list-journal.ts'
import type { RecordView } from '../../output/view.ts'
import { type CommandResult, commandResult, type ResultParts } from '../command-result.ts'
import type { ListSummary } from './list-schema.ts'
import type { CheckedList } from './open-users.ts'
import type { ListChange } from './options.ts'
import type { Files } from './output-paths.ts'

export const listSummaryView: RecordView<ListSummary> = {
  columns: [
    { key: 'users', title: 'Users' },
    { key: 'done', title: 'Done' },
    { key: 'failed', title: 'Failed' },
    { key: 'not_tried', title: 'Not tried' },
    { key: 'file', title: 'File', whole: true },
    { key: 'errors_file', title: 'Errors', whole: true },
  ],
}

export interface RunResult {
  list: Pick<CheckedList, 'users' | 'invalid' | 'repeated' | 'repeats'>
  counts: Pick<ListCounts, 'done' | 'failed' | 'repeated' | 'statuses'>
  end: RunEnd
  files: Files
  /** Undefined for a run that only reads. */
  change?: Pick<ListChange, 'verb' | 'failures'> | undefined
  /** Whether the output has a row for each row of the list. If so, rows are counted instead of users. */
  countsRows?: boolean
  resume?: string | undefined
  /** Whether an earlier run already processed all users. */
  isRepeated?: boolean
}

/** The number of rows as text: "users" if each user has exactly one row, otherwise "rows". */
export function countRows({ users, repeats }: Pick<CheckedList, 'users' | 'repeats'>, rows: number): string {
  return countOf(rows, users === repeats.users ? 'user' : 'row')
}

/** The counts of a run. Rows with the same user and the same data are counted as one, unless `countsRows` is set. */
export function summarize(result: Omit<RunResult, 'end'>): ListSummary {
  const { list, counts, files, countsRows, change } = result
  const { statuses = {} } = counts
  const repeated = countsRows ? { all: 0, done: 0, failed: 0 } : { all: list.repeated, ...counts.repeated }
  const refused = (change?.failures ?? []).reduce((sum, status) => sum + (statuses[status] ?? 0), 0)
  const users = list.users - repeated.all
  const done = counts.done - repeated.done - refused
  const failed = counts.failed - repeated.failed + refused
  const { out: file = null, errors: errors_file = null } = files
  return { users, done, failed, not_tried: users - done - failed, file, errors_file }
}

/** Returns the summary of a run. Adds a success message, or an error if users failed (exit code 10) or were not tried. */
export async function conclude(result: RunResult): Promise<CommandResult<ListSummary>> {
  const { end, counts, change, resume } = result
  const summary = summarize(result)
  let parts: ResultParts
  if (end.done) parts = endOf(result, summary)
  else {
    const { done, failed, not_tried } = summary
    const states = `${count(done)} done, ${count(failed)} failed, ${count(not_tried)} not tried`
    const code = change?.verb === 'import' ? 'import_stopped' : 'list_stopped'
    const { explainStoppedRun } = await import('./explain-stop.ts')
    parts = { error: explainStoppedRun(end.error, states, resume && `Resume with: ${resume}`, code) }
  }
  return commandResult(summary, { view: listSummaryView, brief: true, statuses: counts.statuses, ...parts })
}

function endOf(result: RunResult, { users, done, failed }: ListSummary): ResultParts {
  const { list, counts, files, change: { verb } = {} } = result
  const where = files.errors === undefined ? '' : `; see ${files.errors}`
  const details = [
    ...(files.out === undefined ? [] : [`results in ${files.out}`]),
    ...(list.invalid > 0 ? [`${countOf(list.invalid, 'invalid row')} skipped${where}`] : []),
  ]
  if (counts.failed > 0) {
    const failures = `${count(failed)} of ${countRows({ ...list, users }, users)} failed; ${count(done)} done`
    const hint = files.errors && `The failed users and the reasons are in ${files.errors}`
    const code = verb === 'import' ? 'import_rejected' : 'list_failed'
    return { error: new FacescanError(code, [failures, ...details].join('; '), { hint }) }
  }
  // The earlier run sent the changes and this run sent nothing, so no success line is printed.
  if (result.isRepeated) return { notes: details }
  if (verb === undefined) {
    const { repeats } = list
    const rows = repeats.users === counts.done ? '' : ` (${countOf(counts.done, 'row')})`
    return { done: [`Processed ${countOf(repeats.users, 'user')}${rows}`, ...details].join('; ') }
  }
  const { changed, text } = describeChange(verb, list, counts)
  // A success line would state that 0 users were changed, so a note is printed instead.
  if (changed === 0) return { notes: [`nothing to ${verb}${text && `: ${text}`}`, ...details] }
  const past = verb.replace(/^./, (letter) => letter.toUpperCase()).replace(/e?$/, 'ed')
  return { done: `${past} ${countOf(changed, 'user')}${text && ` (${text})`}`, notes: details }
}

/** The number of users for whom the run sent no change: existing users, and links from an earlier run. */
export function countUnchanged(statuses: Readonly<Record<string, number>> = {}): number {
  return (statuses['existing'] ?? 0) + (statuses['kept'] ?? 0)
}

/** Returns the number of changed users, and a text with the number of users for each status. The text omits the changed users. */
function describeChange(
  verb: string,
  { users, repeated }: RunResult['list'],
  { statuses = {} }: RunResult['counts'],
) {
  const changed = users - repeated - countUnchanged(statuses)
  const parts = Object.entries(statuses).map(
    ([status, n]) =>
      `${count(n)} ${status === 'kept' ? 'kept from the earlier run' : status.replaceAll('_', ' ')}`,
  )
  const usual = `${count(changed)} ${verb.replace(/e?$/, 'ed')}`
  return { changed, text: parts.filter((part) => part !== usual).join(', ') }
}
