import type * as z from 'zod'
import { countOf } from '../../base/text/count.ts'
import type { Unchanged } from '../../base/unchanged.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames } from '../../contract/values.ts'
import { epochMsOf, formatDate } from '../time.ts'
import type { ListView } from '../view.ts'
import type { Scan } from './biomarkers.ts'
import { formatChange } from './change.ts'
import type { comparison } from './comparison-schema.ts'
import { formatNumber, numberOrUndefined, rounded } from './number.ts'

type Comparison = Unchanged<z.infer<typeof comparison>>
type ComparedBiomarker = Comparison['biomarkers'][number]
type Side = Omit<Comparison['before'], 'until'>

export function compareScans(
  before: { until: string; scans: readonly Scan[] },
  after: { from: string; scans: readonly Scan[] },
): Comparison {
  return {
    before: { until: before.until, ...describeSide(before.scans) },
    after: { from: after.from, ...describeSide(after.scans) },
    biomarkers: biomarkerNames.map((name) =>
      compareOne(name, averageOf(before.scans, name), averageOf(after.scans, name)),
    ),
  }
}

function describeSide(scans: readonly Scan[]): Side {
  const times = scans
    .map(({ timestamp }) => timestamp)
    .filter((timestamp) => typeof timestamp === 'string')
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
  return { scans: scans.length, first: times[0] ?? null, last: times.at(-1) ?? null }
}

function averageOf(scans: readonly Scan[], name: BiomarkerName): number | null {
  const values = scans.map((scan) => numberOrUndefined(scan[name])).filter((value) => value !== undefined)
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}

function compareOne(
  biomarker: BiomarkerName,
  before: number | null,
  after: number | null,
): ComparedBiomarker {
  const change = before === null || after === null ? null : rounded(after - before)
  const change_percent = change === null || !before ? null : rounded((change / before) * 100)
  return { biomarker, unit: biomarkerFacts[biomarker].unit, before, after, change, change_percent }
}

/** One row per biomarker, below a line that describes the averaged scans. */
export const comparisonView: ListView<Comparison, ComparedBiomarker> = {
  kind: 'list',
  rows: ({ biomarkers }) => biomarkers,
  before: ({ before, after }) => `Before  ${describe(before)}\nAfter   ${describe(after)}`,
  columns: [
    {
      key: 'biomarker',
      title: 'Biomarker',
      whole: true,
      cell: ({ biomarker }) => biomarkerFacts[biomarker].label,
    },
    { key: 'before', title: 'Before', align: 'right', cell: ({ before }) => shown(before) },
    { key: 'after', title: 'After', align: 'right', cell: ({ after }) => shown(after) },
    { key: 'unit', title: 'Unit', cell: ({ unit }, pen) => pen.dim(unit) },
    {
      key: 'change',
      title: 'Change',
      align: 'right',
      cell: ({ before, after }, pen) => formatChange(after ?? undefined, before ?? undefined, pen),
    },
    {
      key: 'change_percent',
      title: 'Change %',
      align: 'right',
      cell: ({ change_percent: percent }) => (percent === null ? '' : formatSigned(Math.round(percent))),
    },
  ],
  empty: '',
}

function describe({ scans, first, last }: Side): string {
  const [from, to] = [epochMsOf(first), epochMsOf(last)]
  if (from === undefined || to === undefined) return 'no scans'
  const days = [...new Set([formatDate(from), formatDate(to)])].join(' to ')
  return `average of ${countOf(scans, 'scan')}, ${days}`
}

function formatSigned(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}

function shown(value: number | null): string {
  return value === null ? '' : formatNumber(value)
}
