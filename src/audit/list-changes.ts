import type { Paths } from '../base/paths.ts'
import { toUuid } from '../contract/values.ts'
import { openHash, readEntries } from './log-file.ts'
import type { Change, Entry } from './schemas.ts'

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

function addEntry(changes: Map<string, Change>, { event, is_import, ...entry }: Entry): void {
  const { id, time, user_id, detail, status = null, request_id = null } = entry
  const { outcome = is_import ? 'started' : 'unknown' } = entry
  const result = { outcome, status, request_id }
  if (event !== 'outcome') changes.set(id, { ...entry, ...result })
  const started = event === 'outcome' && changes.get(id)
  if (!started) return
  const ended = {
    ...started,
    ...result,
    user_id: user_id ?? started.user_id,
    detail: detail ?? started.detail,
  }
  // A list has one row for its start and one row for its end.
  if (started.outcome === 'started') changes.set(`${id} end`, { ...ended, time })
  else changes.set(id, ended)
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
