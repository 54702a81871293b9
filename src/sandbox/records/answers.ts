import { randomUUID } from 'node:crypto'
import type { LookupKey } from '../../contract/values.ts'
import type { Store } from '../store.ts'
import { requireUser } from './users.ts'

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
