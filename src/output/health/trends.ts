import { countOf } from '../../base/text.ts'
import {
  type BiomarkerName,
  biomarkerFacts,
  biomarkerNames,
  type Zone,
  zoneOf,
} from '../../contract/biomarkers.ts'
import { rounded } from '../cell.ts'
import { sparkline } from '../draw/bars.ts'
import { type ChartPoint, curveSymbol, drawLineChart } from '../draw/line-chart.ts'
import type { TableSettings } from '../settings.ts'
import { renderTable } from '../table.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate, formatRelative } from '../time.ts'
import type { Column, Terminal } from '../view.ts'
import { formatChange, numberOrUndefined, zonesLine } from './format.ts'
import { type Scan, scansView, sortScans } from './scans.ts'

/** The view of several scans: the trend of each biomarker on a terminal, and one row per scan in other formats. */
export const trendsView: typeof scansView = { ...scansView, reference: true, draw: drawTrends }

/** The values of one biomarker, from the oldest to the newest scan. */
interface Trend {
  name: BiomarkerName
  latest: number | undefined
  values: readonly (number | undefined)[]
}

async function drawTrends(
  value: readonly Scan[],
  terminal: Terminal,
  settings: TableSettings,
): Promise<string | undefined> {
  if (!terminal.isTTY || value.length === 0) return undefined
  const scans = sortScans(value)
  const trends = biomarkerNames.map((name): Trend => {
    const values = scans.map((scan) => numberOrUndefined(scan[name]))
    return { name, latest: values.at(-1), values }
  })
  const table = await renderTable(trends, trendColumns(scans.length, terminal), terminal, settings)
  const id = scans.at(-1)?.face_scan_id
  const below = [
    ...(typeof id === 'string' ? [terminal.dim(`Latest face scan: ${id}`)] : []),
    ...(terminal.reference ? [zonesLine(terminal)] : []),
  ]
  return [`${paragraph(describeSpan(scans, terminal), terminal)}\n`, table, ...below].join('\n')
}

function trendColumns(count: number, terminal: Terminal): Column<Trend>[] {
  const columns: Column<Trend>[] = [
    { key: 'name', title: 'Biomarker', whole: true, cell: ({ name }) => biomarkerFacts[name].label },
    { key: 'latest', title: 'Latest', align: 'right' },
    { key: 'name', title: 'Unit', whole: true, cell: ({ name }) => terminal.dim(biomarkerFacts[name].unit) },
  ]
  if (count > 1) {
    const change = ({ latest, values }: Trend) => formatChange(latest, values.at(-2), terminal)
    columns.push({ key: 'values', title: 'Change', align: 'right', cell: change })
    columns.push({
      key: 'values',
      title: terminal.pictures ? 'Trend' : 'Range',
      whole: true,
      cell: showHistory,
    })
  }
  if (terminal.reference) columns.push({ key: 'name', title: 'Zone', whole: true, cell: showZone })
  return columns
}

function showHistory({ values }: Trend, terminal: Terminal): string {
  if (terminal.pictures) return terminal.cyan(sparkline(values.slice(terminal.width < 80 ? -6 : -10)))
  const known = values.filter((value) => value !== undefined)
  return known.length < 2 ? '' : `${rounded(Math.min(...known))} to ${rounded(Math.max(...known))}`
}

/** The zone of a value. A value without a zone is shown as a space, because an empty cell would mean a missing value. */
function showZone({ name, latest }: Trend): string {
  return (latest === undefined ? undefined : zoneOf(biomarkerFacts[name], latest)) ?? ' '
}

function describeSpan(scans: readonly Scan[], terminal: Terminal): string {
  const times = scans.map((scan) => epochMsOf(scan.timestamp)).filter((at) => at !== undefined)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return `${scans.length} face scans`
  if (scans.length === 1) return `1 face scan, ${formatRelative(last, terminal.now)}`
  const [from, to] = [formatDate(first), formatDate(last)]
  const days = from === to ? `on ${to}` : `from ${from} to ${to}`
  return `${scans.length} face scans ${days} (latest: ${formatRelative(last, terminal.now)})`
}

/** Line charts that fit the terminal: large charts for the biomarkers on the command line, or small charts for all biomarkers. */
export function biomarkerChartView(names: readonly BiomarkerName[]): typeof scansView {
  const charts = names.length === 0 ? biomarkerNames.map((name) => [name]) : groupByUnit(names)
  const draw = (scans: readonly Scan[], terminal: Terminal) => {
    if (scans.length === 0) return undefined
    const hasZones = charts.some((chart) => zonesOf(chart, terminal).length > 0)
    // Four lines are left for the title, a note, and the shell prompt.
    const others = 4 + (charts[0]?.length ?? 0) + (hasZones ? 2 : 0)
    const height = names.length === 0 ? 9 : Math.min(24, Math.max(10, terminal.height - others))
    const texts = charts
      .map((chart) => drawChart(scans, chart, height, terminal))
      .join(terminal.pictures ? '\n' : '')
    return hasZones ? `${texts}\n${zonesLine(terminal)}\n` : texts
  }
  return { ...scansView, reference: true, draw }
}

/** Groups biomarkers by unit, because biomarkers with the same unit share a chart. */
function groupByUnit(names: readonly BiomarkerName[]): BiomarkerName[][] {
  const groups = new Map<string, BiomarkerName[]>()
  for (const name of new Set(names)) {
    const { unit } = biomarkerFacts[name]
    groups.set(unit, [...(groups.get(unit) ?? []), name])
  }
  return [...groups.values()]
}

/** Zones for a chart. A chart of two biomarkers shows no zones, because they would overlap. */
function zonesOf([name, ...others]: readonly BiomarkerName[], terminal: Terminal): readonly Zone[] {
  return name && others.length === 0 && terminal.pictures && terminal.reference
    ? biomarkerFacts[name].zones
    : []
}

/** A chart of biomarkers with the same unit, or one sentence for each biomarker if `terminal.pictures` is false. */
function drawChart(
  scans: readonly Scan[],
  names: readonly BiomarkerName[],
  height: number,
  terminal: Terminal,
): string {
  const sorted = sortScans(scans)
  const curves = names.map((name) => ({
    ...biomarkerFacts[name],
    points: sorted.flatMap((scan) => {
      const at = epochMsOf(scan.timestamp)
      const value = numberOrUndefined(scan[name])
      return at === undefined || value === undefined ? [] : [{ at, value }]
    }),
  }))
  if (!terminal.pictures) return curves.map((curve) => describeCurve(curve, terminal)).join('')
  const headings = curves.map(({ label, unit, points }, index) => {
    const last = points.at(-1)
    if (!last) return `${label}: no values\n`
    const symbol = curves.length > 1 ? `${curveSymbol(index, terminal)} ` : ''
    return `${symbol}${terminal.bold(label)} in ${unit}, latest ${describePoint(last)}\n`
  })
  const drawn = curves.map(({ points }) => points)
  if (drawn.flat().length === 0) return headings.join('')
  const chart = { curves: drawn, zones: zonesOf(names, terminal), width: terminal.width, height }
  return `${headings.join('')}${drawLineChart(chart, terminal)}`
}

function describePoint({ at, value }: ChartPoint): string {
  return `${rounded(value)} on ${formatDate(at)}`
}

function describeCurve(
  { label, unit, points }: { label: string; unit: string; points: readonly ChartPoint[] },
  terminal: Terminal,
): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return `${label}: no values\n`
  const heading = `${label} in ${unit}, ${countOf(points.length, 'scan')}`
  if (points.length === 1) return `${paragraph(`${heading}: ${describePoint(last)}`, terminal)}\n`
  const values = points.map(({ value }) => value)
  const extremes = `lowest ${rounded(Math.min(...values))}, highest ${rounded(Math.max(...values))}`
  const ends = `from ${describePoint(first)} to ${describePoint(last)}`
  return `${paragraph(`${heading}: ${ends}, ${extremes}`, terminal)}\n`
}
