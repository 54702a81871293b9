import { dayMs } from '../../base/clock.ts'
import type { Zone } from '../../contract/biomarkers.ts'
import { pad, widthOf } from '../text.ts'
import { formatDate, formatMoment } from '../time.ts'
import type { Terminal } from '../view.ts'

export interface ChartPoint {
  /** Milliseconds since 1970. */
  at: number
  value: number
}

interface LineChart {
  /** One or two curves. Each curve has at least one point. The points are sorted by time. */
  curves: readonly (readonly ChartPoint[])[]
  zones: readonly Zone[]
  /** Size of the drawing with its axes, in characters and lines. */
  width: number
  height: number
}

interface ValueAxis {
  low: number
  high: number
  rows: number
  ticks: readonly number[]
  rowOf(value: number): number
}

/** A line chart with numbers at the left, dates below, and zone names at the right. */
export function drawLineChart({ curves, zones, width, height }: LineChart, terminal: Terminal): string {
  const points = curves.flat().toSorted((a, b) => a.at - b.at)
  const scale = chooseScale(points, height - 2)
  const labels = new Map(scale.ticks.map((tick) => [scale.rowOf(tick), String(tick)]))
  const names = zoneNames(zones, scale)
  const labelWidth = Math.max(...[...labels.values()].map(widthOf))
  const nameWidth = Math.max(0, ...[...names.values()].map((name) => widthOf(name) + 1))
  const columns = Math.max(10, width - labelWidth - 2 - nameWidth)
  const period = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0] as const
  const area = { ...scale, columns, edges: zoneEdges(zones, scale), period }
  const lines = drawCurves(curves, area, terminal).map((painted, row) => {
    const label = labels.get(row)
    const left = `${pad(label ?? '', labelWidth, 'right')} ${label === undefined ? '│' : '┤'}`
    const name = names.get(row)
    return name === undefined
      ? (terminal.dim(left) + painted).trimEnd()
      : `${terminal.dim(left)}${painted} ${terminal.dim(name)}`
  })
  const axis = timeAxis(...period, columns)
  const margin = ' '.repeat(labelWidth + 1)
  lines.push(terminal.dim(`${margin}└${axis.line}`), terminal.dim(`${margin} ${axis.labels}`))
  return `${lines.join('\n')}\n`
}

/** Chooses round tick values. The distance between ticks is a whole number of lines. The chart uses as many lines as possible. */
function chooseScale(points: readonly ChartPoint[], mostRows: number): ValueAxis {
  const values = points.map(({ value }) => value)
  const choices = Array.from({ length: Math.max(1, Math.floor(mostRows / 2)) }, (_, index) => {
    const ticks = roundTicks(Math.min(...values), Math.max(...values), index + 1)
    const steps = ticks.length - 1
    return { ticks, rows: steps * Math.floor((mostRows - 1) / steps) + 1 }
  })
  const { ticks, rows } = choices.reduce((best, choice) => (choice.rows >= best.rows ? choice : best))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const rowOf = (value: number) => Math.round(((high - value) / (high - low)) * (rows - 1))
  return { low, high, rows, ticks, rowOf }
}

/** The name of each visible zone. The key is the number of the text line in the middle of the zone. */
function zoneNames(zones: readonly Zone[], { low, high, rowOf }: ValueAxis): Map<number, string> {
  const visible = zones
    .map(({ name, from = low, to = high }) => ({ name, from: Math.max(from, low), to: Math.min(to, high) }))
    .filter(({ from, to }) => from < to)
  // If two names are on one line, the name that comes earlier is shown.
  return new Map(visible.toReversed().map(({ name, from, to }) => [rowOf((from + to) / 2), name]))
}

function zoneEdges(zones: readonly Zone[], { low, high, rowOf }: ValueAxis): Set<number> {
  const edges = zones.flatMap(({ from = low, to = high }) => [from, to])
  return new Set(edges.filter((edge) => edge > low && edge < high).map(rowOf))
}

interface Area extends ValueAxis {
  columns: number
  edges: ReadonlySet<number>
  period: readonly [fromMs: number, toMs: number]
}

const inks = [
  { point: '●', style: 'cyan' },
  { point: '○', style: 'yellow' },
] as const
type Ink = (typeof inks)[number]

export function curveSymbol(index: number, terminal: Terminal): string {
  const { point, style } = inkOf(index)
  return terminal[style](point)
}

function inkOf(index: number): Ink {
  return inks[index % inks.length] ?? inks[0]
}

/** The text lines of the area between the axes. Each value is drawn as a point, and the points of a curve are connected. */
function drawCurves(curves: readonly (readonly ChartPoint[])[], area: Area, terminal: Terminal): string[] {
  const { rows, columns, edges, rowOf, period } = area
  const cells = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, () => ({
      character: edges.has(row) ? '┄' : ' ',
      style: 'dim' as 'dim' | Ink['style'],
    })),
  )
  const spanMs = period[1] - period[0]
  for (const [index, points] of curves.entries()) {
    const { point, style } = inkOf(index)
    const mark: Mark = (row, column, character) => void cells[row]?.splice(column, 1, { character, style })
    const places = points.map(({ at, value }) => ({
      column: Math.round((spanMs === 0 ? 0.5 : (at - period[0]) / spanMs) * (columns - 1)),
      row: rowOf(value),
    }))
    for (const [before, place] of places.slice(1).entries()) connect(places[before] ?? place, place, mark)
    for (const { row, column } of places) mark(row, column, point)
  }
  return cells.map((line) => paintLine(line, terminal))
}

/** Colors one line. Neighboring characters with the same style are colored together. */
function paintLine(
  cells: readonly { character: string; style: 'dim' | Ink['style'] }[],
  terminal: Terminal,
): string {
  const runs: { text: string; style: 'dim' | Ink['style'] }[] = []
  for (const { character, style } of cells) {
    const last = runs.at(-1)
    if (last?.style === style) last.text += character
    else runs.push({ text: character, style })
  }
  return runs.map(({ text, style }) => (text.trim() === '' ? text : terminal[style](text))).join('')
}

interface GridPoint {
  column: number
  row: number
}

type Mark = (row: number, column: number, character: string) => void

function connect(from: GridPoint, to: GridPoint, mark: Mark): void {
  let row = from.row
  // If one column of the chart contains several scans, their points are connected with a vertical line.
  if (from.column === to.column)
    for (let between = Math.min(row, to.row); between <= Math.max(row, to.row); between++)
      mark(between, to.column, '│')
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

/** Round numbers at equal distances, in about `count` intervals that contain `low` and `high`. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const size = Math.max(Math.abs(low), Math.abs(high), 1)
  // If the difference between the highest and the lowest value is this small compared with the values, it is a rounding error.
  if (high - low < size * 1e-9) return roundTicks(low - size * 0.05, high + size * 0.05, count)
  const rough = high / count - low / count
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** A label for the time axis: `4 Mar 09:30`, `4 Mar`, or `Mar 2026`, depending on the length of the time span. */
function timeLabel(epochMs: number, spanMs: number): string {
  if (spanMs <= 2 * dayMs) return formatMoment(epochMs)
  const date = formatDate(epochMs)
  return spanMs <= 300 * dayMs ? date.replace(/ \d+$/, '') : date.replace(/^\d+ /, '')
}

/** A time axis of `width` characters. It has a label at each end, and additional labels if they fit. */
export function timeAxis(fromMs: number, toMs: number, width: number) {
  const spanMs = toMs - fromMs
  const date = formatDate(fromMs)
  if (spanMs === 0)
    return { line: '─'.repeat(width), labels: date.padStart(Math.floor((width + date.length) / 2)) }
  const widest = Math.max(widthOf(timeLabel(fromMs, spanMs)), widthOf(timeLabel(toMs, spanMs)))
  const count = Math.max(2, Math.min(7, Math.floor(width / (widest + 6))))
  const line = [...'─'.repeat(width)]
  const labels = [...' '.repeat(width)]
  for (let index = 0; index < count; index++) {
    const share = index / (count - 1)
    const column = Math.round(share * (width - 1))
    const label = timeLabel(fromMs + spanMs * share, spanMs)
    line[column] = '┬'
    const start = Math.max(0, Math.min(width - label.length, column - Math.floor(label.length / 2)))
    labels.splice(start, label.length, ...label)
  }
  return { line: line.join(''), labels: labels.join('').trimEnd() }
}
