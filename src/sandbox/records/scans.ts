import { randomUUID } from 'node:crypto'
import { type BiomarkerName, biomarkerNames } from '../../contract/biomarkers.ts'
import type { Order } from '../../contract/values.ts'
import type { Store } from '../store.ts'
import { requireUser } from './users.ts'

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

const names = ['face_scan_id', 'taken_at_ms', ...biomarkerNames]
const columns = names.join(', ')

/** Stores all scans or none, and returns them with their IDs. */
export function insertScans(
  store: Store,
  userId: string,
  scans: readonly (Biomarkers & { taken_at_ms: number })[],
): ScanRecord[] {
  const values = names.map((name) => `:${name}`).join(', ')
  return store.transaction(() => {
    requireUser(store, userId)
    return scans.map((scan) => {
      const record = { face_scan_id: randomUUID(), ...scan }
      store.run(`insert into scan (user_id, ${columns}) values (:user_id, ${values})`, {
        user_id: userId,
        ...record,
      })
      return record
    })
  })
}

export function findScan(store: Store, userId: string, faceScanId: string): ScanRecord | undefined {
  return store.get(`select ${columns} from scan where user_id = ? and face_scan_id = ?`, userId, faceScanId)
}

export function listScans(store: Store, userId: string, filter: ScanFilter): ScanRecord[] {
  const { startMs = Number.MIN_SAFE_INTEGER, endMs = Number.MAX_SAFE_INTEGER, order, count } = filter
  return store.all(
    `select ${columns} from scan where user_id = ? and taken_at_ms > ? and taken_at_ms < ?
     order by taken_at_ms ${order}, rowid ${order} limit ?`,
    ...[userId, startMs, endMs, count],
  )
}

/** Maximum number of recent scans for the calculation of scores. */
export const recentScanCount = 10

export function recentScans(store: Store, userId: string, endMs?: number): ScanRecord[] {
  return listScans(store, userId, { order: 'desc', count: recentScanCount, endMs })
}
