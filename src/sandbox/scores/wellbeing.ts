import { dayMs } from '../../base/clock.ts'
import { rounded } from '../../base/functions.ts'
import type { MetricName } from '../../contract/biomarkers.ts'
import { type SummaryProfile, summaryProfiles } from '../../contract/values.ts'
import { latestAnswers, type UserRecord } from '../records.ts'
import type { Store } from '../store.ts'
import { readHealth } from './metrics.ts'
import { clamp, entries, mean } from './numbers.ts'

/*
 * Made-up rule: wellbeing is 50 plus the mean of the dimension's metrics minus the expected score for the user's age and sex. The label
 * is L below 45, G above 55, otherwise N. Without known metrics, wellbeing is 50 with the label U.
 */

const dimensions: Record<SummaryProfile, readonly MetricName[]> = {
  physical: ['general_fitness', 'hypertension'],
  mental: ['mental_stress', 'mental_health_risk'],
  energy_sleep: ['energy_balance', 'sleep_quality'],
}

export type Level = 'unknown' | 'below average' | 'average' | 'above average'

const labels: Record<Level, string> = {
  unknown: 'U',
  'below average': 'L',
  average: 'N',
  'above average': 'G',
}

/** Wellbeing scores (spec 2.4). The label has one letter each for physical, mental, and energy_sleep, in this order. */
export function scoreWellbeing(store: Store, user: UserRecord, nowMs: number) {
  const levels = wellbeingLevels(store, user, nowMs)
  const { mental, physical, energy_sleep } = levels
  const status_label = summaryProfiles.map((name) => labels[levels[name].level]).join('')
  return { mental: mental.score, physical: physical.score, energy_sleep: energy_sleep.score, status_label }
}

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
    const score = rounded(clamp(50 + mean(known) - expected))
    const level: Level = score < 45 ? 'below average' : score > 55 ? 'above average' : 'average'
    return [name, { score, level }]
  })
  return Object.fromEntries(scored)
}

/** Score of 70 at age 20, minus 0.2 for each later year, and minus 2 for men or 1 for an unknown sex. An unknown age counts as 40. */
function expectedScore(age: number | undefined, sex: UserRecord['sex']): number {
  const years = Math.min(Math.max(age ?? 40, 20), 90) - 20
  const bySex = sex === null ? 1 : sex === 'M' ? 2 : 0
  return 70 - years / 5 - bySex
}

function ageOf(store: Store, user: UserRecord, nowMs: number): number | undefined {
  if (user.birth_date === null) return latestAnswers(store, user.user_id).values.age
  return Math.floor((nowMs - Date.parse(user.birth_date)) / (365.25 * dayMs))
}
