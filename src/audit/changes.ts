import { createHmac } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
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
  /** ID of the affected user. For a creation, the ID of the new user. */
  user_id: z.nullable(z.string()),
  /** A keyed hash of the external user ID. */
  external_id_hash: z.nullable(z.string()),
  /** Description of the change, such as `import 216 answers of 24 users`. */
  detail: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** `started`: the entry before the changes of a list. `unknown`: the service may have made the change. */
  outcome: z.enum(['done', 'failed', 'not sent', 'unknown', 'started']),
  /** HTTP status. Null if no response arrived. */
  status: z.nullable(z.int()),
  request_id: z.nullable(z.string()),
})

export const changes = z.array(change)

export type Change = z.infer<typeof change>

/** Parses a line of the log. Ignores the fields of earlier versions, such as the hash of the previous line. */
const line = z.object(change.shape)

const blank = Object.fromEntries(Object.keys(change.shape).map((name) => [name, null]))

/**
 * Throws if other users can read or replace a file of the log, or if the file is a symbolic link, a pipe, or a directory. A missing file is
 * accepted.
 */
export function checkLogFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new ConfigurationError(`cannot use the audit log: ${path} is not a regular file`, {
      hint: 'Move it to another directory.',
    })
  }
  assertOwnerOnly(path)
}

/** All changes in the order of their times, and the number of damaged lines. */
export async function readLog({ state = '' }: Paths): Promise<{ changes: Change[]; damaged: number }> {
  const names: string[] = await readdir(state).catch(() => [])
  const found = new Map<string, Change>()
  let damaged = 0
  // Earlier versions wrote to `history.ndjson`, and renamed this file to `history-NUMBER.ndjson`.
  for (const name of names.filter((name) => /^history(-\d[\w.-]+)?\.ndjson$/.test(name)).toSorted()) {
    checkLogFile(join(state, name))
    for await (const text of (await open(join(state, name))).readLines()) {
      // A full disk or a power failure can leave an incomplete line. The next entry then follows on the same line. Inside a text, JSON
      // escapes quotes, so each match is the start of an entry.
      for (const part of text.split(/(?=\{"id":)/)) if (part && !addLine(found, part)) damaged++
    }
  }
  const changes = [...found.values()].toSorted((one, two) => Date.parse(one.time) - Date.parse(two.time))
  return { changes, damaged }
}

/**
 * Adds the change from a log line to `found`. If the line contains an outcome, adds the outcome to the change with the same ID. Returns
 * false if the line is damaged.
 */
function addLine(found: Map<string, Change>, text: string): boolean {
  const fields = fieldsOf(orUndefined(() => JSON.parse(text, boundText)))
  // In version 0.1, the ID of a change is the number of its first line, and later lines contain only the new values.
  const { id, intent, sequence, is_import, outcome = is_import ? 'started' : 'unknown' } = fields
  const own = { id: String(id ?? intent ?? sequence), outcome }
  const [key, start] = [`${own.id} ${outcome === 'started'}`, `${own.id} true`]
  const earlier = found.get(key)
  const { data } = z.safeParse(line, { ...blank, ...(earlier ?? found.get(start)), ...fields, ...own })
  if (data) found.set(key, { ...data, time: earlier?.time ?? data.time })
  return data !== undefined
}

/**
 * Cleans a value of an entry: limits a text to 255 characters, replaces control characters and line separators, and omits an empty value.
 * This is done when an entry is written, and when it is read, because the log may have been edited.
 */
export function boundText(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined
  return value.replace(/[^\x20-\x7e\u00a1-\u2027\u202a-\uffff]/g, '?').slice(0, 255)
}

interface ChangeFilter {
  profile?: string | undefined
  userId?: string | undefined
  externalUserId?: string | undefined
  /** Host of the service. */
  host?: string | undefined
  /** Omits requests that failed or were not sent, because they changed nothing. */
  isMade?: boolean
  /** A date and time. If it contains no time zone, it is in UTC. */
  since?: string | undefined
}

/** The latest matching changes, newest first. */
export async function listChanges(
  paths: Paths,
  { profile, since = '', userId, externalUserId, host, isMade = false }: ChangeFilter,
  count: number,
): Promise<Change[]> {
  let { changes: found } = await readLog(paths)
  if (userId !== undefined || externalUserId !== undefined) {
    const hash = externalUserId && (await openHash(paths, { create: false }))(externalUserId)
    found = ofUser(found, [toUuid(userId), hash])
  }
  const earliest = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(since) ? since : `${since}Z`)
  return found
    .filter((change) => profile === undefined || change.profile === profile)
    .filter((change) => host === undefined || change.host === host)
    .filter(({ outcome }) => !isMade || (outcome !== 'failed' && outcome !== 'not sent'))
    .filter(({ time }) => since === '' || Date.parse(time) >= earliest)
    .slice(-count)
    .toReversed()
}

/**
 * The changes for a user. If an entry contains both the user ID and the external user ID, both IDs belong to the user, so entries with only
 * one of them are also found.
 */
function ofUser(all: readonly Change[], wanted: readonly (string | undefined)[]): Change[] {
  const idsOf = (change: Change) => [change.user_id, change.external_id_hash].filter((id) => id !== null)
  const known = new Set(all.map(idsOf).flatMap((ids) => (ids.some((id) => wanted.includes(id)) ? ids : [])))
  return all.filter((change) => idsOf(change).some((id) => known.has(id)))
}

/**
 * Opens the keyed hash for external user IDs in the log. Without a secret key, anyone with the log could find the IDs by hashing all short
 * IDs. A search does not create a missing key, because a log that was written without a key contains no hashes.
 */
export async function openHash(
  paths: Paths,
  { create }: { create: boolean },
): Promise<(externalId: string) => string> {
  const path = join(requireDirectory(paths, 'state'), 'history.key')
  const key = create ? await ensureSecret(path, 'history', 32) : await readSecret(path)
  return (id) =>
    createHmac('sha256', key ?? '')
      .update(id)
      .digest('hex')
      .slice(0, 32)
}
