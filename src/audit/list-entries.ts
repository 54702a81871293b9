import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Paths } from '../base/paths.ts'
import { toUuid } from '../contract/values.ts'
import { type Entry, type Intent, parseLine } from './entry.ts'
import { assertOwnLog, listLogFiles } from './files.ts'
import type { Change } from './schemas.ts'

/** The entries of the log, oldest first; undefined for a line that is damaged. */
export async function* readEntries({ state }: Paths): AsyncGenerator<Entry | undefined> {
  if (state === undefined) return
  await assertOwnLog(state)
  for (const path of await listLogFiles(state)) {
    if (!existsSync(path)) continue
    for await (const line of createInterface({ input: createReadStream(path) }))
      if (line !== '') yield parseLine(line)
  }
}

export async function countEntries(paths: Paths): Promise<{ entries: number; damaged: number }> {
  const counts = { entries: 0, damaged: 0 }
  for await (const entry of readEntries(paths)) counts[entry ? 'entries' : 'damaged']++
  return counts
}

interface ChangeFilter {
  profile?: string | undefined
  userId?: string | undefined
  /** The keyed hash of an external user ID. */
  externalIdHash?: string | undefined
  /** A date and time; in UTC without a zone. */
  since?: string | undefined
}

/** The latest changes that match the filter, newest first: each intent together with its outcome. */
export async function listChanges(paths: Paths, filter: ChangeFilter, count: number): Promise<Change[]> {
  const changes = new Map<string, Change>()
  for await (const entry of readEntries(paths)) if (entry) addEntry(changes, entry)
  const all = [...changes.values()]
  return all.filter(toFilter(filter, all)).slice(-count).toReversed()
}

function addEntry(changes: Map<string, Change>, entry: Entry): void {
  if (entry.event === 'intent') changes.set(entry.id, fromIntent(entry))
  if (entry.event === 'user') {
    const { event: _, ...change } = entry
    changes.set(entry.id, change)
  }
  if (entry.event !== 'outcome') return
  const { time, outcome, status, request_id, user_id, detail, intent } = entry
  const started = changes.get(intent)
  if (!started) return
  const ids = { user_id: user_id ?? started.user_id, detail: detail ?? started.detail }
  const ended = { ...started, outcome, status, request_id, ...ids }
  // A list has one row for its start and one for its end.
  if (started.outcome === 'started') changes.set(`${intent} end`, { ...ended, time })
  else changes.set(intent, ended)
}

function fromIntent({ event: _, is_import, ...intent }: Intent): Change {
  return { ...intent, outcome: is_import ? 'started' : 'unknown', status: null, request_id: null }
}

/** A user is found by either ID if one entry contains both. */
function toFilter(filter: ChangeFilter, all: readonly Change[]): (change: Change) => boolean {
  const { profile, externalIdHash, since } = filter
  const userId = toUuid(filter.userId)
  const isUser = (change: Change) =>
    (userId !== undefined && change.user_id === userId) ||
    (externalIdHash !== undefined && change.external_id_hash === externalIdHash)
  const known = all.filter(isUser)
  const userIds = new Set(known.map(({ user_id }) => user_id).filter((id) => id !== null))
  const hashes = new Set(known.map(({ external_id_hash }) => external_id_hash).filter((id) => id !== null))
  const isAnyUser = userId === undefined && externalIdHash === undefined
  const earliest =
    since === undefined ? undefined : Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(since) ? since : `${since}Z`)
  return (change) =>
    (profile === undefined || change.profile === profile) &&
    (earliest === undefined || Date.parse(change.time) >= earliest) &&
    (isAnyUser || userIds.has(change.user_id ?? '') || hashes.has(change.external_id_hash ?? ''))
}
