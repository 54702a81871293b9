import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Paths } from '../base/paths.ts'
import { toUuid } from '../contract/values.ts'
import { type Entry, parseLine } from './entry.ts'
import { listLogFiles, openHash } from './files.ts'
import type { Change } from './schemas.ts'

/** The entries of the log, oldest first. Undefined for a damaged line. */
async function* readEntries({ state }: Paths): AsyncGenerator<Entry | undefined> {
  for (const path of state === undefined ? [] : await listLogFiles(state)) {
    // Another process may have renamed the file.
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
  externalUserId?: string | undefined
  /** A date and time, in UTC if no zone is stated. */
  since?: string | undefined
}

/** The latest matching changes, newest first. The intent (planned request) and the outcome of a change are shown as one change. */
export async function listChanges(paths: Paths, filter: ChangeFilter, count: number): Promise<Change[]> {
  const changes = new Map<string, Change>()
  for await (const entry of readEntries(paths)) if (entry) addEntry(changes, entry)
  const { profile, since = '' } = filter
  const earliest = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(since) ? since : `${since}Z`)
  return (await ofUser([...changes.values()], paths, filter))
    .filter((change) => profile === undefined || change.profile === profile)
    .filter(({ time }) => since === '' || Date.parse(time) >= earliest)
    .slice(-count)
    .toReversed()
}

function addEntry(changes: Map<string, Change>, entry: Entry): void {
  if (entry.event === 'user') {
    const { event: _, ...change } = entry
    changes.set(entry.id, change)
  } else if (entry.event === 'intent') {
    const { event: _, is_import, ...facts } = entry
    const outcome = is_import ? 'started' : 'unknown'
    changes.set(entry.id, { ...facts, outcome, status: null, request_id: null })
  } else {
    const { time, outcome, status, request_id, intent } = entry
    const started = changes.get(intent)
    if (!started) return
    const user_id = entry.user_id ?? started.user_id
    const ended = { ...started, outcome, status, request_id, user_id, detail: entry.detail ?? started.detail }
    // A list has one row for its start and one row for its end.
    if (started.outcome === 'started') changes.set(`${intent} end`, { ...ended, time })
    else changes.set(intent, ended)
  }
}

/** The changes of a user. If an entry contains both IDs of the user, entries with either ID are found. */
async function ofUser(
  all: Change[],
  paths: Paths,
  { userId, externalUserId }: ChangeFilter,
): Promise<Change[]> {
  if (userId === undefined && externalUserId === undefined) return all
  // Without a hash key on this machine, no entry contains the hash of an external user ID.
  const hash = externalUserId && (await openHash(paths, { create: false }))?.(externalUserId)
  const wanted = [toUuid(userId), hash]
  // An entry that another program wrote may lack these fields.
  const idsOf = (change: Change) =>
    [change.user_id, change.external_id_hash].filter((id) => typeof id === 'string')
  const known = new Set(all.map(idsOf).flatMap((ids) => (ids.some((id) => wanted.includes(id)) ? ids : [])))
  return all.filter((change) => idsOf(change).some((id) => known.has(id)))
}
