import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
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
 * One line of the log. An intent (the planned change) is on disk before its request is sent. The outcome is added after the response. The
 * entry for one user of a list contains both the intent and the outcome.
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

/** An entry as a line with a line break. Texts have at most 255 characters, and no control characters. */
export function toLine(entry: Entry): string {
  const bounded = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?').slice(0, 255) : value
  return `${JSON.stringify(entry, bounded)}\n`
}

/** Parses a line of the log. Undefined for a damaged line. Version 0.1 identified an entry by its number in the log. */
export function parseLine(text: string): Entry | undefined {
  const { previous: _, hash: _hash, sequence, ...entry } = fieldsOf(orUndefined(() => JSON.parse(text)))
  const { event, intent, id = sequence } = entry
  if (event === 'outcome') return { ...entry, intent: String(intent) } as Entry
  if ((event !== 'intent' && event !== 'user') || id === undefined) return undefined
  return { ...entry, id: String(id) } as Entry
}

/** An ID from the service. Null if it does not look like an ID, or if it contains a user ID or a key. */
export function boundedId(text: string | undefined, forbidden: readonly string[]): string | null {
  const repeats = (part: string) => (part.length < 4 ? text === part : text?.includes(part))
  return text !== undefined && /^[\w-]{1,64}$/.test(text) && !forbidden.some(repeats) ? text : null
}
