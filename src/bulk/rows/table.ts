import { UsageError } from '../../base/errors.ts'
import type { InputFile } from '../input-file.ts'
import type { Question } from '../questions.ts'
import type { Cells } from '../scan/cells.ts'
import type { Dialect, Fault, Position, RecordScanner } from '../scan/scanner.ts'
import type { Plan } from '../schemas.ts'
import { type Reading, type Reason, userKinds } from '../types.ts'
import type { TableKind } from './fields.ts'

/** Columns that a result file adds. They are ignored when the file is imported. */
export const resultColumns = ['_line', '_column', '_code', '_message'] as const

export const answerColumns = ['external_user_id', 'user_id', 'lookup_key', 'value', 'timezone'] as const

type Role = (typeof answerColumns)[number]

/** The names of the fields that have a position in the layout. */
export function rolesOf(kind: TableKind): readonly string[] {
  return kind === 'answers' ? answerColumns : userKinds
}

export function isResultColumn(name: string): boolean {
  return resultColumns.some((column) => column === name)
}

export interface KeyColumn {
  column: number
  key: string
}

/** The form of a table, and the positions of its columns. -1 for a missing column. */
export interface Layout {
  form: 'long' | 'wide'
  /** Column names in the file, without the columns that a result file adds. */
  names: readonly string[]
  columns: Readonly<Record<Role, number>>
  /** Columns of lookup keys in the wide form. Empty in the long form. */
  keyColumns: readonly KeyColumn[]
  /** Unknown columns, except columns that the user ignores with a flag. */
  unread: readonly number[]
  /** First column without a name. The cells from this column on must be empty. */
  blankFrom: number
  /** Whether the result columns are at the end of each record. */
  isResult: boolean
}

/** `readAs` contains the meaning of each column: a field, a lookup key, another name, or '' if the column is ignored. */
export function layoutWith(
  names: readonly string[],
  readAs: readonly string[],
  kind: TableKind,
  hasMeaning: (name: string) => boolean = () => true,
  jsonForm?: Layout['form'],
): Layout {
  const isList = kind !== 'answers'
  const positions = answerColumns.map((role) => [role, readAs.indexOf(role)])
  const columns: Record<Role, number> = Object.fromEntries(positions)
  const form = jsonForm ?? (columns.lookup_key >= 0 && !isList ? 'long' : 'wide')
  const others = readAs.flatMap((key, column) => (isOther(key, kind) ? [{ column, key }] : []))
  const unread = others.filter(({ key }) => !hasMeaning(key))
  const keyColumns = isList ? others : others.filter(({ key }) => hasMeaning(key))
  return {
    form,
    names,
    columns,
    keyColumns: form === 'wide' ? keyColumns : [],
    unread: unread.map(({ column }) => column),
    blankFrom: names.findLastIndex((name) => name.trim() !== '') + 1,
    isResult: false,
  }
}

/** Whether a column is not a field. In wide form (one column per lookup key), such a column is a lookup key. */
export function isOther(name: string, kind: TableKind): boolean {
  return name !== '' && !rolesOf(kind).includes(name) && !(kind === 'answers' && isResultColumn(name))
}

export interface TableRules extends Reading {
  kind: TableKind
  /** Names of columns that the command reads: lookup keys for an answer import, or data columns for a list of users. */
  known?: readonly string[]
  /** Whether damaged IDs are refused (default: true for answers, false for lists). */
  checksIds?: boolean
}

export interface IdRules {
  /** Whether IDs are used unchanged (`--ids exact`): spaces are not removed, and damaged IDs are not refused. */
  isExact: boolean
  /** Whether damaged IDs are refused. They are refused if rows create or change users or answers, unless IDs are used unchanged. */
  isChecked: boolean
  /** IDs that consist of digits get leading zeros up to this length. If the length is 0, no zeros are added. */
  padTo: number
}

export function idRules({ ids, checksIds, kind }: TableRules): IdRules {
  const isExact = ids === 'exact'
  const padTo = typeof ids === 'number' ? ids : 0
  return { isExact, isChecked: !isExact && (checksIds ?? kind === 'answers'), padTo }
}

export function emptyInput(input: InputFile): UsageError {
  return new UsageError(`${input.name} is empty`)
}

/** The reason to refuse a record with a quote inside a cell. Its cells cannot be separated. */
export const strayQuote: Reason = {
  code: 'stray_quote' satisfies Fault,
  message:
    'quotation mark inside an unquoted cell; enclose the cell in quotation marks and double each quotation mark inside it',
}

/**
 * The reason to reject a record if at least two of its lines look like complete rows: they have enough cells, and their IDs are similar to
 * the ID of the record. An address with several lines usually has fewer delimiters, and contains no such ID.
 */
export function whyJoined(
  scanner: RecordScanner,
  cells: Cells,
  { delimiter, layout }: Table,
): Reason | undefined {
  const { columns, blankFrom } = layout
  const at = columns.external_user_id < 0 ? columns.user_id : columns.external_user_id
  const id = cells.text(at).trim()
  const isRow = (line: string) => {
    const parts = line.split(delimiter?.character ?? '')
    return parts.length >= blankFrom && isSimilarId((parts[at] ?? '').trim(), id)
  }
  const lines = scanner.record
    .toString()
    .replaceAll('"', '')
    .split(/\r\n?|\n/)
  if (lines.filter(isRow).length < 2) return undefined
  const [from, to] = [scanner.line, scanner.following.line - 1]
  return {
    code: 'stray_quote' satisfies Fault,
    message: `lines ${from} to ${to} are one row, but look like several rows; a quotation mark is probably missing on line ${from}; correct the line, or keep such rows with --ids exact`,
  }
}

/** Whether two texts can be IDs from the same file. In a note, a number is often shorter than the IDs, such as "61, at home" or "12, High Street". */
function isSimilarId(text: string, id: string): boolean {
  const hasOtherLength = /^\d+$/.test(text) && Math.abs(text.length - id.length) > 1
  return shapeOf(text) === shapeOf(id) && !hasOtherLength
}

/** The shape of an ID: the ID with the same mark instead of each word that contains digits, such as A1 or 102. */
function shapeOf(id: string): string {
  return id.replace(/[\p{L}\p{N}]+/gu, (word) => (/\d/.test(word) ? '9' : 'a'))
}

/** The reason to reject a row that does not fit the header: a wrong number of cells, or a value in a column without a name. */
export function widthReason(found: number, expected: number): Reason {
  if (found === expected)
    return { code: 'long_row', message: 'a cell has a value, but its column has no name' }
  const message = `the row has ${found === 1 ? '1 cell' : `${found} cells`}, but the header has ${expected}`
  if (found < expected) return { code: 'short_row', message }
  return { code: 'long_row', message: `${message}; quote cells that contain the delimiter` }
}

export interface JsonReader {
  readonly cells: Cells
  /** Keys that first appear after the first lines, in order of appearance. In wide form, they are lookup keys. */
  readonly keyNames: readonly string[]
  /** Fills `cells`. Returns a reason if the line is invalid. */
  read(line: Buffer): Reason | undefined
}

export type ResultCells = readonly [line: number, column: string, code: string, message: string]

/** Functions that read lines of JSON, and that write such lines to result files. */
interface JsonFormat {
  /** Fields and lookup keys in the first lines of the file. `layout` also contains the other fields. */
  fields: ReadonlySet<string>
  openCells(): JsonReader
  /** A line of JSON to which the reason for the result was added. If `onlyKeys` is set, the line contains no other lookup keys. */
  resultLine(record: Buffer, reason: ResultCells, onlyKeys?: ReadonlySet<string>): string
}

/** An input and the rules for reading its rows. The first records determine the rules. */
export interface Table {
  input: InputFile
  rules: TableRules
  format: Plan['format']
  delimiter: Plan['delimiter']
  dialect: Dialect
  layout: Layout
  /** Functions for lines of JSON. Undefined if the file is not JSON. */
  json?: JsonFormat
  /** Questions about the header. */
  questions: readonly Question[]
  /** Number of lines above the header (default 0). */
  titleLines?: number
  /** Position of the first data row. */
  data: Position
  /** Position of the header, for the result files. Undefined if the file has no header. */
  header?: { from: number; to: number }
}

export function isJsonName(name: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name)
}
