import { hash, randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { orUndefined } from '../base/functions.ts'
import type { Change } from './schemas.ts'

/** Facts about a change before it is made, without secrets and personal data. */
export type ChangeFacts = Partial<
  Omit<Change, 'id' | 'time' | 'os_user' | 'outcome' | 'status' | 'request_id'>
> & {
  /** Whether the change is a list or an import, with many requests. */
  is_import?: boolean
}

/** How a change ended. With `unknown`, the service may have made the change. */
export interface ChangeResult extends Partial<Pick<Change, 'status' | 'request_id' | 'user_id' | 'detail'>> {
  outcome: Exclude<Change['outcome'], 'started'>
}

/**
 * One line of the log. An intent is on disk before its request is sent, and its outcome is added after the response. The entry for one user
 * of a list contains both.
 */
export type Entry =
  | ({ event: 'intent'; is_import: boolean } & Omit<Change, 'outcome' | 'status' | 'request_id'>)
  | ({ event: 'user' } & Change)
  | ({ event: 'outcome'; time: string; intent: string } & Required<ChangeResult>)

const noFacts = {
  profile: null,
  host: null,
  fingerprint: null,
  command: '',
  method: null,
  path: null,
  user_id: null,
  external_id_hash: null,
  detail: null,
  reason: null,
}
const noResult = { status: null, request_id: null, user_id: null, detail: null }

export function toIntent(now: number, facts: ChangeFacts): Entry & { event: 'intent' } {
  return { event: 'intent', ...identify(now), ...noFacts, is_import: false, ...facts }
}

export function toOutcome(now: number, intent: string, result: ChangeResult): Entry {
  return { event: 'outcome', time: new Date(now).toISOString(), intent, ...noResult, ...result }
}

export function toUserChange(now: number, facts: ChangeFacts, result: ChangeResult): Entry {
  return { event: 'user', ...identify(now), ...noFacts, ...noResult, ...facts, ...result }
}

function identify(now: number) {
  const id = randomBytes(8).toString('hex')
  // In a container, the user of the operating system can have no name.
  const os_user = orUndefined(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`
  return { id, time: new Date(now).toISOString(), os_user }
}

/** Maximum lengths by field. All other texts have at most 64 characters. */
const maximumLengths: Readonly<Record<string, number>> = { host: 255, path: 128, detail: 128, reason: 200 }

/** An entry as a line with a line break. All texts are limited in length and have no control characters. */
export function toLine(entry: Entry): string {
  const bounded = (name: string, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?').slice(0, maximumLengths[name] ?? 64)
      : value
  return `${JSON.stringify(entry, bounded)}\n`
}

/** Parses a line of the log. Undefined for a damaged line. Version 0.1 identified an entry by its number in the log. */
export function parseLine(text: string): Entry | undefined {
  const value: unknown = orUndefined(() => JSON.parse(text))
  if (typeof value !== 'object' || value === null) return undefined
  const { previous: _, hash: _hash, sequence, ...entry } = value as Record<string, unknown>
  if (entry['event'] === 'outcome') return { ...entry, intent: String(entry['intent']) } as Entry
  const id = entry['id'] ?? sequence
  const isChange = entry['event'] === 'intent' || entry['event'] === 'user'
  return isChange && id !== undefined ? ({ ...entry, id: String(id) } as Entry) : undefined
}

/**
 * Text from the service for the log. It may be very long or contain personal data, so text that does not look like an ID is replaced with
 * its hash. Support can still compare hashes.
 */
export function boundedId(text: string | undefined, forbidden: readonly string[]): string | null {
  if (text === undefined || text === '') return null
  const repeats = (part: string) => (part.length < 4 ? text === part : text.includes(part))
  const isId = /^[\w-]{1,64}$/.test(text) && !forbidden.some(repeats)
  return isId ? text : `sha256-${hash('sha256', text).slice(0, 16)}`
}
