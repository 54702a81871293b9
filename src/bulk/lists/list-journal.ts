import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile } from '../../base/files.ts'
import { recordLength } from '../journal/file.ts'
import { decodeRecord, encodeRecord } from '../journal/record.ts'
import type { Place } from '../types.ts'
import { writeOrExplain } from '../write-or-explain.ts'
import { AppendedFile, damagedState } from './appended-file.ts'

export interface ListCounts {
  /** Number of rows, in all shards, before the first unfinished row. */
  rows: number
  done: number
  failed: number
  /** The rows in `done` and `failed` that have the same user and data as an earlier row. */
  repeated: { done: number; failed: number }
  /** Number of finished rows that have no row in the output. */
  empty?: number
  /** Number of users for each status, such as `created`. */
  statuses?: Record<string, number>
}

export interface FailedRow extends Place {
  /** Whether an earlier row has the same user and data. */
  isRepeat?: boolean | undefined
  code: string
  message: string
  /** User ID if the failed change may have been applied. Empty for a creation. Undefined if the change was certainly not applied. */
  sent?: string | undefined
}

/** A row whose result is in the output. */
export interface WrittenRow {
  row: number
  /** Length of the result in the output. */
  bytes: number
  isRepeat?: boolean | undefined
  status?: string | undefined
  /** Expiry of the token or link in ms. */
  expiresAt?: number | undefined
  /** Line and user ID of the user’s first row. Set if a later row has the same user and data, so that it is changed only once. */
  changed?: readonly [line: number, userId: string] | undefined
}

export type RowRecord = FailedRow | WrittenRow

/** A complete output file. Another modification time or length means that the file was changed. */
export interface CompleteFile {
  bytes: number
  /** Modification time of the file in ms, set before the file is renamed. */
  completedMs: number
  failed: number
  /** Modification time in ms of the file with the failed users. */
  errorsMs?: number | undefined
}

/** One line of the journal: changed fields of the state, and rows that are added to the state. */
interface ListRecord extends Partial<StoredState> {
  /** Finished rows, in the order of the list. */
  written?: readonly RowRecord[]
  /** Rows whose requests are sent next, with the user ID (empty for a creation). Null: the request was certainly not applied. */
  announced?: readonly (readonly [row: number, note: string | null])[]
}

/** The fields of the state that are stored in a journal without rows. */
const storedFields = [
  'key',
  'replaces',
  'rows',
  'done',
  'failed',
  'repeated',
  'statuses',
  'expiresAt',
  'data',
  'complete',
  'isReported',
] as const

type StoredState = Pick<ListState, (typeof storedFields)[number]>

/** The state of a list, built from the records in its journal. */
export class ListState implements ListCounts {
  /** Hash of list, service, and settings. A command resumes the list only if its own hash is equal to this hash. */
  key = ''
  /** The complete file of an earlier run. The new run processes only its failed users and expired links. */
  replaces: CompleteFile | undefined
  rows = 0
  done = 0
  failed = 0
  repeated = { done: 0, failed: 0 }
  empty = 0
  statuses: Record<string, number> = {}
  /** Earliest expiry of a token or link in the file, in ms. */
  expiresAt: number | undefined
  /** Length and checksum of the output that the records describe. */
  data = { bytes: 0, crc: 0 }
  complete: CompleteFile | undefined
  /** Whether the result of the complete file was printed. After that, the same command processes all users again. */
  isReported = false
  /** Rows whose request may have been sent, but whose result is not in the output. The value is the user ID (empty for a creation). */
  readonly sent = new Map<number, string>()
  /** Key: the line of a user's first row. Value: the ID of the user. Contains only changed users that have several rows in the list. */
  readonly changed = new Map<number, string>()

  /** Whether no request was sent, and no result was saved. */
  get isNew(): boolean {
    return this.rows === 0 && this.sent.size === 0 && this.data.bytes === 0
  }

  apply({ written = [], announced = [], ...fields }: ListRecord): void {
    Object.assign(this, fields)
    for (const [row, note] of announced) this.announce(row, note)
    for (const record of written) this.count(record)
  }

  announce(row: number, note: string | null): void {
    if (note === null) this.sent.delete(row)
    else this.sent.set(row, note)
  }

  count(record: RowRecord): void {
    this.rows = record.row + 1
    this.sent.delete(record.row)
    const end = 'code' in record ? 'failed' : 'done'
    this[end]++
    if (record.isRepeat) this.repeated[end]++
    if ('code' in record) return
    if (record.bytes === 0) this.empty++
    const { status, expiresAt, changed } = record
    if (status !== undefined) this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (expiresAt !== undefined) this.expiresAt = Math.min(this.expiresAt ?? expiresAt, expiresAt)
    if (changed) this.changed.set(...changed)
  }
}

/**
 * Reads the records of a journal, each with the length of the journal and its checksum after the record. Ignores an incomplete last line,
 * because its record was not saved. Refuses any other damage.
 */
function* readRecords(path: string): Generator<{ record: ListRecord; length: number; crc: number }> {
  const bytes = readFileSync(path)
  let [length, crc] = [0, 0]
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, length)) {
    const found = decodeRecord<ListRecord>(bytes.subarray(length, end), crc)
    if (!found) throw damagedState(path)
    length = end + 1
    crc = found.crc
    yield { ...found, length }
  }
  // A journal is created with its first record, so an empty journal is damaged.
  if (length === 0) throw damagedState(path)
}

/** Reads the finished rows in the order of the list. */
export function* readRows(path: string): Generator<RowRecord> {
  for (const { record } of readRecords(path)) yield* record.written ?? []
}

export function readState(path: string): ListState | undefined {
  return existsSync(path) ? readJournal(path).state : undefined
}

function readJournal(path: string) {
  const state = new ListState()
  let [length, crc] = [0, 0]
  for (const read of readRecords(path)) {
    state.apply(read.record)
    length = read.length
    crc = read.crc
  }
  return { state, length, crc }
}

/** Writes a journal with a state and no rows. Replaces an old journal in one step. */
export function writeState(path: string, state: StoredState): void {
  const record = Object.fromEntries(storedFields.map((name) => [name, state[name]]))
  writeOrExplain(path, () => replaceFile(path, encodeRecord(record, 0).line))
}

export class ListJournal {
  readonly #path: string
  readonly #file: AppendedFile
  #crc: number

  constructor(path: string) {
    const { length, crc } = readJournal(path)
    this.#path = path
    this.#file = new AppendedFile(path, length)
    this.#crc = crc
  }

  /** Returns after the record is on disk. If the write fails, the next call also writes this record. */
  append(record: ListRecord): void {
    const { line, crc } = encodeRecord(record, this.#crc)
    this.#crc = crc
    this.#file.write(line)
    this.#file.sync()
  }

  /** Records the length of the journal, so that an older copy of the journal is refused. */
  recordLength(): void {
    recordLength(dirname(this.#path), this.#file.sync())
  }

  close(): void {
    this.#file.close()
  }
}
