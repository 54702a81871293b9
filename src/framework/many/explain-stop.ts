import { type ErrorCode, FacescanError } from '../../base/errors.ts'
import { hintsOf } from '../../output/hint.ts'

/** Error codes after which a list can be resumed (exit code 11, so that a scheduler starts it again). --max-time has the code `network`. */
const resumable: ReadonlySet<string> = new Set(['network', 'usage', 'server', 'rate_limited'])

/** Adds the states of the rows and the command to resume to the error that stopped a run. Throws an unexpected error. */
export function explainStoppedRun(
  error: unknown,
  states: string,
  resume: string | undefined,
  stopped: ErrorCode = 'import_stopped',
): FacescanError {
  if (!(error instanceof FacescanError)) throw error
  const isResumable = resumable.has(error.code) && (error.code !== 'usage' || resume !== undefined)
  const code = isResumable || error.code === 'import_stopped' ? stopped : error.code
  return new FacescanError(code, `${error.message}; ${states}`, {
    ...error.details,
    hint: [...hintsOf(error), ...(resume === undefined ? [] : [resume])],
  })
}
