import { html } from 'hono/html'
import { metricNames } from '../../contract/biomarkers.ts'
import { type DisabledSection, disabledSections, summaryProfiles } from '../../contract/values.ts'
import type { Service } from '../handler.ts'
import { recommendFor } from '../recommend.ts'
import { latestAnswers } from '../records/answers.ts'
import { listScans } from '../records/scans.ts'
import type { UserRecord } from '../records/users.ts'
import { mostScansNeeded, readHealth } from '../scores/metrics.ts'
import { wellbeingLevels } from '../scores/wellbeing.ts'
import { fill, levelIn } from '../texts/index.ts'
import * as layout from './layout.ts'
import { unansweredKeys } from './scan.ts'

const scansShown = 30

/** Reads all data that the dashboard of a user shows. The newest scan is first. */
async function readDashboard({ store, now }: Service, user: UserRecord, { language }: layout.Context) {
  const { metrics, scans } = readHealth(store, user.user_id)
  return {
    scans: listScans(store, user.user_id, { order: 'desc', count: scansShown }),
    metrics,
    wellbeing: wellbeingLevels(store, user, now()),
    recommendations: await recommendFor(store, user.user_id, language),
    unanswered: unansweredKeys(latestAnswers(store, user.user_id).values),
    scansMissing: Math.max(mostScansNeeded - scans.length, 0),
  }
}

type Dashboard = Awaited<ReturnType<typeof readDashboard>>

const sections: Record<DisabledSection, (context: layout.Context, dashboard: Dashboard) => layout.Section> = {
  main: ({ language, texts }, { wellbeing }) => ({
    heading: texts['dashboard.wellbeing'],
    items: summaryProfiles.map((name) => {
      const { score, level } = wellbeing[name]
      const shown = level === 'unknown' ? '–' : layout.formatNumber(score, language)
      const summary = (part: 'feedback' | 'tip') => texts[`summary.${name}.${level}.${part}`]
      return layout.card(
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
      if (!metric) return layout.card(texts[`metric.${name}`], '–', texts['dashboard.locked'])
      const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(metric.confidence / 100)
      const confidence = fill(texts['dashboard.confidence'], { percent })
      return layout.card(texts[`metric.${name}`], layout.formatNumber(metric.score, language), confidence)
    }),
  }),
  biomarkers: (context, { scans }) => ({
    heading: context.texts['dashboard.biomarkers'],
    items: scans.length > 0 ? layout.biomarkerCards(context, scans) : [],
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
export async function dashboardPage(
  context: layout.Context,
  service: Service,
  user: UserRecord,
  hidden: readonly string[],
): Promise<layout.Page> {
  const { language, texts } = context
  const dashboard = await readDashboard(service, user, context)
  const [latest] = dashboard.scans
  const date =
    latest && fill(texts['dashboard.lastScan'], { date: layout.formatTime(latest.taken_at_ms, language) })
  const shown = disabledSections.filter((name) => !hidden.includes(name))
  const content = html`<p>${date ?? texts['dashboard.noScans']}</p>
${shown.map((name) => layout.section(name, sections[name](context, dashboard)))}`
  return { title: texts['dashboard.title'], content }
}
