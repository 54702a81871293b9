import { hash, randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { orUndefined } from '../base/functions.ts'
import type { Change } from './schemas.ts'

/** The start of a change, written to disk before the request is sent. Contains no secret and no personal data. */
export type Intent = Omit<Change, 'outcome' | 'status' | 'request_id'> & {
  event: 'intent'
  /** Whether the change is a list or an import with many requests. */
  is_import: boolean
}

export type OutcomeEntry = Pick<Change, 'time' | 'status' | 'request_id' | 'user_id' | 'detail'> & {
  event: 'outcome'
  /** ID of the intent. */
  intent: string
  /** `unknown`: the service may have made the change. */
  outcome: Exclude<Change['outcome'], 'started'>
}

/** The change of one user of a list. The intent is the start of the list. */
export type UserChange = Omit<Change, 'outcome'> & { event: 'user'; outcome: OutcomeEntry['outcome'] }

export type Entry = Intent | OutcomeEntry | UserChange

/** A change as its caller describes it. The ID, the time, and the operating-system user are added. */
export type NewIntent = Pick<Intent, 'profile' | 'host' | 'command'> &
  Partial<Omit<Intent, 'id' | 'time' | 'event' | 'os_user'>>

export type NewOutcome = Pick<OutcomeEntry, 'outcome'> &
  Partial<Omit<OutcomeEntry, 'time' | 'event' | 'intent'>>

/** Default values of the optional facts. */
const noFacts = {
  fingerprint: null,
  method: null,
  path: null,
  user_id: null,
  external_id_hash: null,
  detail: null,
  reason: null,
}
const noResult = { status: null, request_id: null, user_id: null, detail: null }

export function toIntent(now: number, intent: NewIntent): Intent {
  return { ...identify(now, 'intent'), ...noFacts, is_import: false, ...intent }
}

export function toOutcome(now: number, intent: string, outcome: NewOutcome): OutcomeEntry {
  return { event: 'outcome', time: new Date(now).toISOString(), intent, ...noResult, ...outcome }
}

export function toUserChange(now: number, facts: NewIntent, outcome: NewOutcome): UserChange {
  const { is_import: _, ...intent } = facts
  return { ...identify(now, 'user'), ...noFacts, ...noResult, ...intent, ...withoutEmpty(outcome) }
}

/** The user ID of the intent stays if the outcome has none. */
function withoutEmpty({ user_id, detail, ...outcome }: NewOutcome): NewOutcome {
  return { ...outcome, ...(user_id && { user_id }), ...(detail && { detail }) }
}

function identify<Event extends string>(now: number, event: Event) {
  const id = randomBytes(8).toString('hex')
  return { event, id, time: new Date(now).toISOString(), os_user: osUser() }
}

/** A container may run under a number that has no name. */
function osUser(): string {
  return orUndefined(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`
}

/** Maximum lengths of texts that may be longer than 64 characters. */
const maximumLengths: Readonly<Record<string, number>> = { host: 255, path: 128, detail: 128, reason: 200 }

/** The text of an entry with its line break. Every text in the entry is bounded and has no control characters. */
export function toLine(entry: Entry): string {
  const bounded = (name: string, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?').slice(0, maximumLengths[name] ?? 64)
      : value
  return `${JSON.stringify(entry, bounded)}\n`
}

/** Undefined for a line that is damaged. Earlier versions identified an entry by its number in the log. */
export function parseLine(text: string): Entry | undefined {
  const value = orUndefined((): (Entry & { id?: unknown; sequence?: unknown }) | null => JSON.parse(text))
  if (typeof value !== 'object' || value === null) return undefined
  const { previous: _, hash: _hash, sequence, ...entry } = value as Record<string, unknown>
  if (entry['event'] === 'outcome') return { ...entry, intent: String(entry['intent']) } as OutcomeEntry
  const id = entry['id'] ?? sequence
  const isChange = entry['event'] === 'intent' || entry['event'] === 'user'
  return isChange && id !== undefined ? ({ ...entry, id: String(id) } as Intent | UserChange) : undefined
}

/**
 * Text from the service. It may repeat personal data or be very long, so text that does not look like an ID is replaced
 * with its hash. Support can still compare hashes.
 */
export function boundedId(text: string | undefined, forbidden: readonly string[]): string | null {
  if (text === undefined || text === '') return null
  const repeats = (part: string) => (part.length < 4 ? text === part : text.includes(part))
  const isId = /^[\w-]{1,64}$/.test(text) && !forbidden.some(repeats)
  return isId ? text : `sha256-${hash('sha256', text).slice(0, 16)}`
}
