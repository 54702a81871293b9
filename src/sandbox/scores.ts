import {
  type BiomarkerName,
  biomarkerFacts,
  type LookupKey,
  type MetricName,
  metricNames,
  type SummaryProfile,
  type UnitSystem,
} from '../contract/values.ts'
import { type Answers, latestAnswers } from './records/answers.ts'
import { listScans, type ScanRecord } from './records/scans.ts'
import type { UserRecord } from './records/users.ts'
import type { Store } from './store.ts'

/*
 * How the sandbox derives scores. The rules are its own: stand-ins that behave plausibly, not medicine.
 *
 * Metric: each input of the metric is placed between a worst value (0) and a best value (100), linearly and clamped.
 * A biomarker counts with the mean of the last ten scans, an answer with the latest one. The score is the weighted mean
 * of the inputs that are known, or null until the metric has the number of scans it needs. Confidence is 60 % for ten
 * scans or more, in proportion below, and 40 % for the share of the metric's questions that were answered.
 *
 * Wellbeing: 50 plus what the mean of the dimension's metrics is above that which is expected at the user's age and sex;
 * 50 and the label U where none of the metrics is known. The label is L below 45, G above 55, else N.
 */

/** Worst and best value, and the weight of an input. */
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

/** With so many scans every metric is known. */
export const mostScansNeeded = Math.max(...Object.values(rules).map(({ scansNeeded }) => scansNeeded))

const dimensions: Record<SummaryProfile, readonly MetricName[]> = {
  physical: ['general_fitness', 'hypertension'],
  mental: ['mental_stress', 'mental_health_risk'],
  energy_sleep: ['energy_balance', 'sleep_quality'],
}

export type Metrics = Record<MetricName, { score: number; confidence: number } | null>

export interface HealthState {
  metrics: Metrics
  scans: readonly ScanRecord[]
  /** When the last scan was taken or the last answer saved; `undefined` for a user without scans. */
  updatedAtMs: number | undefined
}

const scansConsidered = 10

/** What is known of a user's health, from the scans and answers stored until `untilMs`. */
export function readHealth(store: Store, userId: string, untilMs?: number): HealthState {
  const scans = listScans(store, userId, { order: 'desc', count: scansConsidered, endMs: untilMs })
  const { values, answeredAtMs } = latestAnswers(store, userId)
  const [latest] = scans
  return {
    metrics: scoreMetrics(scans, values),
    scans,
    updatedAtMs: latest && Math.max(latest.taken_at_ms, answeredAtMs ?? 0),
  }
}

export function scoreMetrics(scans: readonly ScanRecord[], answers: Answers): Metrics {
  const scored = metricNames.map((name) => [name, scoreMetric(rules[name], scans, answers)])
  return Object.fromEntries(scored) as Metrics
}

function scoreMetric(rule: MetricRule, scans: readonly ScanRecord[], answers: Answers) {
  if (scans.length < rule.scansNeeded) return null
  const measured = entries(rule.biomarkers).map(([name, scale]) =>
    place(mean(scans.map((scan) => scan[name])), scale),
  )
  const questions = entries(rule.answers)
  const told = questions.flatMap(([key, scale]) => {
    const value = answers[key]
    return value === undefined ? [] : [place(value, scale)]
  })
  const parts = [...measured, ...told]
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const score = parts.reduce((sum, part) => sum + part.percent * part.weight, 0) / weight
  const confidence = (60 * scans.length) / scansConsidered + (40 * told.length) / questions.length
  return { score: round(score), confidence: round(confidence) }
}

function place(value: number, [worst, best, weight]: Scale): { percent: number; weight: number } {
  return { percent: clamp(((value - worst) / (best - worst)) * 100), weight }
}

export type Wellbeing = Record<SummaryProfile, number> & { status_label: string }

export type Level = 'unknown' | 'suboptimal' | 'average' | 'optimal'

const labels: Record<Level, string> = { unknown: 'U', suboptimal: 'L', average: 'N', optimal: 'G' }

/** Wellbeing scores (specification, section 2.4); the label's order is physical, mental, energy_sleep. */
export function scoreWellbeing(store: Store, user: UserRecord, nowMs: number): Wellbeing {
  const levels = wellbeingLevels(store, user, nowMs)
  const { physical, mental, energy_sleep } = levels
  return {
    mental: mental.score,
    physical: physical.score,
    energy_sleep: energy_sleep.score,
    status_label: [physical, mental, energy_sleep].map(({ level }) => labels[level]).join(''),
  }
}

/** Score and level of each dimension. */
export function wellbeingLevels(
  store: Store,
  user: UserRecord,
  nowMs: number,
): Record<SummaryProfile, { score: number; level: Level }> {
  const { metrics } = readHealth(store, user.user_id)
  const expected = expectedScore(ageOf(store, user, nowMs), user.sex)
  const scored = entries(dimensions).map(([name, parts]) => {
    const known = parts.flatMap((part) => metrics[part]?.score ?? [])
    if (known.length === 0) return [name, { score: 50, level: 'unknown' }]
    const score = round(clamp(50 + mean(known) - expected))
    return [name, { score, level: levelOf(score) }]
  })
  return Object.fromEntries(scored)
}

function levelOf(score: number): Level {
  if (score < 45) return 'suboptimal'
  return score > 55 ? 'optimal' : 'average'
}

/** The metric score that counts as average: 70 at twenty, a fifth of a point less each year after, two less for men. */
function expectedScore(age: number | undefined, sex: UserRecord['sex']): number {
  const years = Math.min(Math.max(age ?? 40, 20), 90) - 20
  const bySex = sex === null ? 1 : sex === 'M' ? 2 : 0
  return 70 - years / 5 - bySex
}

function ageOf(store: Store, user: UserRecord, nowMs: number): number | undefined {
  if (user.birth_date === null) return latestAnswers(store, user.user_id).values.age
  const yearMs = 365.25 * 24 * 60 * 60 * 1000
  return Math.floor((nowMs - Date.parse(user.birth_date)) / yearMs)
}

type Measure = { value: number; unit: string }

const display: Record<UnitSystem, Record<'weight' | 'height', { unit: string; perMetric: number }>> = {
  metric: { weight: { unit: 'kg', perMetric: 1 }, height: { unit: 'cm', perMetric: 1 } },
  imperial: {
    weight: { unit: 'lb', perMetric: 1 / 0.45359237 },
    height: { unit: 'in', perMetric: 1 / 2.54 },
  },
}

/**
 * Weight and height as last answered, in the user's units, and `hypertension`: 0 where the mean pressure of the last ten
 * scans is below the elevated zones, 1 in an elevated zone, 2 in a high one. What is not known is null.
 */
export function bodyDetails(store: Store, user: UserRecord) {
  const { values } = latestAnswers(store, user.user_id)
  const units = display[user.preferred_unit_system ?? 'metric']
  const measure = (name: 'weight' | 'height'): Measure | null => {
    const stored = values[name]
    const { unit, perMetric } = units[name]
    return stored === undefined ? null : { value: round(stored * perMetric), unit }
  }
  const scans = listScans(store, user.user_id, { order: 'desc', count: scansConsidered })
  return { weight: measure('weight'), height: measure('height'), hypertension: pressureZone(scans) }
}

function pressureZone(scans: readonly ScanRecord[]): number | null {
  if (scans.length === 0) return null
  const zones = (['systolic_blood_pressure', 'diastolic_blood_pressure'] as const).map((name) => {
    const value = mean(scans.map((scan) => scan[name]))
    return biomarkerFacts[name].zones.filter(({ from = 0 }) => value >= from).length
  })
  return Math.max(...zones)
}

/** At most two decimals, without trailing zeros. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 100)
}

function entries<K extends string, V>(record: Partial<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][]
}
