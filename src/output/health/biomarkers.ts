import { type BiomarkerName, biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/values.ts'
import { sparkline } from '../draw/sparkline.ts'
import { renderTable } from '../table.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate, formatRelative } from '../time.ts'
import type { Column, DrawnView, ListView, Pen } from '../view.ts'
import { formatChange } from './change.ts'
import { formatNumber, numberOrUndefined } from './number.ts'
import { referenceLine } from './reference.ts'

/** A biomarker record (spec 2.3). The values are checked when they are read. */
export type Scan = Readonly<
  Partial<Record<BiomarkerName | 'face_scan_id' | 'timestamp' | 'timestamp_epoch', unknown>>
>

/** One row per scan. */
export const scanList: ListView<readonly Scan[], Scan> = {
  kind: 'list',
  rows: (scans) => scans,
  columns: [
    { key: 'timestamp', title: 'When', time: true },
    ...biomarkerNames.map((name) => ({
      key: name,
      title: `${biomarkerFacts[name].label} ${biomarkerFacts[name].unit}`,
      align: 'right' as const,
    })),
    { key: 'face_scan_id', title: 'Face scan', whole: true },
    { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' },
  ],
  empty:
    'no face scans yet; create a scan link with: facescan scan-url --external-user-id ID\non the sandbox, record scans with: facescan sandbox scan --external-user-id ID',
}

/** The scans from the oldest to the newest, regardless of the order of the reply. */
export function sortScans(scans: readonly Scan[]): readonly Scan[] {
  return scans.toSorted((a, b) => (epochMsOf(a.timestamp) ?? 0) - (epochMsOf(b.timestamp) ?? 0))
}

/** The values of one biomarker, from the oldest to the newest scan. */
interface Trend {
  name: BiomarkerName
  latest: number | undefined
  previous: number | undefined
  values: readonly (number | undefined)[]
}

function readTrend(name: BiomarkerName, scans: readonly Scan[]): Trend {
  const values = scans.map((scan) => numberOrUndefined(scan[name]))
  return { name, latest: values.at(-1), previous: values.at(-2), values }
}

function describeRange({ values }: Trend): string {
  const known = values.filter((value) => value !== undefined)
  return known.length < 2 ? '' : `${formatNumber(Math.min(...known))} to ${formatNumber(Math.max(...known))}`
}

function describeZone({ name, latest }: Trend): string {
  const zone = latest === undefined ? undefined : zoneOf(biomarkerFacts[name], latest)
  // A space, because an empty cell means a missing value.
  return zone ?? ' '
}

const historyColumns: readonly Column<Trend>[] = [
  {
    key: 'previous',
    title: 'Change',
    align: 'right',
    cell: ({ latest, previous }, pen) => formatChange(latest, previous, pen),
  },
  {
    key: 'values',
    title: 'Trend',
    whole: true,
    cell: (trend, pen) =>
      pen.pictures
        ? pen.cyan(sparkline(trend.values.slice(pen.width < 80 ? -6 : -10)))
        : describeRange(trend),
  },
]

function trendColumns(count: number, latestTitle: string, pen: Pen): Column<Trend>[] {
  return [
    {
      key: 'name',
      title: 'Biomarker',
      whole: true,
      cell: ({ name }) => biomarkerFacts[name].label,
    },
    {
      key: 'latest',
      title: latestTitle,
      align: 'right',
      cell: ({ latest }) => (latest === undefined ? '' : formatNumber(latest)),
    },
    { key: 'name', title: 'Unit', whole: true, cell: ({ name }) => pen.dim(biomarkerFacts[name].unit) },
    ...(count > 1 ? historyColumns : []),
    ...(pen.reference ? [{ key: 'name', title: 'Zone', whole: true, cell: describeZone } as const] : []),
  ]
}

function describeSpan(scans: readonly Scan[], pen: Pen): string {
  const times = scans.map((scan) => epochMsOf(scan.timestamp)).filter((at) => at !== undefined)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return `${scans.length} face scans`
  if (scans.length === 1) return `1 face scan, ${formatRelative(last, pen.now)}`
  return `${scans.length} face scans from ${formatDate(first)} to ${formatDate(last)} (${formatRelative(last, pen.now)})`
}

/** One row per biomarker: the latest value, the change since the scan before, the trend, and the zone. */
async function drawTrends(
  value: readonly Scan[],
  latestTitle: string,
  pen: Pen,
): Promise<string | undefined> {
  if (!pen.terminal || value.length === 0) return undefined
  const scans = sortScans(value)
  const trends = biomarkerNames.map((name) => readTrend(name, scans))
  const columns = trendColumns(scans.length, latestTitle, pen)
  const table = await renderTable(trends, columns, pen, { header: true, truncate: true })
  const id = scans.at(-1)?.face_scan_id
  const below = [
    ...(typeof id === 'string' ? [pen.dim(`${latestTitle} face scan: ${id}`)] : []),
    ...(pen.reference ? [referenceLine('Zones', pen)] : []),
  ]
  return [`${paragraph(describeSpan(scans, pen), pen)}\n`, table, ...below].join('\n')
}

function trendsView(latestTitle: string): DrawnView<readonly Scan[]> {
  return {
    kind: 'drawn',
    reference: true,
    draw: (scans, pen) => drawTrends(scans, latestTitle, pen),
    data: scanList,
  }
}

/** Face scans: trends on a terminal, one row per scan in all other formats. */
export const biomarkersView = trendsView('Latest')

/** Face scans that may not include the newest. */
export const earlierBiomarkersView = trendsView('Last shown')
