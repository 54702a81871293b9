import { randomUUID } from 'node:crypto'
import { dashed, type Sex, type UnitSystem, type UserLanguage } from '../../contract/values.ts'
import { Refusal } from '../message.ts'
import type { Store } from '../store.ts'

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

const columns = 'user_id, birth_date, sex, language, preferred_unit_system'

/** Stores a user. Returns undefined if another user has the external user ID. */
export function insertUser(
  store: Store,
  externalUserId: string | undefined,
  fields: UserFields,
  nowMs: number,
): UserRecord | undefined {
  const user = { user_id: randomUUID(), ...fields }
  const changes = store.run(
    `insert into user (${columns}, external_hash, created_at_ms)
     values (:user_id, :birth_date, :sex, :language, :preferred_unit_system, :external_hash, :created_at_ms)
     on conflict (external_hash) do nothing`,
    { ...user, external_hash: hashOf(store, externalUserId), created_at_ms: nowMs },
  )
  return changes === 1 ? user : undefined
}

function hashOf(store: Store, externalUserId: string | undefined): string | null {
  return externalUserId === undefined ? null : store.hashExternalId(externalUserId)
}

export function findUser(store: Store, userId: string): UserRecord | undefined {
  return store.get(`select ${columns} from user where user_id = ?`, dashed(userId))
}

/** Reads a user inside a transaction. Another process can delete the user after the request was checked. */
export function requireUser(store: Store, userId: string): UserRecord {
  const user = findUser(store, userId)
  if (user) return user
  throw new Refusal(404, 'user not found')
}

export function findUserByExternalId(store: Store, externalUserId: string): UserRecord | undefined {
  return store.get(
    `select ${columns} from user where external_hash = ?`,
    store.hashExternalId(externalUserId),
  )
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
