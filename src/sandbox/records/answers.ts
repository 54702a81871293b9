import { randomUUID } from 'node:crypto'
import { type LookupKey, lookupKeys } from '../../contract/values.ts'
import type { Store } from '../store.ts'
import { listScans } from './scans.ts'

export interface AnswerFields {
  lookup_key: string
  value: number
  timezone: string
}

export interface AnswerRecord extends AnswerFields {
  health_scan_id: string
  answered_at_ms: number
}

/**
 * Stores all answers or none. They belong to the user's latest face scan, or to a new health scan if the user has no face
 * scan.
 */
export function insertAnswers(
  store: Store,
  userId: string,
  answers: readonly AnswerFields[],
  nowMs: number,
): void {
  const statement = store.database.prepare(
    `insert into answer (user_id, lookup_key, value, timezone, health_scan_id, answered_at_ms)
     values (?, ?, ?, ?, ?, ?)`,
  )
  store.database.transaction(() => {
    const [latest] = listScans(store, userId, { order: 'desc', count: 1 })
    const healthScanId = latest?.face_scan_id ?? randomUUID()
    for (const { lookup_key, value, timezone } of answers) {
      statement.run(userId, lookup_key, value, timezone, healthScanId, nowMs)
    }
  })
}

/** One page of a user's answers, oldest first, and the total number. */
export function listAnswers(
  store: Store,
  userId: string,
  page: number,
  pageSize: number,
): { items: AnswerRecord[]; total: number } {
  const items = store.database
    .prepare<AnswerRecord>(
      `select lookup_key, value, timezone, health_scan_id, answered_at_ms from answer
       where user_id = ? order by sequence limit ? offset ?`,
    )
    .all(userId, pageSize, (page - 1) * pageSize)
  const count = store.database.prepare<{ total: number }>(
    'select count(*) as total from answer where user_id = ?',
  )
  return { items, total: count.get(userId)?.total ?? 0 }
}

export type Answers = Partial<Record<LookupKey, number>>

/** The latest value for each answered question, and the time of the latest answer. */
export function latestAnswers(
  store: Store,
  userId: string,
): { values: Answers; answeredAtMs: number | undefined } {
  const latest = store.database.prepare<{ lookup_key: LookupKey; value: number; answered_at_ms: number }>(
    `select lookup_key, value, answered_at_ms from answer
     where user_id = ? and lookup_key = ? order by sequence desc limit 1`,
  )
  const rows = lookupKeys.flatMap((key) => latest.get(userId, key) ?? [])
  const values = Object.fromEntries(rows.map((row) => [row.lookup_key, row.value])) as Answers
  const times = rows.map(({ answered_at_ms }) => answered_at_ms)
  return { values, answeredAtMs: times.length > 0 ? Math.max(...times) : undefined }
}
