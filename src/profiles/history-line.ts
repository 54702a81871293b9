import { hash } from 'node:crypto'
import { orUndefined } from '../base/or-undefined.ts'
import type { HistoryEntry } from './schemas.ts'

/** The start of a change, written to disk before the request is sent. Contains no secret and no personal data. */
export type Intent = Omit<HistoryEntry, 'outcome' | 'status' | 'request_id' | keyof Link> & {
  event: 'intent'
  /** Whether the change is an import with many requests. */
  is_import: boolean
}

export type Outcome = Pick<HistoryEntry, 'time' | 'status' | 'request_id' | 'user_id' | 'detail'> & {
  event: 'outcome'
  /** Sequence number of the intent. */
  intent: number
  /** `unknown`: the service may have made the change. */
  outcome: Exclude<HistoryEntry['outcome'], 'started'>
}

/** Evidence that the log was altered, written when the next change found it. */
interface Damage {
  time: string
  event: 'damage'
  detail: string
}

export type HistoryRecord = Intent | Outcome | Damage

export interface ChainEnd {
  sequence: number
  hash: string
}

/** The place of a line in the chain: each line contains the hash of the line before it. */
type Link = ChainEnd & { previous: string }

export type HistoryLine = HistoryRecord & Link

export const origin: ChainEnd = { sequence: 0, hash: '0'.repeat(64) }

/** Maximum lengths of texts that may be longer than 64 characters. */
const maximumLengths: Readonly<Record<string, number>> = { host: 255, path: 128, detail: 128, reason: 200 }

/** The text of a line without its line break, and the end of the chain after it. Every text in the line is bounded. */
export function sealLine(record: HistoryRecord, after: ChainEnd): { text: string; end: ChainEnd } {
  const sequence = after.sequence + 1
  const members = JSON.stringify(record, (name, value: unknown) =>
    typeof value === 'string' ? bounded(value, maximumLengths[name]) : value,
  ).slice(1, -1)
  const open = `{"sequence":${sequence},${members},"previous":"${after.hash}"`
  const end = { sequence, hash: hash('sha256', `${open}}`) }
  return { text: `${open},"hash":"${end.hash}"}`, end }
}

/** The hash of a line over all its members except the hash. */
export function hashLine({ hash: _, ...line }: Omit<HistoryLine, 'hash'> & { hash?: string }): string {
  return hash('sha256', JSON.stringify(line))
}

export function parseLine(text: string): HistoryLine | undefined {
  const value = orUndefined((): HistoryLine | null => JSON.parse(text))
  return value && Number.isSafeInteger(value.sequence) && typeof value.hash === 'string' ? value : undefined
}

/** Whether the text is exactly what the program wrote. JSON hides a repeated member or added space. */
export function isUnaltered(line: HistoryLine, text: string): boolean {
  return JSON.stringify(line) === text && hashLine(line) === line.hash
}

/** Text without control characters and of limited length. */
function bounded(text: string, maximum = 64): string {
  return text.replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?').slice(0, maximum)
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
