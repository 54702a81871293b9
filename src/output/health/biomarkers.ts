import { countOf } from '../../base/text/count.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/values.ts'
import { drawLineChart, type Point } from '../draw/line-chart.ts'
import { sparkline } from '../draw/sparkline.ts'
import { renderTable } from '../table.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate, formatRelative } from '../time.ts'
import type { Column, DrawnView, ListView, Pen } from '../view.ts'
import { formatChange } from './change.ts'
import { formatNumber, numberOrUndefined } from './number.ts'

/** A biomarker record (specification, section 2.3), as far as a reply that may have changed can be trusted. */
export type Scan = Readonly<Partial<Record<BiomarkerName | 'face_scan_id' | 'timestamp', unknown>>>

const scanColumns: readonly Column<Scan>[] = [
  { key: 'timestamp', title: 'When', time: true },
  ...biomarkerNames.map((name) => ({
    key: name,
    title: `${biomarkerFacts[name].label} ${biomarkerFacts[name].unit}`,
    align: 'right' as const,
  })),
  { key: 'face_scan_id', title: 'Face scan', whole: true },
  { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' },
]

const scanList: ListView<readonly Scan[], Scan> = {
  kind: 'list',
  rows: (scans) => scans,
  columns: scanColumns,
  empty:
    'no face scans yet; hand out a link to one with: facescan scan-url --external-user-id ID\non the sandbox, record some with: facescan sandbox scan --external-user-id ID',
}

/** The scans from the oldest to the newest, whichever way the service sorted them. */
function inOrder(scans: readonly Scan[]): readonly Scan[] {
  return scans.toSorted((a, b) => (epochMsOf(a.timestamp) ?? 0) - (epochMsOf(b.timestamp) ?? 0))
}

interface Trend {
  name: BiomarkerName
  values: readonly (number | undefined)[]
}

function latestOf({ values }: Trend): number | undefined {
  return values.at(-1)
}

function rangeText({ values }: Trend): string {
  const known = values.filter((value) => value !== undefined)
  return known.length < 2 ? '' : `${formatNumber(Math.min(...known))} to ${formatNumber(Math.max(...known))}`
}

function trendColumns(count: number, last: string, pen: Pen): Column<Trend>[] {
  const roomy = pen.width >= 80
  const latest = (trend: Trend) => latestOf(trend)
  const columns: Column<Trend>[] = [
    { key: 'name', title: 'Biomarker', whole: true, value: ({ name }) => biomarkerFacts[name].label },
    { key: 'latest', title: last, align: 'right', value: (trend) => formatted(latest(trend)) },
    { key: 'unit', title: 'Unit', whole: true, cell: ({ name }, pen) => pen.dim(biomarkerFacts[name].unit) },
  ]
  if (count > 1) {
    columns.push(
      {
        key: 'change',
        title: 'Change',
        align: 'right',
        cell: (trend, pen) => formatChange(latest(trend), trend.values.at(-2), pen),
      },
      {
        key: 'trend',
        title: pen.pictures ? 'Trend' : 'Range',
        whole: true,
        cell: (trend, pen) =>
          pen.pictures ? pen.cyan(sparkline(trend.values.slice(roomy ? -10 : -6))) : rangeText(trend),
      },
    )
  }
  if (roomy) columns.push({ key: 'zone', title: 'Zone', whole: true, cell: zoneText })
  return columns
}

function formatted(value: number | undefined): string {
  return value === undefined ? '' : formatNumber(value)
}

function zoneText(trend: Trend): string {
  const value = latestOf(trend)
  const zone = value === undefined ? undefined : zoneOf(biomarkerFacts[trend.name], value)
  // A space rather than nothing: an unnamed zone is not a missing value.
  return zone ?? ' '
}

function spanText(scans: readonly Scan[], pen: Pen): string {
  const times = scans.map((scan) => epochMsOf(scan.timestamp)).filter((at) => at !== undefined)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return `${scans.length} face scans`
  if (scans.length === 1) return `1 face scan, ${formatRelative(last, pen.now)}`
  return `${scans.length} face scans from ${formatDate(first)} to ${formatDate(last)} (${formatRelative(last, pen.now)})`
}

/** Each biomarker on a line: the last value, the change since the scan before, the trend, and the zone where one is known. */
function drawTrends(value: readonly Scan[], last: string, pen: Pen): string | undefined {
  if (!pen.terminal || value.length === 0) return undefined
  const scans = inOrder(value)
  const trends = biomarkerNames.map((name) => ({
    name,
    values: scans.map((scan) => numberOrUndefined(scan[name])),
  }))
  const columns = trendColumns(scans.length, last, pen)
  const table = renderTable(trends, columns, pen, { header: true, truncate: false })
  const id = scans.at(-1)?.face_scan_id
  const which = typeof id === 'string' ? `\n${pen.dim(`${last} face scan ${id}`)}\n` : ''
  return `${paragraph(spanText(scans, pen), pen)}\n\n${table}${which}`
}

function trendsView(last: string): DrawnView<readonly Scan[]> {
  return { kind: 'drawn', draw: (scans, pen) => drawTrends(scans, last, pen), data: scanList }
}

/** Face scans: trends for a person at a terminal, one row a scan everywhere else. */
export const biomarkersView = trendsView('Latest')

/** The same for scans after which there may be newer ones. */
export const earlierBiomarkersView = trendsView('Last shown')

function pointsOf(scans: readonly Scan[], name: BiomarkerName): Point[] {
  return inOrder(scans).flatMap((scan) => {
    const at = epochMsOf(scan.timestamp)
    const value = numberOrUndefined(scan[name])
    return at === undefined || value === undefined ? [] : [{ at, value }]
  })
}

function describe(points: readonly Point[], name: BiomarkerName): string {
  const { label, unit } = biomarkerFacts[name]
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return `${label}: no values`
  const values = points.map(({ value }) => value)
  const extremes = `lowest ${formatNumber(Math.min(...values))}, highest ${formatNumber(Math.max(...values))}`
  const ends = `from ${formatNumber(first.value)} on ${formatDate(first.at)} to ${formatNumber(last.value)} on ${formatDate(last.at)}`
  return `${label} in ${unit}, ${countOf(points.length, 'scan')}: ${ends}, ${extremes}`
}

function drawChart(scans: readonly Scan[], name: BiomarkerName, height: number, pen: Pen): string {
  const points = pointsOf(scans, name)
  const last = points.at(-1)
  if (!pen.pictures || !last) return `${paragraph(describe(points, name), pen)}\n`
  const { label, unit, zones } = biomarkerFacts[name]
  const heading = `${pen.bold(label)} ${pen.dim(unit)}  ${formatNumber(last.value)} on ${formatDate(last.at)}`
  return `${heading}\n${drawLineChart({ points, zones, width: pen.width, height }, pen)}`
}

/** Line charts over time, sized to the terminal: one biomarker large, or all of them small. */
export function biomarkerChartView(name?: BiomarkerName): DrawnView<readonly Scan[]> {
  const names = name === undefined ? biomarkerNames : [name]
  const draw = (scans: readonly Scan[], pen: Pen) => {
    if (scans.length === 0) return undefined
    const height = name === undefined ? 9 : Math.min(24, Math.max(10, pen.height - 4))
    return names.map((each) => drawChart(scans, each, height, pen)).join(pen.pictures ? '\n' : '')
  }
  return { kind: 'drawn', draw, data: scanList }
}
