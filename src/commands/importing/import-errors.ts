import { FacescanError } from '../../base/errors.ts'
import { countOf, quoteWord } from '../../base/text.ts'
import type { JournalState } from '../../bulk/journal/state.ts'
import { flagsOf } from '../../bulk/questions.ts'
import type { Summary } from '../../bulk/schemas.ts'
import { userNotFound } from '../../bulk/send/task.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import type { Context } from '../../framework/context.ts'
import { followUp } from '../../output/hint.ts'

const shownReasons = 3

interface Ended {
  summary: Summary
  settings: ImportSettings
  state: JournalState
  timeouts?: number | undefined
}

/** The most frequent reasons of rows that were not accepted. Adds the next step if users do not exist. */
export function explainNotAccepted(
  { flags }: Context,
  { summary, settings, state, timeouts = 0 }: Ended,
): string[] {
  const hints: string[] = []
  const rows = new Map<string, number>()
  for (const { type, part, message } of [...state.partial.values()].flatMap(({ finals }) => finals))
    if (type === 'REJECT') rows.set(message, (rows.get(message) ?? 0) + part.length)
  const frequent = [...rows].sort(([, a], [, b]) => b - a).slice(0, shownReasons)
  const reasons = frequent.map(([message, number]) => `${message} (${countOf(number, 'answer')})`)
  const more = rows.size - reasons.length
  if (more > 0) reasons.push(`and ${countOf(more, 'more reason')}`)
  if (reasons.length > 0) hints.push(`Rejected by the service: ${reasons.join(', ')}`)
  if (rows.has(userNotFound.message) && summary.rejects_file !== null) {
    // The rejects file starts with the header, and it is never a workbook. The other settings apply to it as to the input.
    const reading = flagsOf({ ...settings, sheet: undefined, hidden: undefined, headerLine: undefined })
    const words = ['users import', quoteWord(summary.rejects_file), '--with-answers', reading]
    const command = followUp(words.filter(Boolean).join(' '), flags)
    hints.push(`Create these users and save their answers: ${command}`)
  }
  if (state.totals.unknown > 0 && timeouts > 0)
    hints.push(
      `${countOf(timeouts, 'request')} had no response within ${flags.timeout / 1000} s; if the service is slow, use a longer --timeout`,
    )
  return hints
}

export function joinErrors(
  first: FacescanError | undefined,
  second: FacescanError | undefined,
): FacescanError | undefined {
  if (first === undefined || second === undefined) return first ?? second
  // A stopped import can be resumed, so its error takes precedence over the error about rejected rows.
  const { code, details } = second.code === 'import_rejected' ? first : second
  return new FacescanError(code, `${first.message}; ${second.message}`, {
    ...details,
    hint: [first.details.hint ?? [], second.details.hint ?? []].flat(),
  })
}
