import { randomInt } from 'node:crypto'
import { dayMs } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
import { insertScans, type ScanRecord } from './records/scans.ts'
import { findUser, findUserByExternalId, type UserRecord } from './records/users.ts'
import type { Store } from './store.ts'
import { seededRandom, synthesize } from './synthetic.ts'

type UserReference = { external_user_id: string } | { user_id: string }

interface ScanRequest {
  user: UserReference
  count: number
  /** Number of days over which the scans are spread evenly. The last scan is at `now`. */
  days: number
  /** The same seed and user produce the same values. */
  seed?: number | undefined
  now: number
}

/** Stores synthetic face scans of a user, oldest first. Throws `not_found` for an unknown user. */
export function recordScans(store: Store, request: ScanRequest): ScanRecord[] {
  return store.transaction(() => insertSynthetic(store, request))
}

function insertSynthetic(store: Store, request: ScanRequest): ScanRecord[] {
  const user = findReferred(store, request.user)
  const [identifier] = Object.values(request.user)
  const seed = `${request.seed ?? randomInt(2 ** 31)}:${identifier}`
  const moments = spread(request.count, request.days, seed)
  const values = synthesize(seed, moments)
  const scans = values.map((biomarkers, index) => ({
    ...biomarkers,
    taken_at_ms: Math.round(request.now + (moments[index] ?? 0) * dayMs),
  }))
  return insertScans(store, user.user_id, scans)
}

/** Scan times in days before now, oldest first, with small random shifts. */
function spread(count: number, days: number, seed: string): number[] {
  const random = seededRandom(`moments:${seed}`)
  const step = days / count
  return Array.from({ length: count }, (_, index) => {
    const left = count - 1 - index
    return left === 0 ? 0 : -(left + (random() - 0.5) * 0.4) * step
  })
}

function findReferred(store: Store, user: UserReference): UserRecord {
  const found =
    'user_id' in user ? findUser(store, user.user_id) : findUserByExternalId(store, user.external_user_id)
  if (found) return found
  const id = 'user_id' in user ? user.user_id : user.external_user_id
  throw new FacescanError('not_found', `user "${id}" not found in the sandbox`)
}
