import { html } from 'hono/html'
import {
  type BiomarkerName,
  biomarkerNames,
  type DisabledSection,
  disabledSections,
  type LookupKey,
  metricNames,
  summaryProfiles,
} from '../../contract/values.ts'
import type { recommendFor } from '../recommend.ts'
import type { ScanRecord } from '../records/scans.ts'
import type { Metrics } from '../scores/metrics.ts'
import type { Level, wellbeingLevels } from '../scores/wellbeing.ts'
import { fill, levelIn } from '../texts/index.ts'
import { biomarkerCard } from './biomarker-card.ts'
import { lineChart } from './chart.ts'
import { formatNumber, formatPercent, formatTime, unitOf } from './format.ts'
import type { Context, Markup, Page } from './layout.ts'

export interface Dashboard {
  /** Oldest first. */
  scans: readonly ScanRecord[]
  metrics: Metrics
  wellbeing: ReturnType<typeof wellbeingLevels>
  recommendations: Awaited<ReturnType<typeof recommendFor>>
  unanswered: readonly LookupKey[]
  /** Number of scans until every metric is known. */
  scansMissing: number
  hidden: readonly string[]
}

const sections: Record<DisabledSection, (context: Context, dashboard: Dashboard) => Markup> = {
  main: wellbeingSection,
  metrics: metricsSection,
  biomarkers: biomarkersSection,
  recommendations: recommendationsSection,
  todos: todosSection,
}

/** The health dashboard of a user, without the sections that the link disables. */
export function dashboardPage(context: Context, dashboard: Dashboard): Page {
  const { language, texts } = context
  const title = texts['dashboard.title']
  const latest = dashboard.scans.at(-1)
  const date = latest && fill(texts['dashboard.lastScan'], { date: formatTime(latest.taken_at_ms, language) })
  const shown = disabledSections.filter((name) => !dashboard.hidden.includes(name))
  const content = html`<h1>${title}</h1><p class="soft">${date ?? texts['dashboard.noScans']}</p>
${shown.map((name) => sections[name](context, dashboard))}`
  return { language, texts, title, content }
}

function wellbeingSection({ language, texts }: Context, { wellbeing }: Dashboard): Markup {
  const cards = summaryProfiles.map((name) => {
    const { score, level } = wellbeing[name]
    return html`<li class="card"><div class="gauge">${gauge(level === 'unknown' ? '–' : formatNumber(score, language), score, level)}
<div><h2 class="minor">${texts[`dimension.${name}`]}</h2><span class="chip">${levelIn(texts, level)}</span></div></div>
<p>${texts[`summary.${name}.${level}.feedback`]}</p><p class="soft">${texts[`summary.${name}.${level}.tip`]}</p></li>`
  })
  return html`<section data-section="main"><ul class="grid">${cards}</ul></section>`
}

function gauge(text: string, score: number, level: Level): Markup {
  const known = level !== 'unknown'
  return html`<svg viewBox="0 0 100 100" role="img" aria-label="${known ? `${text} / 100` : text}">
${arc('track', 100)}${known ? arc(level.split(' ')[0] ?? '', score) : ''}<text x="50" y="59">${text}</text></svg>`
}

/** Three quarters of a circle are 100 percent. */
function arc(look: string, percent: number): Markup {
  return html`<circle class="${look}" cx="50" cy="50" r="41" fill="none" stroke-width="9" stroke-linecap="round"
pathLength="100" stroke-dasharray="${percent * 0.75} 100" transform="rotate(135 50 50)"/>`
}

function metricsSection({ language, texts }: Context, { metrics }: Dashboard): Markup {
  const cards = metricNames.map((name) => {
    const metric = metrics[name]
    const title = html`<h3>${texts[`metric.${name}`]}</h3>`
    if (!metric)
      return html`<li class="card locked">${title}<p class="value">${texts['dashboard.locked']}</p></li>`
    const confidence = fill(texts['dashboard.confidence'], {
      percent: formatPercent(metric.confidence, language),
    })
    return html`<li class="card">${title}
<div class="row"><p class="value">${formatNumber(metric.score, language)}</p><span class="soft">${confidence}</span></div>
<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4" rx="2"/>
<rect class="fill" width="${metric.score}" height="4" rx="2"/></svg></li>`
  })
  return section('metrics', texts['dashboard.metrics'], cards)
}

function biomarkersSection(context: Context, { scans }: Dashboard): Markup {
  const { texts } = context
  const cards = biomarkerNames.map((name) => html`<li class="card">${biomarker(context, name, scans)}</li>`)
  return section(
    'biomarkers',
    texts['dashboard.biomarkers'],
    scans.length > 0 ? cards : [],
    texts['dashboard.noScans'],
  )
}

function biomarker({ language, texts }: Context, name: BiomarkerName, scans: readonly ScanRecord[]): Markup {
  const points = scans.map((scan) => ({ atMs: scan.taken_at_ms, value: scan[name] }))
  const values = points.map(({ value }) => value)
  const unit = unitOf(name, texts)
  const show = (value: number) => `${formatNumber(value, language)} ${unit}`
  const latest = values.at(-1) ?? 0
  const shown = { low: show(Math.min(...values)), high: show(Math.max(...values)), latest: show(latest) }
  const description = `${texts[`biomarker.${name}`]}: ${fill(texts['dashboard.chart'], { count: values.length, ...shown })}`
  const rows = points
    .toReversed()
    .map(
      ({ atMs, value }) =>
        html`<tr><th scope="row">${formatTime(atMs, language)}</th><td>${show(value)}</td></tr>`,
    )
  return html`${biomarkerCard({ language, texts }, name, latest)}
${lineChart({ points, language, description })}
<details><summary>${texts['dashboard.values']}</summary><div tabindex="0" role="region" aria-label="${texts[`biomarker.${name}`]}"><table>
<thead><tr><th scope="col">${texts['dashboard.time']}</th><td>${unit}</td></tr></thead><tbody>${rows}</tbody></table></div></details>`
}

function recommendationsSection({ texts }: Context, { recommendations }: Dashboard): Markup {
  const cards = recommendations.map(
    ({ title, description, action_text, action_url, related_metric }) => html`<li class="card">
<span class="rank">${texts[`metric.${related_metric}`]}</span><h3>${title}</h3><p class="soft">${description}</p>
<p><a href="${action_url}" rel="noreferrer">${action_text}</a></p></li>`,
  )
  return section('recommendations', texts['dashboard.recommendations'], cards)
}

function todosSection({ texts }: Context, { unanswered, scansMissing }: Dashboard): Markup {
  const scans = scansMissing > 0 ? [fill(texts['dashboard.scansMissing'], { count: scansMissing })] : []
  const cards = [...scans, ...unanswered.map((key) => texts[`question.${key}`])].map(
    (text) => html`<li class="card">${box}<span>${text}</span></li>`,
  )
  return section('todos', texts['dashboard.todos'], cards, texts['dashboard.nothingToDo'], 'todo')
}

const box = html`<svg viewBox="0 0 20 20" aria-hidden="true"><rect x="2" y="2" width="16" height="16" rx="5" fill="none" stroke="currentColor" stroke-width="2"/></svg>`

function section(
  name: DisabledSection,
  heading: string,
  cards: readonly unknown[],
  empty = '',
  look = '',
): Markup {
  const content =
    cards.length > 0 ? html`<ul class="grid ${look}">${cards}</ul>` : html`<p class="soft">${empty}</p>`
  return html`<section data-section="${name}" aria-labelledby="${name}"><h2 id="${name}">${heading}</h2>${content}</section>`
}
