import { html } from 'hono/html'
import {
  type DisabledSection,
  disabledSections,
  type LookupKey,
  metricNames,
  summaryProfiles,
} from '../../contract/values.ts'
import type { recommendFor } from '../recommend.ts'
import type { ScanRecord } from '../records/scans.ts'
import type { Metrics } from '../scores/metrics.ts'
import type { wellbeingLevels } from '../scores/wellbeing.ts'
import { fill, levelIn } from '../texts/index.ts'
import {
  biomarkerCards,
  type Context,
  card,
  formatNumber,
  formatTime,
  type Page,
  type Section,
  section,
} from './layout.ts'

export interface Dashboard {
  /** Newest first. */
  scans: readonly ScanRecord[]
  metrics: Metrics
  wellbeing: ReturnType<typeof wellbeingLevels>
  recommendations: Awaited<ReturnType<typeof recommendFor>>
  unanswered: readonly LookupKey[]
  scansMissing: number
  hidden: readonly string[]
}

const sections: Record<DisabledSection, (context: Context, dashboard: Dashboard) => Section> = {
  main: ({ language, texts }, { wellbeing }) => ({
    heading: texts['dashboard.wellbeing'],
    items: summaryProfiles.map((name) => {
      const { score, level } = wellbeing[name]
      const shown = level === 'unknown' ? '–' : formatNumber(score, language)
      const summary = (part: 'feedback' | 'tip') => texts[`summary.${name}.${level}.${part}`]
      return card(
        texts[`dimension.${name}`],
        shown,
        levelIn(texts, level),
        summary('feedback'),
        summary('tip'),
      )
    }),
  }),
  metrics: ({ language, texts }, { metrics }) => ({
    heading: texts['dashboard.metrics'],
    items: metricNames.map((name) => {
      const metric = metrics[name]
      if (!metric) return card(texts[`metric.${name}`], '–', texts['dashboard.locked'])
      const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(metric.confidence / 100)
      const confidence = fill(texts['dashboard.confidence'], { percent })
      return card(texts[`metric.${name}`], formatNumber(metric.score, language), confidence)
    }),
  }),
  biomarkers: (context, { scans }) => ({
    heading: context.texts['dashboard.biomarkers'],
    items: scans.length > 0 ? biomarkerCards(context, scans) : [],
    empty: context.texts['dashboard.noScans'],
  }),
  recommendations: ({ texts }, { recommendations }) => ({
    heading: texts['dashboard.recommendations'],
    items: recommendations.map(
      ({ title, description, action_text, action_url, related_metric }) => html`<li class="card">
<p>${texts[`metric.${related_metric}`]}</p><h3>${title}</h3><p>${description}</p>
<p><a href="${action_url}" rel="noreferrer">${action_text}</a></p></li>`,
    ),
  }),
  todos: ({ texts }, { unanswered, scansMissing }) => {
    const scans = scansMissing > 0 ? [fill(texts['dashboard.scansMissing'], { count: scansMissing })] : []
    const tasks = [...scans, ...unanswered.map((key) => texts[`question.${key}`])]
    const items = tasks.map((task) => html`<li>${task}</li>`)
    return { heading: texts['dashboard.todos'], items, empty: texts['dashboard.nothingToDo'] }
  },
}

/** The health dashboard of a user, without the sections that the link disables. */
export function dashboardPage(context: Context, dashboard: Dashboard): Page {
  const { language, texts } = context
  const { scans, hidden } = dashboard
  const [latest] = scans
  const date = latest && fill(texts['dashboard.lastScan'], { date: formatTime(latest.taken_at_ms, language) })
  const shown = disabledSections.filter((name) => !hidden.includes(name))
  const content = html`<p>${date ?? texts['dashboard.noScans']}</p>
${shown.map((name) => section(name, sections[name](context, dashboard)))}`
  return { title: texts['dashboard.title'], content }
}
