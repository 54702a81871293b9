import type { FacescanError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { Context } from '../../framework/context.ts'
import { explainStoppedRun } from '../../framework/many/explain-stop.ts'
import { followUp } from '../../output/hint.ts'
import { type SendingOptions, sendingFlags } from './options.ts'

const defaultTimeoutMs = 30_000

type Resumable = Pick<HeaderRecord, 'id' | 'source'>

/** The words of the command that resumes an import. `source` is the input of this run: an absolute path, or `-`. */
export function resumeWords({ id, source: original }: Resumable, source = original): string {
  const file = source === '-' || source !== original ? ` ${quoteWord(source)}` : ''
  return `imports resume ${id}${file}`
}

export function inviteToResume(source: string, command: string): string {
  return `${source === '-' ? 'To resume, pipe the same input to' : 'Resume with'}: ${command}`
}

/** Explains why an import stopped. Adds the states of its rows. Adds the command that resumes the import with the options of this run. */
export function explainImportStop(
  { flags }: Pick<Context, 'flags'>,
  error: unknown,
  states: string,
  { sending, header, source }: { sending: SendingOptions; header: Resumable; source: string },
): FacescanError {
  const timeout = flags.timeout === defaultTimeoutMs ? [] : [`--timeout ${flags.timeout}ms`]
  const words = [resumeWords(header, source), ...sendingFlags(sending), ...timeout]
  return explainStoppedRun(error, states, inviteToResume(source, followUp(words.join(' '), flags)))
}
