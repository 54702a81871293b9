import { FacescanError, type Hint } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import type { JournalState } from '../../bulk/journal/state.ts'
import type { Summary } from '../../bulk/schemas.ts'
import { userNotFound } from '../../bulk/send/task.ts'

const shownReasons = 3

/** Returns the most frequent reasons for rejected rows. Adds the next step if users do not exist. */
export function explainRejections(
  { partial }: Pick<JournalState, 'partial'>,
  { rejects_file }: Pick<Summary, 'rejects_file'>,
): (string | Hint)[] {
  const rows = new Map<string, number>()
  for (const { type, part, message } of [...partial.values()].flatMap(({ finals }) => finals))
    if (type === 'REJECT') rows.set(message, (rows.get(message) ?? 0) + part.length)
  if (rows.size === 0) return []
  const frequent = [...rows].sort(([, a], [, b]) => b - a).slice(0, shownReasons)
  const reasons = frequent.map(([message, number]) => `${message} (${countOf(number, 'answer')})`)
  const more = rows.size - reasons.length
  if (more > 0) reasons.push(`and ${countOf(more, 'more reason')}`)
  const rejections = `Rejected by the service: ${reasons.join(', ')}`
  if (!rows.has(userNotFound.message) || rejects_file === null) return [rejections]
  // The rejects file is a valid list of users, so `users import` can read it.
  return [rejections, { text: 'Create these users', run: ['users', 'import', rejects_file] }]
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
