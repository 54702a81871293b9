import type { ResultFolder } from './results/result-folder.ts'
import type { Shard } from './shard.ts'
import type { UserFilter } from './writers/user-filter.ts'

/** Shapes shared by the reading side (check, spool, batches, result files) and the sending side (journal, run). */

export type UserKind = 'external_user_id' | 'user_id'

export interface UserRef {
  kind: UserKind
  /** The exact string of the file: never trimmed, never case-folded. */
  id: string
}

/** Where an answer came from. */
export interface Place {
  /** Identity: the 0-based data row in long form, the 0-based filled cell in wide form, in file order. */
  row: number
  /** 1-based line on which the record starts. */
  line: number
  /** Byte at which the record starts, in the file as UTF-8 text without compression. */
  offset: number
}

/** One valid answer. */
export interface Answer extends Place {
  user: UserRef
  lookup_key: string
  value: number
  /** IANA name with its case fixed; aliases are kept. */
  timezone: string
}

/** Why a row is not accepted. */
export interface Reason {
  /** Name of the column as it stands in the file. */
  column?: string | undefined
  code: string
  /** What is wrong and what would be right; holds no user id. */
  message: string
}

export interface RowProblem extends Place, Reason {
  /** As far as it can be read; empty if not. */
  user: string
}

/** Answers of one user for one request, in file order. A pure function of the input's bytes and the batch size. */
export interface Batch {
  /** 0-based, in sending order. */
  id: number
  user: UserRef
  rows: Answer[]
}

export interface ImportSettings {
  /** Answers a request at most. */
  batchSize: number
  /** Zone of the rows that name none. */
  timezone?: string | undefined
  /** Column of the file to the name it is read as (`--map theirs=ours`). */
  map?: Readonly<Record<string, string>> | undefined
  delimiter?: string | undefined
  /** Only the users of this shard are imported; absent: all. */
  shard?: Shard | undefined
}

/** sha256 (hex) and length of the input's bytes as they stand: before decompression and transcoding. */
export interface InputIdentity {
  sha256: string
  bytes: number
}

export interface UnknownKey {
  key: string
  rows: number
  /** 1-based. */
  first_line: number
  nearest?: string | undefined
}

interface RepeatedPair {
  lookup_key: string
  line: number
  first_line: number
}

/** What is known of the input before anything is sent; printed as it is. */
export interface Plan {
  name: string
  identity: InputIdentity
  format: 'csv' | 'tsv' | 'jsonl'
  form: 'long' | 'wide'
  /** Absent for jsonl. */
  delimiter?: { character: string; from: 'header' | 'sep line' | 'option' } | undefined
  encoding: 'UTF-8' | 'UTF-8 with BOM' | 'UTF-16LE' | 'UTF-16BE'
  gzip: boolean
  /** How each column that counts is read, as it stands in the file. */
  columns: readonly { header: string; read_as: string }[]
  ignored_columns: readonly string[]
  /** Zone of the rows that name none; absent where none was given. */
  timezone?: string | undefined
  /** answers + invalid. */
  rows: number
  answers: number
  invalid: number
  /** Invalid rows of the whole input, those of other shards among them. */
  invalid_in_input: number
  /** Empty lines, and wide rows without an answer: skipped. */
  skipped: number
  users: number
  /** Requests needed when nothing is refused: one a batch. */
  requests: number
  problem_counts: readonly { code: string; rows: number }[]
  /** The first problems in file order; all of them are in the rejects file. */
  problems: readonly RowProblem[]
  unknown_keys: readonly UnknownKey[]
  /** Answers whose user and key came earlier in the file, and the first of them. */
  repeats: { rows: number; examples: readonly RepeatedPair[] }
  /** Set when reading stopped before the end: what follows was not read. */
  stopped_at?: Place | undefined
}

export type ResultKind = 'rejects' | 'unknown'

/** A rejects or unknown file: original columns byte for byte plus the reason, importable again as it is. */
export interface ResultFile {
  /** Where it is, once it is closed and has rows. */
  readonly path: string | undefined
  readonly rows: number
  /** Copies the record at `place.offset`. In wide form only the cells of `lookupKeys` are kept, if any are given. */
  add(place: Pick<Place, 'line' | 'offset'>, reasons: readonly Reason[], lookupKeys?: readonly string[]): void
  /** Puts the file under its name; where no row was added there is none. The next run may replace it until the folder keeps it. */
  close(): void
  /** Gives up what was written and is not closed yet. */
  discard(): void
}

export interface CheckOptions {
  /** From `GET /v2/questions/all`; without it no key is unknown. */
  knownKeys?: readonly string[] | undefined
  /** Where `rejects.csv` (`.tsv`, `.jsonl`, as the input) receives every invalid row, in file order. */
  results?: ResultFolder | undefined
  /** For a dry run, which makes no batches: the answers are counted and not kept. */
  countsOnly?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Bytes read so far of the bytes to read. */
  onProgress?: ((readBytes: number, totalBytes: number) => void) | undefined
}

/** A checked input, which holds temporary files until it is closed. */
export interface CheckedInput {
  readonly plan: Plan
  /** Whether some rows name their user by `external_user_id` and others by `user_id`: one person may be among both. */
  readonly hasBothIds: boolean
  /** Requests of one user are sent one after another. */
  readonly mostRequestsOfOneUser: number
  /** The users whose answers are imported. */
  readonly users: UserFilter
  /** Open for further rows, which the service rejects; absent without `results`. */
  readonly rejects?: ResultFile | undefined
  /** Restartable: every call yields the same batches; those that `isDone` claims are skipped without being built. */
  batches(isDone?: (id: number) => boolean): AsyncIterable<Batch> | Iterable<Batch>
  /** A further result file (`unknown`) in the input's format. */
  openResults(folder: ResultFolder, name: ResultKind): ResultFile
  close(): Promise<void>
}
