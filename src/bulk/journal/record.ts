import { crc32 } from 'node:zlib'
import type { MeasuredClock } from '../service-clock.ts'
import type { ImportSettings, InputIdentity } from '../types.ts'

/** Positions in the batch, 0-based (default: all rows). */
type Part = number[] | undefined

/** Everything needed to find an import again, to rebuild its batches, and to show it. */
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
  /** Lookup keys that the rows were checked against. Other keys would result in other batches. */
  keys: readonly string[]
  /** Absolute path of the directory in `--results`. Another run can use another one. */
  results?: string | undefined
  /** Null for a key without a profile. */
  profile: string | null
  /** Fingerprint of a key without a profile. */
  key?: string | undefined
  host: string
  /** Includes invalid rows. */
  rows: number
  invalid: number
}

/** A request that is about to be sent. Durable before the first byte is sent. */
export interface IntentRecord {
  type: 'INTENT'
  batch: number
  rows: number
  part?: Part
  /** Lower bound of the service's time, in ms. */
  at: number
  /** Number of batches before this one of the same user that times alone cannot distinguish from it. */
  chain?: number | undefined
  /** `at` of the first of these batches. */
  since?: number | undefined
}

/** The response to an intent did not confirm its answers. They may be saved at any time, and are never sent again. */
export interface UnconfirmedRecord {
  type: 'UNCONFIRMED'
  batch: number
  why: string
}

/** The rows of an intent that were applied. The others were not. */
export interface AckRecord {
  type: 'ACK'
  batch: number
  rows: number
  part?: Part
  at: number
}

/** Rows that are rejected or unknown. `message` contains no user ID and no answer. */
export interface FinalRecord {
  type: 'REJECT' | 'UNKNOWN'
  batch: number
  part: number[]
  code: string
  message: string
}

/** Requests and time of all runs of an import. */
export interface Work {
  requests: number
  retried: number
  seconds: number
}

export interface CheckpointRecord {
  type: 'CHECKPOINT'
  at: number
  accepted: number
  rejected: number
  unknown: number
  /** Settle time of this run, used on resume. */
  settleMs: number
  /** Measured so far. */
  clock?: MeasuredClock | undefined
  work?: Work | undefined
  /** Reason for the end of the run. Only in the last record. */
  ended?: string | undefined
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

/**
 * One line of JSON. Its first member is the CRC of the rest of the line and all previous lines, so that a changed,
 * missing, repeated, or moved line is detected.
 */
export function encodeRecord(record: JournalRecord, previousCrc: number): { line: string; crc: number } {
  const rest = JSON.stringify(record).slice(1)
  const crc = crc32(rest, previousCrc)
  return { line: `${opening}${crc.toString(16).padStart(8, '0')}",${rest}\n`, crc }
}

/** Reads one line without its newline. Returns undefined if it is not exactly what was written after `previousCrc`. */
export function decodeRecord(
  line: Buffer,
  previousCrc: number,
): { record: JournalRecord; crc: number } | undefined {
  const crc = crc32(line.subarray(prefixLength), previousCrc)
  const expected = `${opening}${crc.toString(16).padStart(8, '0')}",`
  if (line.length <= prefixLength || line.toString('latin1', 0, prefixLength) !== expected) return undefined
  return { record: JSON.parse(line.toString()) as JournalRecord, crc }
}
