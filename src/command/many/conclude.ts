import { FacescanError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text/count.ts'
import type { CheckedList } from './open-users.ts'
import type { ListEnd } from './run-list.ts'
import type { Sink } from './sink.ts'

/** What happened to the users of a list, and where the results are. */
export interface Conclusion {
  list: CheckedList
  sink: Sink
  end: ListEnd
  files: { out?: string; errors?: string }
  /** The command that resumes the run, if it can be resumed. */
  resume?: string | undefined
}

/** The counts of a run; they add up to the users of the list. */
export function countUsers({ list, sink }: Pick<Conclusion, 'list' | 'sink'>) {
  const { done, failed } = sink
  return { users: list.users, done, failed, not_tried: list.users - done - failed }
}

/** One sentence about a complete success, or an error: users failed (exit code 10) or were not tried. */
export function conclude(conclusion: Conclusion): { done?: string; error?: FacescanError } {
  const { list, end, files } = conclusion
  const { users, done, failed } = countUsers(conclusion)
  if (!end.done) return { error: stopped(end.error, conclusion) }
  const where = files.out === undefined ? '' : ` in ${files.out}`
  const skipped = list.invalid > 0 ? `; ${countOf(list.invalid, 'invalid row')} skipped` : ''
  if (failed === 0) return { done: `${countOf(done, 'user')} done${where}${skipped}` }
  const message = `${count(failed)} of ${countOf(users, 'user')} failed; ${count(done)} done${where}${skipped}`
  const hint = files.errors === undefined ? {} : { hint: `Failed users, with reasons: ${files.errors}` }
  return { error: new FacescanError('import_rejected', message, hint) }
}

/** Codes that stop a run, but not for a reason that the exit code has to name. */
const resumable: ReadonlySet<string> = new Set(['network', 'usage', 'server', 'rate_limited'])

function stopped(error: unknown, conclusion: Conclusion): FacescanError {
  if (!(error instanceof FacescanError)) throw error
  const { done, failed, not_tried } = countUsers(conclusion)
  const counts = `${count(done)} done, ${count(failed)} failed, ${count(not_tried)} not tried`
  const { resume } = conclusion
  const hints = [error.details.hint, resume && `Resume with: ${resume}`].filter((hint) => hint !== undefined)
  const { hint: _, ...details } = error.details
  const code = resumable.has(error.code) ? 'import_stopped' : error.code
  const message = `${error.message}; ${counts}`
  return new FacescanError(code, message, hints.length > 0 ? { ...details, hint: hints.join('\n') } : details)
}
