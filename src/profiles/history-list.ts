import type { Paths } from '../base/system/paths.ts'
import { readHistory } from './history-check.ts'
import type { HistoryLine, Intent, LegacyRecord, OutcomeWord } from './history-line.ts'
import { toUserId } from './user-id.ts'

/** A change as people and scripts see it: its intent together with its outcome. An import has one entry for each. */
export interface HistoryEntry extends Omit<Intent, 'event' | 'is_import' | 'os_user'> {
  sequence: number
  /** Null in a line of version 0.1.0. */
  os_user: string | null
  /** `started`: the start of an import. */
  outcome: OutcomeWord | 'started'
  status: number | null
  request_id: string | null
  previous: string
  hash: string
}

export interface HistoryFilter {
  profile?: string | undefined
  userId?: string | undefined
  /** The keyed hash of an external user id. */
  externalIdHash?: string | undefined
}

/** The latest entries that match the filter, newest first. */
export async function listHistory(
  paths: Paths,
  filter: HistoryFilter,
  count: number,
): Promise<HistoryEntry[]> {
  const entries = new Map<number, HistoryEntry>()
  for await (const { entry } of readHistory(paths)) if (entry) addLine(entries, entry)
  const all = [...entries.values()]
  const isWanted = toFilter(filter, all)
  return all.filter(isWanted).slice(-count).toReversed()
}

function addLine(entries: Map<number, HistoryEntry>, line: HistoryLine): void {
  if (line.event === 'damage') return
  if (line.event !== 'outcome') {
    entries.set(line.sequence, line.event === 'intent' ? fromIntent(line) : fromLegacy(line))
    return
  }
  const { sequence, time, outcome, status, request_id, user_id, detail, intent } = line
  const started = entries.get(intent)
  if (!started) return
  const end = {
    outcome,
    status,
    request_id,
    user_id: user_id ?? started.user_id,
    detail: detail ?? started.detail,
  }
  if (started.outcome === 'started') entries.set(sequence, { ...started, sequence, time, ...end })
  else entries.set(intent, { ...started, ...end })
}

function fromIntent(line: Intent & HistoryLine): HistoryEntry {
  const { event: _, is_import, ...intent } = line
  return { ...intent, outcome: is_import ? 'started' : 'unknown', status: null, request_id: null }
}

function fromLegacy(line: LegacyRecord & HistoryLine): HistoryEntry {
  const { event: _, ...record } = line
  const outcome = line.status === null ? 'unknown' : line.status < 300 ? 'done' : 'failed'
  const unknown = { os_user: null, host: null, user_id: null, external_id_hash: null, detail: null }
  return { ...record, ...unknown, outcome }
}

/** A user is found by either id if one entry contains both. */
function toFilter(filter: HistoryFilter, all: readonly HistoryEntry[]): (entry: HistoryEntry) => boolean {
  const { profile, externalIdHash } = filter
  const userId = toUserId(filter.userId)
  const isUser = (entry: HistoryEntry) =>
    (userId !== undefined && entry.user_id === userId) ||
    (externalIdHash !== undefined && entry.external_id_hash === externalIdHash)
  const known = all.filter(isUser)
  const userIds = new Set(known.map(({ user_id }) => user_id).filter((id) => id !== null))
  const hashes = new Set(known.map(({ external_id_hash }) => external_id_hash).filter((id) => id !== null))
  const isAnyUser = userId === undefined && externalIdHash === undefined
  return (entry) =>
    (profile === undefined || entry.profile === profile) &&
    (isAnyUser || userIds.has(entry.user_id ?? '') || hashes.has(entry.external_id_hash ?? ''))
}
