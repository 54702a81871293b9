import { biomarkerFacts } from '../../contract/biomarkers.ts'
import type { UnitSystem } from '../../contract/values.ts'
import { latestAnswers } from '../records/answers.ts'
import { recentScans, type ScanRecord } from '../records/scans.ts'
import type { UserRecord } from '../records/users.ts'
import type { Store } from '../store.ts'
import { mean, round } from './numbers.ts'

type Measure = { value: number; unit: string }

const display: Record<UnitSystem, Record<'weight' | 'height', { unit: string; perMetric: number }>> = {
  metric: { weight: { unit: 'kg', perMetric: 1 }, height: { unit: 'cm', perMetric: 1 } },
  imperial: {
    weight: { unit: 'lb', perMetric: 1 / 0.45359237 },
    height: { unit: 'in', perMetric: 1 / 2.54 },
  },
}

/**
 * Weight and height from the latest answers, in the user's units, and `hypertension`. The value of `hypertension` depends on the mean blood
 * pressure of the last ten scans: 0 below the elevated zones, 1 in an elevated zone, and 2 in a high zone. Unknown values are omitted (spec
 * 2.1).
 */
export function bodyDetails(store: Store, user: UserRecord) {
  const { values } = latestAnswers(store, user.user_id)
  const units = display[user.preferred_unit_system ?? 'metric']
  const measure = (name: 'weight' | 'height'): Partial<Record<typeof name, Measure>> => {
    const stored = values[name]
    const { unit, perMetric } = units[name]
    return stored === undefined ? {} : { [name]: { value: round(stored * perMetric), unit } }
  }
  const scans = recentScans(store, user.user_id)
  return {
    ...measure('weight'),
    ...measure('height'),
    ...(scans.length > 0 && { hypertension: pressureZone(scans) }),
  }
}

function pressureZone(scans: readonly ScanRecord[]): number {
  const zones = (['systolic_blood_pressure', 'diastolic_blood_pressure'] as const).map((name) => {
    const value = mean(scans.map((scan) => scan[name]))
    return biomarkerFacts[name].zones.filter(({ from = 0 }) => value >= from).length
  })
  return Math.max(...zones)
}
