import { html } from 'hono/html'
import { metricNames } from '../../contract/biomarkers.ts'
import { type DisabledSection, disabledSections, summaryProfiles } from '../../contract/values.ts'
import type { Service } from '../handler.ts'
import { recommendFor } from '../recommend.ts'
import { latestAnswers, type UserRecord } from '../records.ts'
import { mostScansNeeded, readHealth } from '../scores/metrics.ts'
import { wellbeingLevels } from '../scores/wellbeing.ts'
import { fill, levelIn } from '../texts/index.ts'
import { biomarkerItems, formatNumber, formatTime, type Markup, type PageContext, section } from './layout.ts'
import { unansweredKeys } from './scan.ts'

export async function dashboardPage(
  context: PageContext,
  { store, now }: Service,
  user: UserRecord,
  hidden: readonly string[],
): Promise<Markup> {
  const { language, texts } = context
  const { metrics, scans } = readHealth(store, user.user_id)
  const [latest] = scans
  const recommended = await recommendFor(store, user.user_id, language)
  const missing = Math.max(mostScansNeeded - scans.length, 0)
  const unanswered = unansweredKeys(latestAnswers(store, user.user_id).values)
  const items: Record<DisabledSection, readonly (string | Markup)[]> = {
    main: wellbeingItems(context, wellbeingLevels(store, user, now())),
    metrics: metricItems(context, metrics),
    biomarkers: latest ? biomarkerItems(context, latest) : [texts['dashboard.noScans']],
    recommendations: recommended.map(
      ({ title, description, action_text, action_url }) =>
        html`${title}. ${description} <a href="${action_url}" rel="noreferrer">${action_text}</a>`,
    ),
    todos: [
      ...(missing > 0 ? [fill(texts['dashboard.scansMissing'], { count: missing })] : []),
      ...unanswered.map((key) => texts[`question.${key}`]),
    ],
  }
  if (items.todos.length === 0) items.todos = [texts['dashboard.nothingToDo']]
  const shown = disabledSections.filter((name) => !hidden.includes(name))
  const date = latest && formatTime(latest.taken_at_ms, language)
  return html`<p>${date ? fill(texts['dashboard.lastScan'], { date }) : texts['dashboard.noScans']}</p>
${shown.map((name) => section(name, texts[`dashboard.${name}`], items[name]))}`
}

function wellbeingItems(
  { language, texts }: PageContext,
  wellbeing: ReturnType<typeof wellbeingLevels>,
): string[] {
  return summaryProfiles.map((name) => {
    const { score, level } = wellbeing[name]
    const shown = level === 'unknown' ? '–' : formatNumber(score, language)
    const summary = (part: 'feedback' | 'tip') => texts[`summary.${name}.${level}.${part}`]
    const title = `${texts[`dimension.${name}`]}: ${shown} (${levelIn(texts, level)})`
    return `${title}. ${summary('feedback')} ${summary('tip')}`
  })
}

function metricItems(
  { language, texts }: PageContext,
  metrics: ReturnType<typeof readHealth>['metrics'],
): string[] {
  return metricNames.map((name) => {
    const metric = metrics[name]
    if (!metric) return `${texts[`metric.${name}`]}: – (${texts['dashboard.locked']})`
    const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(metric.confidence / 100)
    const confidence = fill(texts['dashboard.confidence'], { percent })
    return `${texts[`metric.${name}`]}: ${formatNumber(metric.score, language)} (${confidence})`
  })
}
