import { crc32 } from 'node:zlib'
import type { MeasuredClock } from '../service-clock.ts'
import type { ImportSettings, InputIdentity } from '../types.ts'

/** Positions in the batch, starting at 0 (default: all rows). */
type Positions = number[] | undefined

/** The data for finding an import, rebuilding its batches, and showing its details. */
export interface HeaderRecord {
  type: 'HEADER'
  version: 1
  id: string
  tool: string
  at: number
  /** Absolute path of the input, or `-`. */
  source: string
  identity: InputIdentity
  settings: ImportSettings
  skipInvalid: boolean
  /** Lookup keys that were known when the rows were checked. Different lookup keys would result in different batches. */
  keys: readonly string[]
  /** Absolute path of `--results`, because a later run may start in another directory. */
  results?: string | undefined
  profile: string | null
  /** Fingerprint of the API key, if the API key is not stored in a profile. */
  key?: string | undefined
  host: string
  rows: number
  invalid: number
}

/** Intent: the planned request for a batch. The intent is on disk before the first byte of the request is sent. */
export interface IntentRecord {
  type: 'INTENT'
  batch: number
  rows: number
  part?: Positions
  /** Earliest possible time of the request in ms, by the clock of the service. */
  at: number
  /** Number of the user's batches shortly before this batch. The time of an answer does not show which of these batches saved it. */
  chain?: number | undefined
  /** Time of the first batch that is included in `chain`, in ms by the clock of the service. */
  since?: number | undefined
}

/** A response did not confirm the answers of its request. The service may save these answers at any time, so they are not sent again. */
export interface UnconfirmedRecord {
  type: 'UNCONFIRMED'
  batch: number
  why: string
}

/** Acknowledgment of an intent (planned request): the rows that were applied. The other rows of the intent were not applied. */
export interface AckRecord {
  type: 'ACK'
  batch: number
  rows: number
  part?: Positions
  at: number
  /** Hash of the user ID in the response. Version 0.1 did not write this field. */
  user?: number | undefined
}

/** Rows that are rejected or unknown. `message` contains no user ID and no answer. */
export interface FinalRecord {
  type: 'REJECT' | 'UNKNOWN'
  batch: number
  part: number[]
  code: string
  message: string
}

export interface Work {
  requests: number
  retried: number
  seconds: number
}

export interface CheckpointRecord extends CheckpointFacts {
  type: 'CHECKPOINT'
  at: number
  accepted: number
  rejected: number
  unknown: number
  ended?: string | undefined
}

/** Facts about the service and the work so far. A resumed run needs them. */
export interface CheckpointFacts {
  /** Settle time of this run: how long a request without a response may still be applied. A resumed run needs this time. */
  settleMs: number
  clock?: MeasuredClock | undefined
  /** Whether the list of a user's answers can lack answers that were just accepted. */
  listsLate?: boolean | undefined
  /** Whether the list of a user's answers contains earlier answers to the same question. */
  listsHistory?: boolean | undefined
  work?: Work | undefined
}

export type JournalRecord =
  | HeaderRecord
  | IntentRecord
  | UnconfirmedRecord
  | AckRecord
  | FinalRecord
  | CheckpointRecord

const opening = '{"crc":"'
const prefixLength = opening.length + 8 + 2

/** One line of JSON. Its first field is a checksum of this line and all earlier lines, so a changed, moved, or removed line is detected. */
export function encodeRecord(record: object, previousCrc: number): { line: string; crc: number } {
  const rest = JSON.stringify(record).slice(1)
  const crc = crc32(rest, previousCrc)
  return { line: `${opening}${crc.toString(16).padStart(8, '0')}",${rest}\n`, crc }
}

/** Reads one line without its newline. Returns undefined if the line is damaged or does not follow the line with `previousCrc`. */
export function decodeRecord<Stored = JournalRecord>(
  line: Buffer,
  previousCrc: number,
): { record: Stored; crc: number } | undefined {
  const crc = crc32(line.subarray(prefixLength), previousCrc)
  const expected = `${opening}${crc.toString(16).padStart(8, '0')}",`
  if (line.length <= prefixLength || line.toString('latin1', 0, prefixLength) !== expected) return undefined
  return { record: JSON.parse(`{${line.toString('utf8', prefixLength)}`) as Stored, crc }
}
