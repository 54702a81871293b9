import type { Zone } from '../../contract/values.ts'
import { pad, widthOf } from '../text.ts'
import type { Pen } from '../view.ts'
import { roundTicks, timeAxis } from './axes.ts'

export interface Point {
  /** Milliseconds since the epoch. */
  at: number
  value: number
}

export interface LineChart {
  /** At least one, sorted by time. */
  points: readonly Point[]
  /** Zones within the scale are named at the right edge. */
  zones: readonly Zone[]
  /** Size of the drawing with its axes, in characters and lines. */
  width: number
  height: number
}

interface Scale {
  low: number
  high: number
  fromMs: number
  toMs: number
}

function across(scale: Scale, at: number, size: number): number {
  const span = scale.toMs - scale.fromMs
  return Math.round((span === 0 ? 0.5 : (at - scale.fromMs) / span) * (size - 1))
}

function down(scale: Scale, value: number, size: number): number {
  return Math.round(((scale.high - value) / (scale.high - scale.low)) * (size - 1))
}

/** The names of the visible zones, by the line in the middle of their visible part. */
function zoneNames(zones: readonly Zone[], scale: Scale, rows: number): Map<number, string> {
  const names = new Map<number, string>()
  for (const zone of zones) {
    const from = Math.max(zone.from ?? scale.low, scale.low)
    const to = Math.min(zone.to ?? scale.high, scale.high)
    const row = down(scale, (from + to) / 2, rows)
    if (from < to && !names.has(row)) names.set(row, zone.name)
  }
  return names
}

/** The lines at which a zone begins or ends. */
function zoneEdges(zones: readonly Zone[], scale: Scale, rows: number): Set<number> {
  const edges = zones
    .flatMap((zone) => [zone.from, zone.to])
    .filter((edge) => edge !== undefined)
    .filter((edge) => edge > scale.low && edge < scale.high)
  return new Set(edges.map((edge) => down(scale, edge, rows)))
}

interface Plot {
  scale: Scale
  columns: number
  rows: number
  /** By line, like `names` and `edges`. */
  labels: ReadonlyMap<number, string>
  labelWidth: number
  names: ReadonlyMap<number, string>
  edges: ReadonlySet<number>
}

/** Round ticks that are a whole number of lines apart, using as many lines as possible. */
function chooseTicks(points: readonly Point[], mostRows: number): { ticks: number[]; rows: number } {
  const values = points.map(({ value }) => value)
  const choices = Array.from({ length: Math.max(1, Math.floor(mostRows / 2)) }, (_, index) => {
    const ticks = roundTicks(Math.min(...values), Math.max(...values), index + 1)
    const steps = ticks.length - 1
    return { ticks, rows: steps * Math.floor((mostRows - 1) / steps) + 1 }
  })
  return choices.reduce((best, choice) => (choice.rows >= best.rows ? choice : best))
}

function layOut({ points, zones, width, height }: LineChart): Plot {
  const { ticks, rows } = chooseTicks(points, height - 2)
  const scale: Scale = {
    low: ticks[0] ?? 0,
    high: ticks.at(-1) ?? 1,
    fromMs: points[0]?.at ?? 0,
    toMs: points.at(-1)?.at ?? 0,
  }
  const labels = new Map(ticks.map((tick) => [down(scale, tick, rows), String(tick)]))
  const names = zoneNames(zones, scale, rows)
  const labelWidth = Math.max(...[...labels.values()].map(widthOf))
  const nameWidth = Math.max(0, ...[...names.values()].map((name) => widthOf(name) + 1))
  const columns = Math.max(10, width - labelWidth - 2 - nameWidth)
  return { scale, columns, rows, labels, labelWidth, names, edges: zoneEdges(zones, scale, rows) }
}

interface Place {
  column: number
  row: number
}

type Mark = (row: number, column: number, character: string) => void

/** A line of box-drawing characters between two points. */
function connect(from: Place, to: Place, mark: Mark): void {
  let row = from.row
  for (let column = from.column + 1; column <= to.column; column++) {
    const share = (column - from.column) / (to.column - from.column)
    const next = Math.round(from.row + (to.row - from.row) * share)
    for (let between = Math.min(row, next) + 1; between < Math.max(row, next); between++)
      mark(between, column, '│')
    if (next !== row) mark(next, column, next > row ? '╰' : '╭')
    mark(row, column, next === row ? '─' : next > row ? '╮' : '╯')
    row = next
  }
}

/** The lines between the axes: a point for each value, connected by lines. */
function drawInside(points: readonly Point[], { scale, columns, rows, edges }: Plot, pen: Pen): string[] {
  const grid = Array.from({ length: rows }, (_, row) =>
    Array<string>(columns).fill(edges.has(row) ? '┄' : ' '),
  )
  const mark: Mark = (row, column, character) => void grid[row]?.splice(column, 1, character)
  const places = points.map(({ at, value }) => ({
    column: across(scale, at, columns),
    row: down(scale, value, rows),
  }))
  for (const [index, place] of places.slice(1).entries()) connect(places[index] ?? place, place, mark)
  for (const { row, column } of places) mark(row, column, '●')
  return grid.map((line) =>
    line
      .join('')
      .replace(/[●─│╭╮╰╯]+/gu, pen.cyan)
      .replace(/┄+/gu, pen.dim),
  )
}

/** A line chart with numbers at the left, dates below, and zone names at the right. */
export function drawLineChart(chart: LineChart, pen: Pen): string {
  const plot = layOut(chart)
  const lines = drawInside(chart.points, plot, pen).map((inside, row) => {
    const label = plot.labels.get(row)
    const left = `${pad(label ?? '', plot.labelWidth, 'right')} ${label === undefined ? '│' : '┤'}`
    const name = plot.names.get(row)
    return name === undefined
      ? (pen.dim(left) + inside).trimEnd()
      : `${pen.dim(left)}${inside} ${pen.dim(name)}`
  })
  const axis = timeAxis(plot.scale.fromMs, plot.scale.toMs, plot.columns)
  const margin = ' '.repeat(plot.labelWidth + 1)
  lines.push(pen.dim(`${margin}└${axis.line}`), pen.dim(`${margin} ${axis.labels}`))
  return `${lines.join('\n')}\n`
}
