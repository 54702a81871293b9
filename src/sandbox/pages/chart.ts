import { html } from 'hono/html'
import type { Language, Zone } from '../../contract/values.ts'
import { formatDay, formatNumber } from './format.ts'
import type { Markup } from './layout.ts'

interface Point {
  atMs: number
  value: number
}

export interface Chart {
  points: readonly Point[]
  /** Zones with localized names. */
  zones: readonly Zone[]
  language: Language
  /** Text alternative for screen readers. */
  description: string
}

const width = 320
const height = 150
const plot = { left: 34, right: 312, top: 8, bottom: 124 }

/** A line chart as inline SVG, with shaded zones. */
export function lineChart({ points, zones, language, description }: Chart): Markup {
  const ticks = ticksFor(points.map(({ value }) => value))
  const x = scale(
    points.map(({ atMs }) => atMs),
    plot.left,
    plot.right,
  )
  const y = scale(ticks, plot.bottom, plot.top)
  const places = points.map(({ atMs, value }) => ({ x: x(atMs), y: y(value) }))
  const last = places.at(-1)
  const bands = bandsOf(zones, ticks, y)
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">
${bands.map(shade)}
${ticks.map(
  (tick) => html`<line class="rule" x1="${plot.left}" x2="${plot.right}" y1="${y(tick)}" y2="${y(tick)}"/>
<text class="end" x="${plot.left - 6}" y="${y(tick) + 4}">${formatNumber(tick, language)}</text>`,
)}
<polyline class="curve" points="${places.map((place) => `${place.x},${place.y}`).join(' ')}"/>
${places.map((place) => html`<circle class="dot" cx="${place.x}" cy="${place.y}" r="2"/>`)}
${last ? html`<circle class="last" cx="${last.x}" cy="${last.y}" r="4.5"/>` : ''}
${bands.map(nameOf)}
${dayLabels(points, language)}
</svg>`
}

function dayLabels(points: readonly Point[], language: Language): Markup {
  const [first, last] = [points[0], points.at(-1)].map((point) => formatDay(point?.atMs ?? 0, language))
  const end = html`<text class="end" x="${plot.right}" y="${height - 6}">${last}</text>`
  return first === last ? end : html`<text x="${plot.left}" y="${height - 6}">${first}</text>${end}`
}

interface Band {
  name: string
  top: number
  height: number
}

/** The zones within the scale, in SVG coordinates. */
function bandsOf(zones: readonly Zone[], ticks: readonly number[], y: (value: number) => number): Band[] {
  return zones.map(({ name, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) => {
    const [top, bottom] = [y(Math.min(to, ticks.at(-1) ?? 0)), y(Math.max(from, ticks[0] ?? 0))]
    return { name, top, height: Math.max(round(bottom - top), 0) }
  })
}

/** Shades every other zone to separate neighbors. */
function shade({ top, height }: Band, index: number) {
  if (index % 2 === 1 || height === 0) return ''
  return html`<rect class="zone" x="${plot.left}" width="${plot.right - plot.left}" y="${top}" height="${height}"/>`
}

/** The name of a zone, if it is high enough for text. */
function nameOf({ name, top, height: room }: Band) {
  return room < 14 ? '' : html`<text class="name end" x="${plot.right - 4}" y="${top + 11}">${name}</text>`
}

/** Three to six round numbers around the values. */
function ticksFor(values: readonly number[]): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = roundStep(Math.max(high - low, 4) / 3)
  const first = Math.floor(low / step) * step
  const last = Math.max(Math.ceil(high / step) * step, first + step)
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, index) => first + index * step)
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10
  return factor * power
}

function scale(values: readonly number[], start: number, end: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return (value) => round(high === low ? end : start + ((value - low) / (high - low)) * (end - start))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
