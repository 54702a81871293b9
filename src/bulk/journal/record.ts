import { crc32 } from 'node:zlib'
import type { ImportSettings, InputIdentity } from '../types.ts'

/** Rows of a batch by their position in it, 0-based; absent means all of them. */
type Part = number[] | undefined

/** What an import is: enough to find it again, to rebuild its batches and to show it. */
export interface HeaderRecord {
  type: 'HEADER'
  version: 1
  id: string
  tool: string
  /** Milliseconds since the epoch, local clock. */
  at: number
  /** Absolute path of the input, or `-`. */
  source: string
  identity: InputIdentity
  settings: ImportSettings
  skipInvalid: boolean
  /** The lookup keys that the rows were checked against: other keys would make other batches. */
  keys: readonly string[]
  /** Null for a key without a profile. */
  profile: string | null
  /** Fingerprint of a key without a profile: nothing else tells whose users they are. */
  key?: string | undefined
  host: string
  /** Rows of the input, those that the check found invalid among them. */
  rows: number
  invalid: number
}

/** About to be sent. Durable before the first byte goes out. */
export interface IntentRecord {
  type: 'INTENT'
  batch: number
  rows: number
  part?: Part
  /** Lower bound of the service's clock, in ms, when this was written. */
  at: number
  /** How many batches right before this one are of the same user and recent enough to be mistaken for it. */
  chain?: number | undefined
  /** `at` of the first batch of that chain. */
  since?: number | undefined
}

/** The intent is answered: these rows are applied (none, where `rows` is 0), the others are not. */
export interface AckRecord {
  type: 'ACK'
  batch: number
  rows: number
  part?: Part
  at: number
}

/** Rows in a final state other than accepted. `message` holds no user id and no answer. */
export interface FinalRecord {
  type: 'REJECT' | 'UNKNOWN'
  batch: number
  part: number[]
  code: string
  message: string
}

export interface CheckpointRecord {
  type: 'CHECKPOINT'
  at: number
  accepted: number
  rejected: number
  unknown: number
  /** Settle time of this run, used on resume. */
  settleMs: number
  /** Set in the record that closes a run: why it ended. */
  ended?: string | undefined
}

export type JournalRecord = HeaderRecord | IntentRecord | AckRecord | FinalRecord | CheckpointRecord

const opening = '{"crc":"'
const prefixLength = opening.length + 8 + 2

/**
 * One line: JSON whose first member is the CRC of the rest of the line, continued from the line before,
 * so that a changed, missing, repeated or moved line shows.
 */
export function encodeRecord(record: JournalRecord, previousCrc: number): { line: string; crc: number } {
  const rest = toJson(record).slice(1)
  const crc = crc32(rest, previousCrc)
  return { line: `${opening}${crc.toString(16).padStart(8, '0')}",${rest}\n`, crc }
}

/** Twice as fast as `JSON.stringify` for the two records that each batch has. */
function toJson(record: JournalRecord): string {
  const isUsual = record.type === 'ACK' || (record.type === 'INTENT' && record.since === undefined)
  if (!isUsual || record.part !== undefined) return JSON.stringify(record)
  const { type, batch, rows, at } = record
  return `{"type":"${type}","batch":${batch},"rows":${rows},"at":${at}}`
}

/** Reads one line without its newline; undefined where it is not exactly what was written after `previousCrc`. */
export function decodeRecord(
  line: Buffer,
  previousCrc: number,
): { record: JournalRecord; crc: number } | undefined {
  const crc = crc32(line.subarray(prefixLength), previousCrc)
  const expected = `${opening}${crc.toString(16).padStart(8, '0')}",`
  if (line.length <= prefixLength || line.toString('latin1', 0, prefixLength) !== expected) return undefined
  return { record: JSON.parse(line.toString()) as JournalRecord, crc }
}
