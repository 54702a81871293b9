import { dayMs } from '../../base/clock.ts'
import { countOf } from '../../base/text.ts'
import { biomarkerNames } from '../../contract/biomarkers.ts'
import { oneLine, paragraph, wrap } from '../text.ts'
import { epochMsOf, formatClock, formatDate, formatRelative } from '../time.ts'
import type { Terminal } from '../view.ts'
import type { readMetrics } from './metrics.ts'
import { averageOf, numberOrUndefined, type Scan, sortScans } from './scans.ts'
import { readScore, statusWords, type Wellbeing, wellbeingDimensions } from './wellbeing.ts'

/** The responses about one user. If a response is missing, its part is null. */
export interface OverviewShown {
  user: Readonly<Record<string, unknown>> | null
  biomarkers: readonly Scan[] | null
  metrics: Parameters<typeof readMetrics>[0]
  wellbeing: Wellbeing | null
  questions: readonly string[] | null
  answers: readonly Readonly<{ question_lookup_key: string }>[] | null
  recommendations: Readonly<{ recommendations: readonly unknown[] }> | null
  changes: readonly Readonly<{ time: string; command: string; os_user: string; outcome: string }>[] | null
}

/** Values that are not in the responses: the user on the command line, the reason for each missing part, and the next command. */
export interface OverviewTexts {
  name: string
  externalUserId?: string | undefined
  reasons: ReadonlyMap<string, string>
  next: string
  /** The command that lists the recommendations. */
  recommendations: string
}

/** Number of days before the latest scan. The average of the scans on these days is compared with the latest scan. */
const comparedDays = 30

/** The newest scan, and the scans of the 30 days before it. */
export function splitScans(value: OverviewShown): { latest: Scan | undefined; earlier: readonly Scan[] } {
  const timeOf = (scan: Scan) => epochMsOf(scan.timestamp) ?? 0
  const [latest, ...others] = sortScans(value.biomarkers ?? []).reverse()
  if (latest === undefined) return { latest, earlier: [] }
  return { latest, earlier: others.filter((scan) => timeOf(latest) - timeOf(scan) <= comparedDays * dayMs) }
}

export interface MeasuredBiomarker {
  name: (typeof biomarkerNames)[number]
  latest: number | undefined
  /** Average of the scans in the 30 days before the latest scan. */
  average: number | undefined
}

export function measure(value: OverviewShown): MeasuredBiomarker[] {
  const { latest, earlier } = splitScans(value)
  return biomarkerNames.map((name) => ({
    name,
    latest: numberOrUndefined(latest?.[name]),
    average: averageOf(earlier, name) ?? undefined,
  }))
}

export function missingKeys({ questions, answers }: OverviewShown): string[] {
  const answered = new Set((answers ?? []).map((item) => item.question_lookup_key))
  return (questions ?? []).filter((key) => !answered.has(key))
}

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

/** The labels and texts below the tables. A line without text is omitted. */
export function linesOf(
  value: OverviewShown,
  { reasons, next, recommendations }: OverviewTexts,
  terminal: Terminal,
  truncate: boolean,
): { title: string; text: string | undefined }[] {
  const reasonOr = (part: string, text: string | undefined) => reasons.get(part) ?? text
  const count = value.recommendations?.recommendations.length ?? 0
  const { latest, earlier } = splitScans(value)
  const at = epochMsOf(latest?.timestamp)
  const scanned = at === undefined ? undefined : `${formatDate(at)}, ${formatClock(at)} (local time)`
  const before = `in the ${comparedDays} days before`
  const compared =
    earlier.length === 0
      ? `no other scan ${before}`
      : `the average of ${countOf(earlier.length, 'scan')} ${before}`
  return [
    { title: 'Last scan', text: reasonOr('biomarkers', latest ? scanned : 'no face scans') },
    { title: 'Compared with', text: latest && compared },
    { title: 'Metrics', text: reasonOr('metrics', value.metrics ? undefined : 'no metrics yet') },
    { title: 'Wellbeing', text: reasonOr('wellbeing', describeWellbeing(value.wellbeing)) },
    { title: 'Answers', text: reasonOr('answers', describeAnswers(value, reasons, terminal, truncate)) },
    {
      title: 'Recommendations',
      text: reasonOr('recommendations', count === 0 ? 'none' : `${count}: ${recommendations}`),
    },
    { title: 'Last change', text: reasonOr('changes', describeChange(value, terminal)) },
    { title: 'Next', text: next },
  ]
}

function describeWellbeing(value: Wellbeing | null): string {
  if (value === null) return 'no scores yet'
  const words = statusWords(value.status_label)
  return wellbeingDimensions
    .map(([key, label], index) => {
      const word =
        words[index] === undefined ? '' : ` (${words[index].replace(/^unknown$/, 'status unknown')})`
      return `${label.toLowerCase()} ${readScore(value[key]) ?? 'no score'}${word}`
    })
    .join(', ')
}

/** Maximum number of lines for the answers, so that the overview fits a screen of 80 by 24. */
const answerLines = 3
/** Maximum number of lookup keys that the overview names. */
const mostNamed = 50
/** Width of the labels, of which Recommendations is the longest. */
const labelWidth = 'Recommendations'.length + 2

function describeAnswers(
  value: OverviewShown,
  reasons: OverviewTexts['reasons'],
  { width }: Terminal,
  truncate: boolean,
): string {
  const missing = missingKeys(value)
  const all = value.questions?.length
  const answered = new Set((value.answers ?? []).map((item) => item.question_lookup_key)).size
  if (all === undefined) {
    return `${countOf(answered, 'question')} answered; missing answers: ${reasons.get('questions') ?? 'unknown'}`
  }
  const counts = `${all - missing.length} of ${all} questions answered`
  const describe = (named: number) => {
    const more = missing.length > named ? `, and ${missing.length - named} more (--no-truncate)` : ''
    return `${counts}; missing: ${missing.slice(0, named).join(', ')}${more}`
  }
  if (missing.length === 0) return counts
  if (!truncate) return describe(missing.length)
  let named = Math.min(missing.length, mostNamed)
  while (named > 1 && wrap(describe(named), width - labelWidth).length > answerLines) named--
  return describe(named)
}

function describeChange({ changes }: OverviewShown, terminal: Terminal): string {
  const [change] = changes ?? []
  if (change === undefined) return 'no change in the audit log of this machine'
  const at = epochMsOf(change.time)
  const when = at === undefined ? '' : ` ${formatRelative(at, terminal.now)}`
  return `${change.command}${when} by ${change.os_user} (${change.outcome})`
}
