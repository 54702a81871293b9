import { rounded } from '../../base/functions.ts'
import { type BiomarkerName, type MetricName, metricNames } from '../../contract/biomarkers.ts'
import type { LookupKey } from '../../contract/values.ts'
import { type Answers, latestAnswers, recentScanCount, recentScans, type ScanRecord } from '../records.ts'
import type { Store } from '../store.ts'
import { clamp, entries, mean } from './numbers.ts'

/*
 * Made-up rules for plausible metrics. The rules have no medical basis.
 *
 * Each input of a metric is mapped linearly from a worst value (0) to a best value (100). The input is the mean of the last
 * ten scans for a biomarker, and the latest answer for a question. The score is the weighted mean of the known inputs, or
 * null until the user has enough scans. The confidence is 60 % for ten scans (proportionally less for fewer) plus 40 % for
 * the share of answered questions.
 */

type Scale = readonly [worst: number, best: number, weight: number]

interface MetricRule {
  scansNeeded: number
  biomarkers: Partial<Record<BiomarkerName, Scale>>
  answers: Partial<Record<LookupKey, Scale>>
}

const rules: Record<MetricName, MetricRule> = {
  energy_balance: {
    scansNeeded: 3,
    biomarkers: { heart_rate: [98, 52, 2], heart_rate_variability: [5, 85, 2] },
    answers: { daily_activities: [1, 5, 2], average_sleep_hours: [1, 5, 1], weight: [120, 60, 1] },
  },
  general_fitness: {
    scansNeeded: 3,
    biomarkers: { heart_rate: [98, 50, 3], heart_rate_variability: [5, 90, 2] },
    answers: {
      hours_sport_week: [1, 5, 3],
      daily_activities: [1, 5, 1],
      balance_coordination: [1, 5, 1],
      smoking: [1, 0, 1],
    },
  },
  hypertension: {
    scansNeeded: 3,
    biomarkers: { systolic_blood_pressure: [160, 105, 3], diastolic_blood_pressure: [100, 66, 3] },
    answers: { parental_hypertension: [1, 0, 1], smoking: [1, 0, 1] },
  },
  mental_health_risk: {
    scansNeeded: 5,
    biomarkers: { heart_rate_variability: [5, 85, 2], resonant_breathing_score: [5, 80, 1] },
    answers: { struggling_irritations_last_month: [5, 1, 2], things_your_way_last_month: [1, 5, 2] },
  },
  mental_stress: {
    scansNeeded: 2,
    biomarkers: { heart_rate_variability: [5, 85, 2], respiratory_rate: [22, 11, 1] },
    answers: { feeling_stressed_last_month: [5, 1, 3] },
  },
  sleep_quality: {
    scansNeeded: 4,
    biomarkers: { heart_rate: [95, 52, 1], heart_rate_variability: [5, 85, 1] },
    answers: { average_sleep_hours: [1, 5, 2], nightly_wake_ups: [5, 1, 2] },
  },
}

export const mostScansNeeded = Math.max(...Object.values(rules).map(({ scansNeeded }) => scansNeeded))

/** The health from all answers and the scans before `untilMs` (default: all scans). Without scans, `updatedAtMs` is undefined. */
export function readHealth(store: Store, userId: string, untilMs?: number) {
  const scans = recentScans(store, userId, untilMs)
  const { values, answeredAtMs } = latestAnswers(store, userId)
  const [latest] = scans
  const scored = metricNames.map((name) => [name, scoreMetric(rules[name], scans, values)])
  return {
    metrics: Object.fromEntries(scored) as Record<MetricName, ReturnType<typeof scoreMetric>>,
    scans,
    updatedAtMs: latest && Math.max(latest.taken_at_ms, answeredAtMs ?? 0),
  }
}

function scoreMetric(rule: MetricRule, scans: readonly ScanRecord[], answers: Answers) {
  if (scans.length < rule.scansNeeded) return null
  const measured = entries(rule.biomarkers).map(([name, scale]) =>
    toPart(mean(scans.map((scan) => scan[name])), scale),
  )
  const questions = entries(rule.answers)
  const answered = questions.flatMap(([key, scale]) => {
    const value = answers[key]
    return value === undefined ? [] : [toPart(value, scale)]
  })
  const parts = [...measured, ...answered]
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const score = parts.reduce((sum, part) => sum + part.percent * part.weight, 0) / weight
  const confidence = (60 * scans.length) / recentScanCount + (40 * answered.length) / questions.length
  return { score: rounded(score), confidence: rounded(confidence) }
}

function toPart(value: number, [worst, best, weight]: Scale): { percent: number; weight: number } {
  return { percent: clamp(((value - worst) / (best - worst)) * 100), weight }
}
