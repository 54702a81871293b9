import type { Plan } from './schemas.ts'
import type { Shard } from './shard.ts'

/** Types that the reading and the sending side share. */

export const userKinds = ['external_user_id', 'user_id'] as const
export type UserKind = (typeof userKinds)[number]

export interface UserRef {
  kind: UserKind
  /** The exact string from the file. */
  id: string
}

export interface Place {
  /** Data row (long form) or cell with a value (wide form), 0-based in file order. */
  row: number
  /** Line on which the record starts, 1-based. */
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

/** Reason why a row is invalid or was not accepted. */
export interface Reason {
  /** Name in the file. */
  column?: string | undefined
  code: string
  /** Contains no user ID. */
  message: string
}

/** Answers of one user for one request, in file order. Determined by the input and the batch size alone. */
export interface Batch {
  /** 0-based, in sending order. */
  id: number
  user: UserRef
  rows: Answer[]
}

/** How a file is read, as set with flags. */
export interface Reading {
  /** Maps a column name in the file to the name that replaces it (`--map column=field`). */
  map?: Readonly<Record<string, string>> | undefined
  delimiter?: string | undefined
  /**
   * `exact`: IDs are used as they are, with surrounding spaces, and are not checked for damage. `keep`: lost zeros are not
   * restored. A number: IDs of digits get leading zeros up to this length.
   */
  ids?: 'exact' | 'keep' | number | undefined
  /** Label of the encoding (default: detected). */
  encoding?: string | undefined
  /** Line of the header, 1-based (default: detected). */
  headerLine?: number | undefined
  ignoreColumns?: readonly string[] | undefined
  /** Whether columns of answers beside the fields of users are read (`users import --with-answers`). */
  withUsers?: boolean | undefined
  /** With the tokens D, DD, M, MM, and YYYY. */
  dateFormat?: string | undefined
  /** By field: the value for each text in the file. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  /** Sheet of a workbook (default: the first visible one). */
  sheet?: string | undefined
  /** Hidden rows and columns of a workbook (default: refused). */
  hidden?: 'include' | 'skip' | undefined
}

export interface ImportSettings extends Reading {
  batchSize: number
  /** Time zone of rows without one: an IANA name with the correct case. */
  timezone?: string | undefined
  /** Import only the users of this shard (default: all users). */
  shard?: Shard | undefined
}

/** SHA-256 (hexadecimal) and length of the file, before decompression and conversion. */
export type InputIdentity = Plan['identity']

export type RowProblem = Plan['problems'][number]

export type UnknownKey = Plan['unknown_keys'][number]

/** Reasons of rows that were sent, but whose outcome is unknown. */
export const unknownCodes: ReadonlySet<string> = new Set([
  'open',
  'superseded',
  'unproven',
  'unconfirmed',
  'fails_repeatedly',
])

export type ResultKind = 'rejects' | 'unknown' | 'unsaved'
