import { countOf } from '../../base/text.ts'
import { oneLine, paragraph } from '../text.ts'
import { epochMsOf, formatDate, formatRelative } from '../time.ts'
import type { Terminal } from '../view.ts'
import {
  comparedDays,
  missingKeys,
  type OverviewShown,
  type OverviewTexts,
  splitScans,
} from './overview-data.ts'
import { readScore, statusWords, type Wellbeing, wellbeingDimensions } from './wellbeing.ts'

/** Maximum number of missing lookup keys that fit on the screen. */
const namedKeys = 6

export function describeUser(
  { user }: OverviewShown,
  { name, reasons }: OverviewTexts,
  terminal: Terminal,
): string {
  if (user === null) return `${terminal.bold(name)}: ${reasons.get('user') ?? 'no data'}\n`
  const { user_id, birth_date, sex, language, customer } = user
  const age = typeof birth_date === 'string' ? ageAt(birth_date, terminal.now) : undefined
  const facts = [
    sex === 'F' ? 'female' : sex === 'M' ? 'male' : 'sex unknown',
    age === undefined ? 'age unknown' : `${countOf(age, 'year')} (born ${birth_date})`,
    ...(language ? [`language ${language}`] : []),
    ...(customer ? [String(customer)] : []),
  ]
  const described = paragraph(oneLine(`${terminal.bold(name)}: ${facts.join(', ')}`), terminal)
  const id = name.endsWith(String(user_id))
    ? ''
    : `${terminal.dim(oneLine(`User ID ${user_id ?? 'unknown'}`))}\n`
  return `${described}\n${id}`
}

/** Age in full years on a given day, from a date (YYYY-MM-DD). Undefined for any other text. */
function ageAt(birthDate: string, nowMs: number): number | undefined {
  const [year, month, day] = birthDate.split('-').map(Number)
  if (!year || !month || !day) return undefined
  const now = new Date(nowMs)
  const isBeforeBirthday = now.getMonth() + 1 < month || (now.getMonth() + 1 === month && now.getDate() < day)
  return now.getFullYear() - year - (isBeforeBirthday ? 1 : 0)
}

interface OverviewLine {
  title: string
  text: string | undefined
}

/** The labels and texts below the tables. A line without text is omitted. */
export function linesOf(
  value: OverviewShown,
  { reasons, next, recommendations }: OverviewTexts,
  terminal: Terminal,
): OverviewLine[] {
  const reasonOr = (part: string, text: () => string | undefined) => reasons.get(part) ?? text()
  return [
    { title: 'Last scan', text: reasonOr('biomarkers', () => describeScans(value)) },
    { title: 'Metrics', text: reasonOr('metrics', () => (value.metrics ? undefined : 'no metrics yet')) },
    { title: 'Wellbeing', text: reasonOr('wellbeing', () => describeWellbeing(value.wellbeing)) },
    { title: 'Answers', text: reasonOr('answers', () => describeAnswers(value)) },
    {
      title: 'Recommendations',
      text: reasonOr('recommendations', () => {
        const count = value.recommendations?.recommendations.length ?? 0
        return count === 0 ? 'none' : `${count}: ${recommendations}`
      }),
    },
    { title: 'Changed here', text: reasonOr('changes', () => describeChange(value, terminal)) },
    { title: 'Next', text: next },
  ]
}

/** The date of the last scan, and the earlier period that the column "Change" refers to. */
function describeScans(value: OverviewShown): string | undefined {
  const { latest, earlier } = splitScans(value)
  if (latest === undefined) return 'no face scans'
  const at = epochMsOf(latest.timestamp)
  const date = at === undefined ? '' : `${formatDate(at)}; `
  if (earlier.length === 0) return `${date}no other scan in the ${comparedDays} days before`
  return `${date}change from the ${comparedDays}-day average (${countOf(earlier.length, 'scan')})`
}

function describeWellbeing(value: Wellbeing | null): string {
  if (value === null) return 'no scores yet'
  const words = statusWords(value.status_label)
  return wellbeingDimensions
    .map(([key, label], index) => {
      const word = words[index] === undefined ? '' : ` (${words[index]})`
      return `${label.toLowerCase()} ${readScore(value[key]) ?? 'no score'}${word}`
    })
    .join(', ')
}

function describeAnswers(value: OverviewShown): string {
  const missing = missingKeys(value)
  const all = value.questions?.length
  const answered = new Set((value.answers ?? []).map((item) => item.question_lookup_key)).size
  if (all === undefined) return `${countOf(answered, 'question')} answered`
  const named = missing.slice(0, namedKeys).join(', ')
  const more = missing.length > namedKeys ? `, and ${missing.length - namedKeys} more` : ''
  return `${all - missing.length} of ${all} questions answered${named && `; missing: ${named}${more}`}`
}

function describeChange({ changes }: OverviewShown, terminal: Terminal): string {
  const [change] = changes ?? []
  if (change === undefined) return 'no change in the audit log of this machine'
  const at = epochMsOf(change.time)
  const when = at === undefined ? '' : ` ${formatRelative(at, terminal.now)}`
  return `${change.command}${when} by ${change.os_user} (${change.outcome})`
}
