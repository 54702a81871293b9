import { countOf } from '../../base/text.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/values.ts'
import { rounded } from '../cell.ts'
import { sparkline } from '../draw/bars.ts'
import { drawLineChart } from '../draw/line-chart.ts'
import type { TableSettings } from '../settings.ts'
import { renderTable } from '../table.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate, formatRelative } from '../time.ts'
import type { Column, Pen } from '../view.ts'
import { formatChange, numberOrUndefined, zonesLine } from './format.ts'
import { type Scan, scansView } from './scans.ts'

/** The trend of each biomarker on a terminal, and one row per scan in all other formats. */
export const trendsView: typeof scansView = { ...scansView, reference: true, draw: drawTrends }

/** The scans from the oldest to the newest, regardless of the order of the reply. */
function sortScans(scans: readonly Scan[]): readonly Scan[] {
  return scans.toSorted((a, b) => (epochMsOf(a.timestamp) ?? 0) - (epochMsOf(b.timestamp) ?? 0))
}

/** The values of one biomarker, from the oldest to the newest scan. */
interface Trend {
  name: BiomarkerName
  latest: number | undefined
  values: readonly (number | undefined)[]
}

async function drawTrends(
  value: readonly Scan[],
  pen: Pen,
  settings: TableSettings,
): Promise<string | undefined> {
  if (!pen.terminal || value.length === 0) return undefined
  const scans = sortScans(value)
  const trends = biomarkerNames.map((name): Trend => {
    const values = scans.map((scan) => numberOrUndefined(scan[name]))
    return { name, latest: values.at(-1), values }
  })
  const table = await renderTable(trends, trendColumns(scans.length, pen), pen, settings)
  const id = scans.at(-1)?.face_scan_id
  const below = [
    ...(typeof id === 'string' ? [pen.dim(`Latest face scan: ${id}`)] : []),
    ...(pen.reference ? [zonesLine(pen)] : []),
  ]
  return [`${paragraph(describeSpan(scans, pen), pen)}\n`, table, ...below].join('\n')
}

function trendColumns(count: number, pen: Pen): Column<Trend>[] {
  const columns: Column<Trend>[] = [
    { key: 'name', title: 'Biomarker', whole: true, cell: ({ name }) => biomarkerFacts[name].label },
    { key: 'latest', title: 'Latest', align: 'right' },
    { key: 'name', title: 'Unit', whole: true, cell: ({ name }) => pen.dim(biomarkerFacts[name].unit) },
  ]
  if (count > 1) {
    const change = ({ latest, values }: Trend) => formatChange(latest, values.at(-2), pen)
    columns.push({ key: 'values', title: 'Change', align: 'right', cell: change })
    columns.push({ key: 'values', title: pen.pictures ? 'Trend' : 'Range', whole: true, cell: showHistory })
  }
  if (pen.reference) columns.push({ key: 'name', title: 'Zone', whole: true, cell: showZone })
  return columns
}

function showHistory({ values }: Trend, pen: Pen): string {
  if (pen.pictures) return pen.cyan(sparkline(values.slice(pen.width < 80 ? -6 : -10)))
  const known = values.filter((value) => value !== undefined)
  return known.length < 2 ? '' : `${rounded(Math.min(...known))} to ${rounded(Math.max(...known))}`
}

/** A space for no zone, because an empty cell means a missing value. */
function showZone({ name, latest }: Trend): string {
  return (latest === undefined ? undefined : zoneOf(biomarkerFacts[name], latest)) ?? ' '
}

function describeSpan(scans: readonly Scan[], pen: Pen): string {
  const times = scans.map((scan) => epochMsOf(scan.timestamp)).filter((at) => at !== undefined)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return `${scans.length} face scans`
  if (scans.length === 1) return `1 face scan, ${formatRelative(last, pen.now)}`
  const [from, to] = [formatDate(first), formatDate(last)]
  const days = from === to ? `on ${to}` : `from ${from} to ${to}`
  return `${scans.length} face scans ${days} (latest: ${formatRelative(last, pen.now)})`
}

/** Line charts that fit the terminal: a large chart of one biomarker, or small charts of all biomarkers. */
export function biomarkerChartView(name?: BiomarkerName): typeof scansView {
  const names = name === undefined ? biomarkerNames : [name]
  const hasZones = names.some((each) => biomarkerFacts[each].zones.length > 0)
  const draw = (scans: readonly Scan[], pen: Pen) => {
    if (scans.length === 0) return undefined
    const height = name === undefined ? 9 : Math.min(24, Math.max(10, pen.height - 4))
    const charts = names.map((each) => drawChart(scans, each, height, pen)).join(pen.pictures ? '\n' : '')
    const isLegendNeeded = pen.pictures && pen.reference && hasZones
    return isLegendNeeded ? `${charts}\n${zonesLine(pen)}\n` : charts
  }
  return { ...scansView, reference: true, draw }
}

/** A chart of one biomarker, or a sentence if `pen.pictures` is false. */
function drawChart(scans: readonly Scan[], name: BiomarkerName, height: number, pen: Pen): string {
  const { label, unit, zones } = biomarkerFacts[name]
  const points = sortScans(scans).flatMap((scan) => {
    const at = epochMsOf(scan.timestamp)
    const value = numberOrUndefined(scan[name])
    return at === undefined || value === undefined ? [] : [{ at, value }]
  })
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return `${label}: no values\n`
  const latest = `${rounded(last.value)} on ${formatDate(last.at)}`
  if (pen.pictures) {
    const chart = { points, zones: pen.reference ? zones : [], width: pen.width, height }
    return `${pen.bold(label)} ${pen.dim(unit)}  ${latest}\n${drawLineChart(chart, pen)}`
  }
  const heading = `${label} in ${unit}, ${countOf(points.length, 'scan')}`
  if (points.length === 1) return `${paragraph(`${heading}: ${latest}`, pen)}\n`
  const values = points.map(({ value }) => value)
  const extremes = `lowest ${rounded(Math.min(...values))}, highest ${rounded(Math.max(...values))}`
  const ends = `from ${rounded(first.value)} on ${formatDate(first.at)} to ${latest}`
  return `${paragraph(`${heading}: ${ends}, ${extremes}`, pen)}\n`
}
