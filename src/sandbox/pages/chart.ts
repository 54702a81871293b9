import { html } from 'hono/html'
import type { Language } from '../../contract/values.ts'
import { formatDay, formatNumber } from './format.ts'
import type { Markup } from './layout.ts'

export interface Chart {
  points: readonly { atMs: number; value: number }[]
  language: Language
  /** Text alternative for screen readers. */
  description: string
}

const width = 320
const height = 150
const plot = { left: 34, right: 312, top: 8, bottom: 124 }

/** A line chart as inline SVG. */
export function lineChart({ points, language, description }: Chart): Markup {
  const times = points.map(({ atMs }) => atMs)
  const ticks = ticksFor(points.map(({ value }) => value))
  const [x, y] = [scale(times, plot.left, plot.right), scale(ticks, plot.bottom, plot.top)]
  const places = points.map(({ atMs, value }) => ({ x: x(atMs), y: y(value) }))
  const last = places.at(-1)
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">
${ticks.map(
  (tick) => html`<line class="rule" x1="${plot.left}" x2="${plot.right}" y1="${y(tick)}" y2="${y(tick)}"/>
<text class="end" x="${plot.left - 6}" y="${y(tick) + 4}">${formatNumber(tick, language)}</text>`,
)}
<polyline class="curve" points="${places.map((place) => `${place.x},${place.y}`).join(' ')}"/>
${places.map((place) => html`<circle class="dot" cx="${place.x}" cy="${place.y}" r="2"/>`)}
${last ? html`<circle class="last" cx="${last.x}" cy="${last.y}" r="4.5"/>` : ''}
${dayLabels(times, language)}
</svg>`
}

function dayLabels(times: readonly number[], language: Language): Markup {
  const [first, last] = [times[0], times.at(-1)].map((ms) => formatDay(ms ?? 0, language))
  const end = html`<text class="end" x="${plot.right}" y="${height - 6}">${last}</text>`
  return first === last ? end : html`<text x="${plot.left}" y="${height - 6}">${first}</text>${end}`
}

/** Four round numbers around the values. */
function ticksFor(values: readonly number[]): number[] {
  const low = Math.floor(Math.min(...values))
  const step = Math.max(1, Math.ceil((Math.max(...values) - low) / 3))
  return [0, 1, 2, 3].map((index) => low + index * step)
}

function scale(values: readonly number[], start: number, end: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const toTenths = (value: number) => Math.round(value * 10) / 10
  return (value) => toTenths(high === low ? end : start + ((value - low) / (high - low)) * (end - start))
}
