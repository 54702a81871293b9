import { biomarkerNames } from '../../contract/biomarkers.ts'
import { dashed } from '../../contract/values.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../message.ts'
import { findScan, listScans, type ScanRecord } from '../records.ts'
import { parseTime, utcTimestamp } from '../time.ts'

export const biomarkers: Handlers['biomarkers'] = {
  get({ service, user, params }) {
    const scan = findScan(service.store, user.user_id, dashed(params.face_scan_id))
    if (!scan) throw new Refusal(404, 'face scan not found')
    return { status: 200, body: toReply(scan) }
  },

  list({ service, user, query }) {
    const { start, end, order, count } = query
    const scans = listScans(service.store, user.user_id, {
      startMs: start === undefined ? undefined : parseTime(start),
      endMs: end === undefined ? undefined : parseTime(end),
      order,
      count,
    })
    return { status: 200, body: scans.map(toReply) }
  },

  latest({ service, user, query }) {
    const scans = listScans(service.store, user.user_id, { order: 'desc', count: query.count })
    return { status: 200, body: scans.map(toReply) }
  },
}

function toReply(scan: ScanRecord) {
  const { face_scan_id, taken_at_ms, ...values } = scan
  return {
    face_scan_id,
    ...(Object.fromEntries(biomarkerNames.map((name) => [name, values[name]])) as typeof values),
    timestamp_epoch: Math.floor(taken_at_ms / 1000),
    timestamp: utcTimestamp(taken_at_ms),
  }
}
