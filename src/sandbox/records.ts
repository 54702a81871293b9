import { randomUUID } from 'node:crypto'
import { type BiomarkerName, biomarkerNames } from '../contract/biomarkers.ts'
import {
  dashed,
  type LookupKey,
  type Order,
  type Sex,
  type UnitSystem,
  type UserLanguage,
} from '../contract/values.ts'
import { Refusal } from './message.ts'
import type { Store } from './store.ts'

/** The fields of a user that a caller can set (spec 2.1). */
export interface UserFields {
  birth_date: string | null
  sex: Sex | null
  language: UserLanguage | null
  preferred_unit_system: UnitSystem | null
}

export interface UserRecord extends UserFields {
  user_id: string
}

const userColumns = 'user_id, birth_date, sex, language, preferred_unit_system'

/** Stores a user. Returns undefined if another user has the external user ID. */
export function insertUser(
  store: Store,
  externalUserId: string | undefined,
  fields: UserFields,
  nowMs: number,
): UserRecord | undefined {
  const user = { user_id: randomUUID(), ...fields }
  const changes = store.run(
    `insert into user (${userColumns}, external_hash, created_at_ms)
     values (:user_id, :birth_date, :sex, :language, :preferred_unit_system, :external_hash, :created_at_ms)
     on conflict (external_hash) do nothing`,
    { ...user, external_hash: hashOf(store, externalUserId), created_at_ms: nowMs },
  )
  return changes === 1 ? user : undefined
}

function hashOf(store: Store, externalUserId: string | undefined): string | null {
  return externalUserId === undefined ? null : store.hashExternalId(externalUserId)
}

export type UserIdentifier = { user_id: string } | { external_user_id: string }

export function findUser(store: Store, id: UserIdentifier): UserRecord | undefined {
  const [column, value] =
    'user_id' in id
      ? ['user_id', dashed(id.user_id)]
      : ['external_hash', store.hashExternalId(id.external_user_id)]
  return store.get(`select ${userColumns} from user where ${column} = ?`, value)
}

/** Reads a user inside a transaction. Another process can delete the user after the request was checked. */
export function requireUser(store: Store, userId: string): UserRecord {
  const user = findUser(store, { user_id: userId })
  if (user) return user
  throw new Refusal(404, 'user not found')
}

/** Stores all fields of a user. Returns false and changes nothing if the new external user ID belongs to another user. */
export function updateUser(store: Store, user: UserRecord, externalUserId: string | undefined): boolean {
  const changes = store.run(
    `update or ignore user set external_hash = coalesce(:external_hash, external_hash), birth_date = :birth_date,
     sex = :sex, language = :language, preferred_unit_system = :preferred_unit_system where user_id = :user_id`,
    { ...user, external_hash: hashOf(store, externalUserId) },
  )
  return changes === 1
}

export function deleteUser(store: Store, userId: string): void {
  store.run('delete from user where user_id = ?', userId)
}

export type Biomarkers = Record<BiomarkerName, number>

export interface ScanRecord extends Biomarkers {
  face_scan_id: string
  taken_at_ms: number
}

interface ScanFilter {
  startMs?: number | undefined
  endMs?: number | undefined
  order: Order
  count: number
}

const scanFields = ['face_scan_id', 'taken_at_ms', ...biomarkerNames]
const scanColumns = scanFields.join(', ')

/** Stores all scans or none, and returns them with their IDs. */
export function insertScans(
  store: Store,
  userId: string,
  scans: readonly (Biomarkers & { taken_at_ms: number })[],
): ScanRecord[] {
  const values = scanFields.map((name) => `:${name}`).join(', ')
  return store.transaction(() => {
    requireUser(store, userId)
    return scans.map((scan) => {
      const record = { face_scan_id: randomUUID(), ...scan }
      store.run(`insert into scan (user_id, ${scanColumns}) values (:user_id, ${values})`, {
        user_id: userId,
        ...record,
      })
      return record
    })
  })
}

export function findScan(store: Store, userId: string, faceScanId: string): ScanRecord | undefined {
  return store.get(
    `select ${scanColumns} from scan where user_id = ? and face_scan_id = ?`,
    userId,
    faceScanId,
  )
}

export function listScans(store: Store, userId: string, filter: ScanFilter): ScanRecord[] {
  const { startMs = Number.MIN_SAFE_INTEGER, endMs = Number.MAX_SAFE_INTEGER, order, count } = filter
  return store.all(
    `select ${scanColumns} from scan where user_id = ? and taken_at_ms > ? and taken_at_ms < ?
     order by taken_at_ms ${order}, rowid ${order} limit ?`,
    ...[userId, startMs, endMs, count],
  )
}

/** Maximum number of recent scans for the calculation of scores. */
export const recentScanCount = 10

export function recentScans(store: Store, userId: string, endMs?: number): ScanRecord[] {
  return listScans(store, userId, { order: 'desc', count: recentScanCount, endMs })
}

export interface AnswerFields {
  lookup_key: string
  value: number
  timezone: string
}

export interface AnswerRecord extends AnswerFields {
  health_scan_id: string
  answered_at_ms: number
}

/** Stores all answers or none. They belong to the user's latest face scan. Without a face scan, they belong to a new health scan. */
export function insertAnswers(
  store: Store,
  userId: string,
  answers: readonly AnswerFields[],
  nowMs: number,
): void {
  store.transaction(() => {
    requireUser(store, userId)
    const latest = store.get<{ face_scan_id: string }>(
      'select face_scan_id from scan where user_id = ? order by taken_at_ms desc, rowid desc limit 1',
      userId,
    )
    const shared = {
      user_id: userId,
      health_scan_id: latest?.face_scan_id ?? randomUUID(),
      answered_at_ms: nowMs,
    }
    for (const { lookup_key, value, timezone } of answers)
      store.run(
        `insert into answer (user_id, lookup_key, value, timezone, health_scan_id, answered_at_ms)
         values (:user_id, :lookup_key, :value, :timezone, :health_scan_id, :answered_at_ms)`,
        { ...shared, lookup_key, value, timezone },
      )
  })
}

/** One page of a user's answers, oldest first, and the total number. */
export function listAnswers(store: Store, userId: string, page: number, pageSize: number) {
  const items = store.all<AnswerRecord>(
    `select lookup_key, value, timezone, health_scan_id, answered_at_ms from answer
     where user_id = ? order by sequence limit ? offset ?`,
    ...[userId, pageSize, (page - 1) * pageSize],
  )
  const count = 'select count(*) as total from answer where user_id = ?'
  return { items, total: store.get<{ total: number }>(count, userId)?.total ?? 0 }
}

export type Answers = Partial<Record<LookupKey, number>>

/** The latest value of each answered question, and the time of the latest answer. */
export function latestAnswers(store: Store, userId: string) {
  const rows = store.all<{ lookup_key: LookupKey; value: number; answered_at_ms: number }>(
    `select lookup_key, value, answered_at_ms from answer
     where sequence in (select max(sequence) from answer where user_id = ? group by lookup_key)`,
    userId,
  )
  const values: Answers = Object.fromEntries(rows.map(({ lookup_key, value }) => [lookup_key, value]))
  const times = rows.map(({ answered_at_ms }) => answered_at_ms)
  return { values, answeredAtMs: times.length > 0 ? Math.max(...times) : undefined }
}
