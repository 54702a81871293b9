import { rounded } from '../../base/functions.ts'
import { biomarkerFacts } from '../../contract/biomarkers.ts'
import type { UnitSystem } from '../../contract/values.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../message.ts'
import {
  deleteUser,
  insertUser,
  latestAnswers,
  recentScans,
  requireUser,
  type ScanRecord,
  type UserFields,
  type UserRecord,
  updateUser,
} from '../records.ts'
import { mean } from '../scores/numbers.ts'
import type { Store } from '../store.ts'

export const users: Handlers['users'] = {
  create({ service, body }) {
    const { external_user_id, ...sent } = body
    const { store, now } = service
    const user = insertUser(store, external_user_id, { ...newUser, ...(sent as Partial<UserFields>) }, now())
    if (!user) throw alreadyExists()
    return { status: 201, body: toReply(user, store.customer) }
  },

  get({ service, user }) {
    return {
      status: 200,
      body: { ...toReply(user, service.store.customer), ...bodyDetails(service.store, user) },
    }
  },

  update({ service, params, body }) {
    const { external_user_id, ...sent } = body
    const { store } = service
    return store.transaction(() => {
      const user = { ...requireUser(store, params.user_id), ...(sent as Partial<UserFields>) }
      if (!updateUser(store, user, external_user_id)) throw alreadyExists()
      return { status: 200, body: toReply(user, store.customer) }
    })
  },

  async authenticate({ service, user }) {
    const { issueToken } = await import('../tokens.ts')
    const token = await issueToken(service.store.tokenSecret, {
      userId: user.user_id,
      audience: 'api',
      nowMs: service.now(),
    })
    return { status: 201, body: { token } }
  },

  delete({ service, user }) {
    deleteUser(service.store, user.user_id)
    return { status: 204, body: null }
  },
}

const newUser: UserFields = { birth_date: null, sex: null, language: 'en', preferred_unit_system: null }

/** The response for a user. It has no external user ID, because the store contains only a hash of it (spec 2.1). */
function toReply(user: UserRecord, customer: string) {
  return { ...user, customer, external_user_id: null }
}

function alreadyExists(): Refusal {
  return new Refusal(400, 'a user with this external_user_id already exists')
}

const display: Record<UnitSystem, Record<'weight' | 'height', { unit: string; perMetric: number }>> = {
  metric: { weight: { unit: 'kg', perMetric: 1 }, height: { unit: 'cm', perMetric: 1 } },
  imperial: {
    weight: { unit: 'lb', perMetric: 1 / 0.45359237 },
    height: { unit: 'in', perMetric: 1 / 2.54 },
  },
}

/**
 * Weight and height from the latest answers, in the user's units, and `hypertension`. `hypertension` follows from the mean blood pressure
 * of the last ten scans: 0 below the elevated zones, 1 in an elevated zone, and 2 in a high zone. Unknown values are omitted (spec 2.1).
 */
function bodyDetails(store: Store, user: UserRecord) {
  const { values } = latestAnswers(store, user.user_id)
  const units = display[user.preferred_unit_system ?? 'metric']
  const measures = (['weight', 'height'] as const).flatMap((name) => {
    const stored = values[name]
    const { unit, perMetric } = units[name]
    return stored === undefined ? [] : [[name, { value: rounded(stored * perMetric), unit }] as const]
  })
  const scans = recentScans(store, user.user_id)
  return {
    ...Object.fromEntries(measures),
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
