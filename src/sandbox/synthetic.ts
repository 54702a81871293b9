import { createHash, randomInt, randomUUID } from 'node:crypto'
import { dayMs } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames } from '../contract/biomarkers.ts'
import { type Biomarkers, findUser, insertScans, type ScanRecord, type UserIdentifier } from './records.ts'
import { mean } from './scores/numbers.ts'
import type { Store } from './store.ts'

function seededRandom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  // Mulberry32, a small random number generator. It is good enough for synthetic data.
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface Model {
  /** The average value of each person is in this range. */
  usual: readonly [low: number, high: number]
  /** Standard deviation of the daily value from the average of the person. */
  spread: number
  /** Change of the value on a stressful day. */
  tension: number
  decimals: number
}

const models: Record<BiomarkerName, Model> = {
  heart_rate: { usual: [56, 78], spread: 2.5, tension: 3, decimals: 1 },
  respiratory_rate: { usual: [12.5, 17], spread: 0.7, tension: 0.8, decimals: 1 },
  heart_rate_variability: { usual: [32, 85], spread: 6, tension: -7, decimals: 1 },
  resonant_breathing_score: { usual: [35, 75], spread: 6, tension: -6, decimals: 1 },
  systolic_blood_pressure: { usual: [110, 134], spread: 3, tension: 3, decimals: 0 },
  diastolic_blood_pressure: { usual: [68, 85], spread: 2, tension: 2, decimals: 0 },
}

/** Number of days after which a deviation from the average has decreased by half. */
const halfLifeDays = 2

/** Biomarkers for the days. Each person has averages. Neighboring days have similar deviations. A stressful day changes all values. */
function synthesize(seed: string, days: readonly number[], known?: Biomarkers): Biomarkers[] {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const averages = biomarkerNames.map((name) => {
    const [low, high] = models[name].usual
    return known?.[name] ?? low + (high - low) * random()
  })
  const strays = biomarkerNames.map(normal)
  let tension = normal()
  return days.map((day, index) => {
    const elapsed = index === 0 ? 0 : day - (days[index - 1] ?? day)
    const kept = 0.5 ** (elapsed / halfLifeDays)
    const drift = (value: number) => kept * value + Math.sqrt(1 - kept * kept) * normal()
    tension = drift(tension)
    const values = biomarkerNames.map((name, position) => {
      strays[position] = drift(strays[position] ?? 0)
      return [name, toValue(name, averages[position] ?? 0, strays[position] ?? 0, tension)]
    })
    return Object.fromEntries(values) as Biomarkers
  })
}

/** Values for the next scan. They are close to earlier scans if there are any. */
export function synthesizeNext(previous: readonly Biomarkers[]): Biomarkers {
  const averages = biomarkerNames.map((name) => [name, mean(previous.map((scan) => scan[name]))])
  const known = previous.length > 0 ? (Object.fromEntries(averages) as Biomarkers) : undefined
  const [scan] = synthesize(randomUUID(), [0], known)
  if (!scan) throw new Error('no scan was generated')
  return scan
}

function toValue(name: BiomarkerName, average: number, stray: number, tension: number): number {
  const { spread, tension: pull, decimals } = models[name]
  const [low, high] = biomarkerFacts[name].plausible
  const value = Math.min(Math.max(average + stray * spread + tension * pull, low), high)
  return Number(value.toFixed(decimals))
}

interface ScanRequest {
  user: UserIdentifier
  count: number
  /** Number of days over which the scans are spread. The last scan is at `now`. */
  days: number
  /** The same seed and user produce the same values. */
  seed?: number | undefined
  now: number
}

/** Stores synthetic face scans of a user, oldest first. Throws `not_found` for an unknown user. */
export function recordScans(store: Store, request: ScanRequest): ScanRecord[] {
  const { user, count, days, seed: chosen = randomInt(2 ** 31), now } = request
  const id = 'user_id' in user ? user.user_id : user.external_user_id
  const seed = `${chosen}:${id}`
  return store.transaction(() => {
    const found = findUser(store, user)
    if (!found) throw new FacescanError('not_found', `user "${id}" not found in the sandbox`)
    const moments = spread(count, days, seed)
    const scans = synthesize(seed, moments).map((biomarkers, index) => ({
      ...biomarkers,
      taken_at_ms: Math.round(now + (moments[index] ?? 0) * dayMs),
    }))
    return insertScans(store, found.user_id, scans)
  })
}

/** Times of scans in days before now (negative), oldest first. Each time except the last has a small random shift. */
function spread(count: number, days: number, seed: string): number[] {
  const random = seededRandom(`moments:${seed}`)
  const step = days / count
  return Array.from({ length: count }, (_, index) => {
    const left = count - 1 - index
    return left === 0 ? 0 : -(left + (random() - 0.5) * 0.4) * step
  })
}
