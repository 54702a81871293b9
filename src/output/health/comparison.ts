import type * as z from 'zod/mini'
import { rounded } from '../../base/functions.ts'
import type { Unchanged } from '../../base/json.ts'
import { biomarkerFacts, biomarkerNames } from '../../contract/biomarkers.ts'
import { epochMsOf, formatDate } from '../time.ts'
import type { ListView } from '../view.ts'
import { averageOf, formatChange, type Scan } from './scans.ts'

/**
 * The JSON of a comparison. Times are ISO 8601, or null if there are no scans. An average has the unit of the biomarker and at most two
 * decimals. It is null if no scan in the period has a value.
 */
export async function comparisonSchema() {
  const z = await import('zod/mini')
  const time = z.nullable(z.string())
  const average = z.nullable(z.number())
  const period = { scans: z.int(), first: time, last: time }
  return z.strictObject({
    before: z.strictObject({ until: z.string(), ...period }),
    after: z.strictObject({ from: z.string(), ...period }),
    biomarkers: z.array(
      z.strictObject({
        biomarker: z.enum(biomarkerNames),
        unit: z.string(),
        before: average,
        after: average,
        change: average,
        change_percent: average,
      }),
    ),
  })
}

type Comparison = Unchanged<z.infer<Awaited<ReturnType<typeof comparisonSchema>>>>
type ComparedBiomarker = Comparison['biomarkers'][number]
type Period = Omit<Comparison['before'], 'until'>

export function compareScans(
  before: { until: string; scans: readonly Scan[] },
  after: { from: string; scans: readonly Scan[] },
): Comparison {
  return {
    before: { until: before.until, ...describePeriod(before.scans) },
    after: { from: after.from, ...describePeriod(after.scans) },
    biomarkers: biomarkerNames.map((biomarker) => {
      const averages = {
        before: averageOf(before.scans, biomarker),
        after: averageOf(after.scans, biomarker),
      }
      return { biomarker, unit: biomarkerFacts[biomarker].unit, ...averages, ...changeOf(averages) }
    }),
  }
}

function describePeriod(scans: readonly Scan[]): Period {
  const times = scans
    .map(({ timestamp }) => timestamp)
    .filter((timestamp) => typeof timestamp === 'string')
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
  return { scans: scans.length, first: times[0] ?? null, last: times.at(-1) ?? null }
}

function changeOf({ before, after }: Pick<ComparedBiomarker, 'before' | 'after'>) {
  const change = before === null || after === null ? null : rounded(after - before)
  const change_percent = change === null || !before ? null : rounded((change / before) * 100)
  return { change, change_percent }
}

export const comparisonView: ListView<Comparison, ComparedBiomarker> = {
  subject: 'Average biomarkers',
  rows: ({ biomarkers }) => biomarkers,
  before: ({ before, after }) => `Before  ${describe(before)}\nAfter   ${describe(after)}`,
  columns: [
    {
      key: 'biomarker',
      title: 'Biomarker',
      whole: true,
      cell: ({ biomarker }) => biomarkerFacts[biomarker].label,
    },
    { key: 'before', title: 'Before', align: 'right' },
    { key: 'after', title: 'After', align: 'right' },
    { key: 'unit', title: 'Unit', cell: ({ unit }, terminal) => terminal.dim(unit) },
    {
      key: 'change',
      title: 'Change',
      align: 'right',
      cell: ({ before, after }, terminal) => formatChange(after ?? undefined, before ?? undefined, terminal),
    },
    {
      key: 'change_percent',
      title: 'Change %',
      align: 'right',
      cell: ({ change_percent: percent }) => (percent === null ? '' : signed.format(percent)),
    },
  ],
  empty: '',
}

const signed = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

function describe({ first, last }: Period): string {
  const [from, to] = [epochMsOf(first), epochMsOf(last)]
  if (from === undefined || to === undefined) return 'no scans'
  return [...new Set([formatDate(from), formatDate(to)])].join(' to ')
}
