import { FacescanError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import type { ListCounts } from '../../bulk/lists/checkpoint.ts'
import { hintsOf } from '../../output/hint.ts'
import type { RecordView } from '../../output/view.ts'
import { type CommandResult, commandResult, type ResultParts } from '../command-result.ts'
import type { ListSummary } from './list-schema.ts'
import type { CheckedList } from './open-users.ts'
import type { Files } from './output.ts'

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
  list: Pick<CheckedList, 'users' | 'invalid' | 'repeated'>
  counts: Pick<ListCounts, 'done' | 'failed' | 'statuses'>
  end: RunEnd
  files: Files
  /** Verb of the change, such as `delete`. Undefined for a run that only reads. */
  verb?: string | undefined
  resume?: string | undefined
  /** Whether an earlier run did all the work. */
  isRepeated?: boolean
}

export function summarize({ list, counts, files }: Omit<RunResult, 'end'>): ListSummary {
  const { users } = list
  const { done, failed } = counts
  const { out: file = null, errors: errors_file = null } = files
  return { users, done, failed, not_tried: users - done - failed, file, errors_file }
}

/** Returns a sentence about a complete success. Throws if users failed (exit code 10) or were not tried. */
export function conclude(result: RunResult): CommandResult<ListSummary> {
  const { list, counts, end, files, verb } = result
  const { done, failed, statuses = {} } = counts
  const summary = summarize(result)
  const finish = (parts: ResultParts) =>
    commandResult(summary, { ...parts, view: listSummaryView, brief: true })
  if (!end.done) {
    const states = `${count(done)} done, ${count(failed)} failed, ${count(summary.not_tried)} not tried`
    const resume = result.resume && `Resume with: ${result.resume}`
    return finish({ error: explainStop(end.error, states, resume, codesOf(verb)) })
  }
  const where = files.errors === undefined ? '' : `; see ${files.errors}`
  const skipped = `${countOf(list.invalid, 'invalid row')} skipped${where}`
  const details = [files.out !== undefined && `results in ${files.out}`, list.invalid > 0 && skipped].filter(
    (text) => text !== false,
  )
  if (failed > 0) {
    const failures = `${count(failed)} of ${countOf(list.users, 'user')} failed; ${count(done)} done`
    const message = [failures, ...details].join('; ')
    const hint = files.errors && `The failed users and the reasons are in ${files.errors}`
    const error = new FacescanError(codesOf(verb).failed, message, { hint })
    return finish({ error })
  }
  if (verb === undefined) return finish({ done: [`${countOf(done, 'user')} done`, ...details].join('; ') })
  // If the command was repeated, the users may have changed since the first run, so "Deleted 3 users" could be wrong.
  if (result.isRepeated) return finish({ notes: details })
  const past = verb.replace(/^./, (letter) => letter.toUpperCase()).replace(/e?$/, 'ed')
  const parts = Object.entries(statuses).map(describeStatus)
  const unchanged = (statuses['existing'] ?? 0) + (statuses['kept'] ?? 0)
  // The success line states only the number of changed users.
  if (unchanged === done && done > 0)
    return finish({ notes: [`nothing to ${verb}: ${parts.join(', ')}`, ...details] })
  // The statuses count rows, not users.
  const changed = unchanged === 0 ? done - list.repeated : done - unchanged
  const others = parts.filter((part) => part !== `${count(changed)} ${past.toLowerCase()}`).join(', ')
  const text = `${past} ${countOf(changed, 'user')}${others && ` (${others})`}`
  return finish({ done: text, notes: details })
}

function describeStatus([status, users]: [string, number]): string {
  return `${count(users)} ${status === 'kept' ? 'kept from the earlier run' : status.replaceAll('_', ' ')}`
}

const importCodes = { failed: 'import_rejected', stopped: 'import_stopped' } as const
const listCodes = { failed: 'list_failed', stopped: 'list_stopped' } as const

function codesOf(verb: string | undefined): typeof importCodes | typeof listCodes {
  return verb === 'import' ? importCodes : listCodes
}

/**
 * Errors, such as the end of --max-time, after which a list can be resumed. A run that stops with one of these errors still exits with code
 * 11, so that a scheduler starts the run again.
 */
const resumable: ReadonlySet<string> = new Set(['network', 'usage', 'server', 'rate_limited'])

/** Explains why a run stopped, with the states of its rows and how to resume. Throws errors that are bugs. */
export function explainStop(
  error: unknown,
  states: string,
  resume: string | undefined,
  { stopped }: Pick<ReturnType<typeof codesOf>, 'stopped'> = importCodes,
): FacescanError {
  if (!(error instanceof FacescanError)) throw error
  const isResumable = resumable.has(error.code) && (error.code !== 'usage' || resume !== undefined)
  const code = isResumable || error.code === 'import_stopped' ? stopped : error.code
  return new FacescanError(code, `${error.message}; ${states}`, {
    ...error.details,
    hint: [...hintsOf(error), ...(resume === undefined ? [] : [resume])],
  })
}
