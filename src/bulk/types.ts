import type { Plan } from './schemas.ts'
import type { Shard } from './shard.ts'

export const userKinds = ['external_user_id', 'user_id'] as const
export type UserKind = (typeof userKinds)[number]

export interface UserRef {
  kind: UserKind
  /** The text of the ID exactly as in the file. */
  id: string
}

export interface Place {
  /** Number of the data row (long form) or of the cell with a value (wide form), starting at 0. */
  row: number
  /** Line on which the record starts. The first line is 1. */
  line: number
  /** Byte at which the record starts, after decompression and conversion to UTF-8. */
  offset: number
}

export interface Answer extends Place {
  user: UserRef
  lookup_key: string
  value: number
  /** IANA name with the correct case. */
  timezone: string
}

/** The reason why a row is invalid or was not accepted. */
export interface Reason {
  column?: string | undefined
  code: string
  /** Message that contains no user ID. */
  message: string
}

/** Answers of one user for one request, in file order. Only the input and the batch size determine the batches. */
export interface Batch {
  id: number
  user: UserRef
  rows: Answer[]
}

/** Settings for reading a file, from flags. */
export interface Reading {
  /** Maps the name of a column to its field (`--map column=field`). */
  map?: Readonly<Record<string, string>> | undefined
  delimiter?: string | undefined
  /**
   * How IDs are read. `exact`: IDs are used unchanged, including surrounding spaces, and are not checked for damage. `keep`: lost leading
   * zeros are not restored. A number: IDs that consist of digits get leading zeros up to this length.
   */
  ids?: 'exact' | 'keep' | number | undefined
  /** Name of the encoding (default: detected). */
  encoding?: string | undefined
  /** Line of the header, starting at 1 (default: detected). */
  headerLine?: number | undefined
  ignoreColumns?: readonly string[] | undefined
  /** Whether the file can have columns of answers in addition to the columns of user fields (`users import --with-answers`). */
  withUsers?: boolean | undefined
  /** Date format with D, DD, M, MM, and YYYY. */
  dateFormat?: string | undefined
  /** Replacement values for texts in the file. The first key is the field, and the second key is the text. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  /** Sheet of a workbook (default: the first visible one). */
  sheet?: string | undefined
  /** Whether hidden rows and columns of a workbook are imported or skipped (default: the workbook is refused). */
  hidden?: 'include' | 'skip' | undefined
}

export interface ImportSettings extends Reading {
  batchSize: number
  /** Time zone for rows without a time zone: an IANA name with the correct case. */
  timezone?: string | undefined
  /** Shard whose users are imported (default: all users). */
  shard?: Shard | undefined
}

/** SHA-256 (hexadecimal) and length of the file before decompression and conversion. */
export type InputIdentity = Plan['identity']

export type RowProblem = Plan['problems'][number]

export type UnknownKey = Plan['unknown_keys'][number]

/** Codes of rows that were sent and whose outcome is unknown. */
export const unknownCodes: ReadonlySet<string> = new Set([
  'open',
  'superseded',
  'unproven',
  'unconfirmed',
  'fails_repeatedly',
])

/** Files with rows of the input. `unsaved`: rows whose answers a verification did not find. */
export type ResultKind = 'rejects' | 'unknown' | 'unsaved'
