import { FacescanError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text/count.ts'
import type { RecordView } from '../../output/view.ts'
import type { Outcome } from '../outcome.ts'
import type { CheckedList } from './open-users.ts'
import type { ListEnd } from './run-list.ts'
import type { Files, Sink } from './sink.ts'

/** The result of a command that changes the users of a list. The counts add up to the users. */
export interface ListSummary {
  users: number
  done: number
  failed: number
  not_tried: number
  /** File with the results, if the run is complete. */
  file: string | null
  errors_file: string | null
}

export const listSummaryView: RecordView<ListSummary> = {
  kind: 'record',
  columns: [
    { key: 'users', title: 'Users' },
    { key: 'done', title: 'Done' },
    { key: 'failed', title: 'Failed' },
    { key: 'not_tried', title: 'Not tried' },
    { key: 'file', title: 'File', whole: true },
    { key: 'errors_file', title: 'Errors', whole: true },
  ],
}

/** How a run ended, and where its results are. */
export interface Conclusion {
  list: CheckedList
  counts: Pick<Sink, 'done' | 'failed'>
  end: ListEnd
  files: Files
  /** What a change did, such as `Deleted`. */
  did?: string
  /** The command that resumes the run, if it can be resumed. */
  resume?: string | undefined
}

export function summarize({ list, counts: { done, failed }, files }: Omit<Conclusion, 'end'>): ListSummary {
  const { out = null, errors = null } = files
  return {
    users: list.users,
    done,
    failed,
    not_tried: list.users - done - failed,
    file: out,
    errors_file: errors,
  }
}

/** One sentence about a complete success, or an error: users failed (exit code 10) or were not tried. */
export function conclude(
  conclusion: Conclusion,
): Pick<Outcome<unknown>['ending'], 'done' | 'notes' | 'error'> {
  const { list, end, files, did } = conclusion
  const { users, done, failed } = summarize(conclusion)
  if (!end.done) return { error: stopped(end.error, conclusion) }
  const where = files.out === undefined ? '' : ` in ${files.out}`
  const skipped = list.invalid > 0 ? `; ${countOf(list.invalid, 'invalid row')} skipped` : ''
  if (failed === 0 && did === undefined) return { done: `${countOf(done, 'user')} done${where}${skipped}` }
  if (failed === 0) return { done: `${did} ${countOf(done, 'user')}`, notes: [`results${where}${skipped}`] }
  const message = `${count(failed)} of ${countOf(users, 'user')} failed; ${count(done)} done${where}${skipped}`
  const hint = files.errors === undefined ? {} : { hint: `Failed users, with reasons: ${files.errors}` }
  return { error: new FacescanError('import_rejected', message, hint) }
}

/** Errors that stop a run, but do not determine its exit code: the run can be resumed. */
const resumable: ReadonlySet<string> = new Set(['network', 'usage', 'server', 'rate_limited'])

function stopped(error: unknown, conclusion: Conclusion): FacescanError {
  if (!(error instanceof FacescanError)) throw error
  const { done, failed, not_tried } = summarize(conclusion)
  const counts = `${count(done)} done, ${count(failed)} failed, ${count(not_tried)} not tried`
  const { resume } = conclusion
  const hints = [error.details.hint, resume && `Resume with: ${resume}`].filter((hint) => hint !== undefined)
  const { hint: _, ...details } = error.details
  const code = resumable.has(error.code) ? 'import_stopped' : error.code
  const message = `${error.message}; ${counts}`
  return new FacescanError(code, message, hints.length > 0 ? { ...details, hint: hints.join('\n') } : details)
}
