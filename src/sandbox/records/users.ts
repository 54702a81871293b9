import { randomUUID } from 'node:crypto'
import { dashed, type Sex, type UnitSystem, type UserLanguage } from '../../contract/values.ts'
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

/** Stores a user. Returns undefined if another user has the external ID. */
export function insertUser(
  store: Store,
  externalUserId: string | undefined,
  fields: UserFields,
  nowMs: number,
): UserRecord | undefined {
  const user = { user_id: randomUUID(), ...fields }
  const { changes } = store.database
    .prepare(`insert into user (${columns}, external_hash, created_at_ms) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (external_hash) do nothing`)
    .run(
      user.user_id,
      user.birth_date,
      user.sex,
      user.language,
      user.preferred_unit_system,
      externalUserId === undefined ? null : store.hashExternalId(externalUserId),
      nowMs,
    )
  return Number(changes) === 1 ? user : undefined
}

export function findUser(store: Store, userId: string): UserRecord | undefined {
  return store.database
    .prepare<UserRecord>(`select ${columns} from user where user_id = ?`)
    .get(dashed(userId))
}

export function findUserByExternalId(store: Store, externalUserId: string): UserRecord | undefined {
  return store.database
    .prepare<UserRecord>(`select ${columns} from user where external_hash = ?`)
    .get(store.hashExternalId(externalUserId))
}

/** Stores all fields of a user. Returns false, without a change, if another user has the new external ID. */
export function updateUser(store: Store, user: UserRecord, externalUserId: string | undefined): boolean {
  const { changes } = store.database
    .prepare(`update or ignore user set external_hash = coalesce(?, external_hash),
      birth_date = ?, sex = ?, language = ?, preferred_unit_system = ? where user_id = ?`)
    .run(
      externalUserId === undefined ? null : store.hashExternalId(externalUserId),
      user.birth_date,
      user.sex,
      user.language,
      user.preferred_unit_system,
      user.user_id,
    )
  return Number(changes) === 1
}

export function deleteUser(store: Store, userId: string): void {
  store.database.prepare('delete from user where user_id = ?').run(userId)
}
