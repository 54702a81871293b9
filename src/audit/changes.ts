import { createHmac } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigurationError } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import { ensureSecret, readSecret } from '../base/lock.ts'
import { assertOwnerOnly, type Paths, requireDirectory } from '../base/paths.ts'
import { toUuid } from '../contract/values.ts'

/** A change with its outcome. A list of users or an import is shown as two changes: its start and its end. */
const change = z.strictObject({
  id: z.string(),
  time: z.iso.datetime(),
  os_user: z.string(),
  /** Profile. Null if the command used a key without a profile. */
  profile: z.nullable(z.string()),
  /** Host of the service. Null if the profile has no base URL. */
  host: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  /** Noun and verb, such as `users delete`. */
  command: z.string(),
  /** HTTP method. Null for a change of a profile or key. */
  method: z.nullable(z.string()),
  /** Path template from the contract, without IDs. */
  path: z.nullable(z.string()),
  /** ID of the affected user. For a creation, the outcome contains the ID of the new user. */
  user_id: z.nullable(z.string()),
  /** A keyed hash of the external user ID. */
  external_id_hash: z.nullable(z.string()),
  /** Description of the change, such as `import 216 answers of 24 users`. */
  detail: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /**
   * Outcome of the change. `started` is the start of a list of users or an import. `unknown` means that the service may have made the
   * change.
   */
  outcome: z.enum(['done', 'failed', 'not sent', 'unknown', 'started']),
  /** HTTP status. Null if no response arrived. */
  status: z.nullable(z.int()),
  request_id: z.nullable(z.string()),
})

export const changes = z.array(change)

export type Change = z.infer<typeof change>

/**
 * A line of the log: the intent (the planned change), the outcome of an intent with the same ID, or the intent and the outcome for one user
 * of a list.
 */
const entry = z.object({
  ...z.partial(change).shape,
  id: z.string(),
  event: z.enum(['intent', 'user', 'outcome']),
  is_import: z.optional(z.boolean()),
})

export type Entry = z.infer<typeof entry>

/** Name of the file with the latest entries. If the file is full, it is renamed to `history-TIME.ndjson`. */
export const logName = 'history.ndjson'

/** A change in which every field is null. */
export const noChange = Object.fromEntries(Object.keys(change.shape).map((name) => [name, null])) as {
  readonly [Name in keyof Change]: null
}

/**
 * The existing files of the log, oldest first. Throws if other users can read or replace a file, or if a file is a symbolic link, a pipe,
 * or a directory.
 */
export async function listLogFiles(directory: string): Promise<string[]> {
  const names: string[] = await readdir(directory).catch(() => [])
  // In this order, the numbered files come first.
  const paths = names
    .filter((name) => /^history(-\d{9,})?\.ndjson$/.test(name))
    .toSorted()
    .map((name) => join(directory, name))
  for (const path of paths) {
    // Another process may rename log files at the same time, so a missing file is not an error.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new ConfigurationError(`cannot use the audit log: ${path} is not a regular file`, {
        hint: 'Move it to another directory.',
      })
    }
    assertOwnerOnly(path)
  }
  return paths
}

/** Yields the entries of the log, oldest first. Yields undefined for a damaged line. */
async function* readEntries({ state = '' }: Paths): AsyncGenerator<Entry | undefined> {
  const [newest = ''] = (await listLogFiles(state)).slice(-1)
  // Opened before the other files are listed, because another process may rename the newest file at any time.
  const latest = await open(newest).catch(() => undefined)
  const older = (await listLogFiles(state)).filter((path) => path !== newest && !path.endsWith(logName))
  for (const path of older) yield* parseLines(await open(path))
  if (latest) yield* parseLines(latest)
}

async function* parseLines(file: FileHandle): AsyncGenerator<Entry | undefined> {
  for await (const line of file.readLines()) if (line !== '') yield parseLine(line)
}

/** Parses a line of the log. Undefined for a damaged line. In a log of version 0.1, the ID of an entry is its number. */
export function parseLine(text: string): Entry | undefined {
  const fields = fieldsOf(orUndefined(() => JSON.parse(text, boundText)))
  const { sequence, intent, id = intent ?? sequence } = fields
  return z.safeParse(entry, { ...fields, id: id === undefined ? id : String(id) }).data
}

/**
 * Removes control characters from a text of an entry, and limits it to 255 characters. This is done when an entry is written, and when it
 * is read, because the log may have been edited.
 */
export function boundText(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?').slice(0, 255) : value
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
  /** A date and time. If it contains no time zone, it is in UTC. */
  since?: string | undefined
}

/** The latest matching changes, newest first. */
export async function listChanges(
  paths: Paths,
  { profile, since = '', userId, externalUserId }: ChangeFilter,
  count: number,
): Promise<Change[]> {
  const changes = new Map<string, Change>()
  for await (const entry of readEntries(paths)) if (entry) addEntry(changes, entry)
  let found = [...changes.values()]
  if (userId !== undefined || externalUserId !== undefined) {
    // If this machine has no hash key, the log contains no hashes, so a search must not create a key.
    const hash = externalUserId && (await openHash(paths, { create: false }))?.(externalUserId)
    found = ofUser(found, [toUuid(userId), hash])
  }
  const earliest = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(since) ? since : `${since}Z`)
  return found
    .filter((change) => profile === undefined || change.profile === profile)
    .filter(({ time }) => since === '' || Date.parse(time) >= earliest)
    .slice(-count)
    .toReversed()
}

function addEntry(changes: Map<string, Change>, { event, is_import, ...entry }: Entry): void {
  const { id } = entry
  if (event !== 'outcome') {
    const outcome = is_import ? 'started' : 'unknown'
    return void changes.set(id, { ...noChange, outcome, ...entry } as Change)
  }
  const intent = changes.get(id)
  if (!intent) return
  const known = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
  const ended: Change = { ...intent, outcome: 'unknown', ...known }
  if (intent.outcome === 'started') changes.set(`${id} end`, ended)
  else changes.set(id, { ...ended, time: intent.time })
}

/**
 * The changes for a user. If one entry contains the user ID and the external user ID, the entries that contain one of these IDs are found.
 */
function ofUser(all: readonly Change[], wanted: readonly (string | undefined)[]): Change[] {
  const idsOf = (change: Change) => [change.user_id, change.external_id_hash].filter((id) => id !== null)
  const known = new Set(all.map(idsOf).flatMap((ids) => (ids.some((id) => wanted.includes(id)) ? ids : [])))
  return all.filter((change) => idsOf(change).some((id) => known.has(id)))
}

/**
 * Opens the keyed hash for external user IDs in the log. Without a secret key, anyone with the log could find the IDs by hashing all short
 * IDs. Undefined if there is no key and `create` is false.
 */
export async function openHash(
  paths: Paths,
  { create }: { create: boolean },
): Promise<((externalId: string) => string) | undefined> {
  const path = join(requireDirectory(paths, 'state'), 'history.key')
  const key = create ? await ensureSecret(path, 'history', 32) : await readSecret(path)
  return key === undefined
    ? undefined
    : (externalId) => createHmac('sha256', key).update(externalId).digest('hex').slice(0, 32)
}
