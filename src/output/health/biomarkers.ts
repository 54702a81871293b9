import { type BiomarkerName, biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/values.ts'
import { plainText } from '../cell.ts'
import { sparkline } from '../draw/sparkline.ts'
import { renderTable } from '../table.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate, formatRelative } from '../time.ts'
import type { Column, DrawnView, ListView, Pen } from '../view.ts'
import { formatChange } from './change.ts'
import { formatNumber, numberOrUndefined } from './number.ts'
import { zonesLine } from './reference.ts'

/** A biomarker record (spec 2.3). The values are checked when they are read. */
export type Scan = Readonly<
  Partial<Record<BiomarkerName | 'face_scan_id' | 'timestamp' | 'timestamp_epoch', unknown>>
>

/** One row per scan, in the order of the reply. */
export const scansView: ListView<readonly Scan[], Scan> = {
  kind: 'list',
  rows: (scans) => scans,
  columns: [
    { key: 'timestamp', title: 'When', time: true },
    ...biomarkerNames.map((name) => ({
      key: name,
      title: biomarkerFacts[name].heading,
      align: 'right' as const,
      priority: 1,
      cell: (scan: Scan, pen: Pen) => formatValue(scan[name], pen),
    })),
    { key: 'face_scan_id', title: 'Face scan', whole: true },
    { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' },
  ],
  empty: (command) =>
    `no face scans; create a scan link: ${command('scan-url')}\nor record scans on the sandbox: ${command('sandbox scan')}`,
}

/** Rounded on a terminal. A value that is not a number is shown unchanged. */
function formatValue(value: unknown, pen: Pen): string {
  return pen.terminal && typeof value === 'number' ? formatNumber(value) : plainText(value)
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

const historyColumns = ({ pictures }: Pen): readonly Column<Trend>[] => [
  {
    key: 'previous',
    title: 'Change',
    align: 'right',
    cell: ({ latest, previous }, pen) => formatChange(latest, previous, pen),
  },
  {
    key: 'values',
    title: pictures ? 'Trend' : 'Range',
    whole: true,
    cell: (trend, pen) =>
      pen.pictures
        ? pen.cyan(sparkline(trend.values.slice(pen.width < 80 ? -6 : -10)))
        : describeRange(trend),
  },
]

function trendColumns(count: number, pen: Pen): Column<Trend>[] {
  return [
    {
      key: 'name',
      title: 'Biomarker',
      whole: true,
      cell: ({ name }) => biomarkerFacts[name].label,
    },
    {
      key: 'latest',
      title: 'Latest',
      align: 'right',
      cell: ({ latest }) => (latest === undefined ? '' : formatNumber(latest)),
    },
    { key: 'name', title: 'Unit', whole: true, cell: ({ name }) => pen.dim(biomarkerFacts[name].unit) },
    ...(count > 1 ? historyColumns(pen) : []),
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
async function drawTrends(value: readonly Scan[], pen: Pen): Promise<string | undefined> {
  if (!pen.terminal || value.length === 0) return undefined
  const scans = sortScans(value)
  const trends = biomarkerNames.map((name) => readTrend(name, scans))
  const columns = trendColumns(scans.length, pen)
  const table = await renderTable(trends, columns, pen, { header: true, truncate: true })
  const id = scans.at(-1)?.face_scan_id
  const below = [
    ...(typeof id === 'string' ? [pen.dim(`Latest face scan: ${id}`)] : []),
    ...(pen.reference ? [zonesLine(pen)] : []),
  ]
  return [`${paragraph(describeSpan(scans, pen), pen)}\n`, table, ...below].join('\n')
}

/** The trend of each biomarker on a terminal, and one row per scan in all other formats. */
export const trendsView: DrawnView<readonly Scan[]> = {
  kind: 'drawn',
  reference: true,
  draw: drawTrends,
  data: scansView,
}
