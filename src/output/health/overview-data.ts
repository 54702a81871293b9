import { dayMs } from '../../base/clock.ts'
import { biomarkerNames } from '../../contract/biomarkers.ts'
import { epochMsOf } from '../time.ts'
import { numberOrUndefined } from './format.ts'
import type { readMetrics } from './metrics.ts'
import { averageOf, type Scan, sortScans } from './scans.ts'
import type { Wellbeing } from './wellbeing.ts'

/** The responses about one user. A part that was not read is null. */
export interface OverviewShown {
  user: Readonly<Record<string, unknown>> | null
  biomarkers: readonly Scan[] | null
  metrics: Parameters<typeof readMetrics>[0]
  wellbeing: Wellbeing | null
  questions: readonly string[] | null
  answers: readonly Readonly<{ question_lookup_key: string }>[] | null
  recommendations: Readonly<{ recommendations: readonly unknown[] }> | null
  changes: readonly Readonly<{ time: string; command: string; os_user: string; outcome: string }>[] | null
}

/** Texts that are not in the responses: the user on the command line, the reason for each missing part, and the next command. */
export interface OverviewTexts {
  name: string
  reasons: ReadonlyMap<string, string>
  next: string
  /** The command that lists the recommendations. */
  recommendations: string
}

/** Number of days before the latest scan whose average is compared with the latest scan. */
export const comparedDays = 30

/** The newest scan, and the scans of the 30 days before it. */
export function splitScans(value: OverviewShown): { latest: Scan | undefined; earlier: readonly Scan[] } {
  const timeOf = (scan: Scan) => epochMsOf(scan.timestamp) ?? 0
  const [latest, ...others] = sortScans(value.biomarkers ?? []).reverse()
  if (latest === undefined) return { latest, earlier: [] }
  return { latest, earlier: others.filter((scan) => timeOf(latest) - timeOf(scan) <= comparedDays * dayMs) }
}

export interface MeasuredBiomarker {
  name: (typeof biomarkerNames)[number]
  latest: number | undefined
  /** Average of the 30 days before the latest scan. */
  average: number | undefined
}

export function measure(value: OverviewShown): MeasuredBiomarker[] {
  const { latest, earlier } = splitScans(value)
  return biomarkerNames.map((name) => ({
    name,
    latest: numberOrUndefined(latest?.[name]),
    average: averageOf(earlier, name) ?? undefined,
  }))
}

export function missingKeys({ questions, answers }: OverviewShown): string[] {
  const answered = new Set((answers ?? []).map((item) => item.question_lookup_key))
  return (questions ?? []).filter((key) => !answered.has(key))
}
