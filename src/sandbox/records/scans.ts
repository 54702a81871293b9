import { randomUUID } from 'node:crypto'
import { type BiomarkerName, biomarkerNames, type Order } from '../../contract/values.ts'
import type { Store } from '../store.ts'

export type Biomarkers = Record<BiomarkerName, number>

export interface ScanRecord extends Biomarkers {
  face_scan_id: string
  taken_at_ms: number
}

export interface ScanFilter {
  startMs?: number | undefined
  endMs?: number | undefined
  order: Order
  count: number
}

const columns = ['face_scan_id', 'taken_at_ms', ...biomarkerNames].join(', ')

/** Stores all scans or none, and returns them with their IDs. */
export function insertScans(
  store: Store,
  userId: string,
  scans: readonly (Biomarkers & { taken_at_ms: number })[],
): ScanRecord[] {
  const marks = biomarkerNames.map(() => '?').join(', ')
  const statement = store.database.prepare(
    `insert into scan (user_id, ${columns}) values (?, ?, ?, ${marks})`,
  )
  return store.database.transaction(() =>
    scans.map((scan) => {
      const record = { face_scan_id: randomUUID(), ...scan }
      const values = biomarkerNames.map((name) => scan[name])
      statement.run(userId, record.face_scan_id, scan.taken_at_ms, ...values)
      return record
    }),
  )
}

export function findScan(store: Store, userId: string, faceScanId: string): ScanRecord | undefined {
  return store.database
    .prepare<ScanRecord>(`select ${columns} from scan where user_id = ? and face_scan_id = ?`)
    .get(userId, faceScanId)
}

export function listScans(store: Store, userId: string, filter: ScanFilter): ScanRecord[] {
  const direction = filter.order === 'asc' ? 'asc' : 'desc'
  return store.database
    .prepare<ScanRecord>(
      `select ${columns} from scan where user_id = ? and taken_at_ms > ? and taken_at_ms < ?
       order by taken_at_ms ${direction}, rowid ${direction} limit ?`,
    )
    .all(
      userId,
      filter.startMs ?? Number.MIN_SAFE_INTEGER,
      filter.endMs ?? Number.MAX_SAFE_INTEGER,
      filter.count,
    )
}
