import { UsageError } from '../../base/errors.ts'
import type { InputFile } from '../input-file.ts'
import { trimmedText } from '../scan/cells.ts'
import type { Reading } from '../types.ts'
import { fieldNamed, plainName, type TableKind } from './fields.ts'
import type { IdRules } from './user-ids.ts'

/** Columns that a result file adds. They are ignored when the file is imported. */
export const resultColumns = ['_line', '_column', '_code', '_message'] as const

export const answerColumns = ['external_user_id', 'user_id', 'lookup_key', 'value', 'timezone'] as const

type Role = (typeof answerColumns)[number]

export interface KeyColumn {
  column: number
  key: string
}

/** Positions of the columns. -1 if a column is missing. */
export interface Layout {
  form: 'long' | 'wide'
  /** Column names in the file, without the columns that a result file adds. */
  names: readonly string[]
  columns: Readonly<Record<Role, number>>
  /** Columns of lookup keys in the wide form. Empty in the long form. */
  keyColumns: readonly KeyColumn[]
  /** Unknown columns that no flag ignores. */
  unread: readonly number[]
  /** First column without a name. The cells from this column on must be empty. */
  blankFrom: number
  /** Whether the result columns are at the end of each record. */
  isResult: boolean
}

export interface HeaderRules {
  kind: TableKind
  map?: Readonly<Record<string, string>> | undefined
  ignoreColumns?: readonly string[] | undefined
  /** Whether `users import` reads the columns with the fields of users from the same file. Only for answers. */
  withUsers?: boolean | undefined
  /** Lookup keys, or the names of other known columns. */
  known?: readonly string[]
}

/** Determines the layout of a header. Throws an error with all problems. */
export function layoutOf(header: readonly string[], rules: HeaderRules): Layout {
  const { kind, map = {}, known = [] } = rules
  const isList = kind !== 'answers'
  const { isResult, names } = ownColumns(header)
  const readAs = names.map((name) => readAsOf(name, rules))
  const positions = answerColumns.map((role) => [role, readAs.indexOf(role)])
  const columns: Record<Role, number> = Object.fromEntries(positions)
  refuseData(names, readAs, kind)
  const problems = [
    ...mapFaults(names, map),
    ...duplicates(
      names,
      readAs,
      (name) => !isList || known.includes(name) || fieldNamed(name, kind) !== undefined,
    ),
    ...formFaults(names, columns, isList),
  ]
  if (problems.length > 0)
    throw new UsageError(problems, {
      hint: 'Rename a column with --map column=field, or ignore it with --map column=',
    })
  const form = columns.lookup_key >= 0 && !isList ? 'long' : 'wide'
  const others = readAs.flatMap((key, column) => (isOther(key, isList) ? [{ column, key }] : []))
  const hasMeaning = ({ key }: KeyColumn) => known.includes(key) || fieldNamed(key, kind) !== undefined
  // If the lookup keys are not available, every column may be a lookup key.
  const isOpen = form === 'wide' && !isList && known.length === 0
  const unread = isOpen ? [] : others.filter((other) => !hasMeaning(other))
  const isRead = (other: KeyColumn) => isList || isOpen || hasMeaning(other)
  return {
    form,
    names,
    columns,
    keyColumns: form === 'wide' ? others.filter(isRead) : [],
    unread: unread.map(({ column }) => column),
    blankFrom: names.findLastIndex((name) => name.trim() !== '') + 1,
    isResult,
  }
}

/** The columns of the input without the columns and apostrophes that a result file adds. */
export function ownColumns(header: readonly string[]): Pick<Layout, 'isResult' | 'names'> {
  const isResult = resultColumns.every((name, index) => header[header.length - 4 + index] === name)
  return { isResult, names: isResult ? header.slice(0, -4).map(withoutApostrophe) : header }
}

/** The meaning of a column: a field, a lookup key, its own name if it is unknown, or '' if it is ignored. */
export function readAsOf(
  name: string,
  { kind, map = {}, ignoreColumns = [], known = [], withUsers }: HeaderRules,
): string {
  const trimmed = trimmedText(name)
  const mapped = mappedName(name, map)
  if (mapped === undefined && ignoreColumns.some((other) => plainName(other) === plainName(trimmed)))
    return ''
  const target = mapped ?? trimmed
  if (target === '' || known.includes(target)) return target
  const field = fieldNamed(target, kind)
  if (field) return field.name
  if (withUsers && fieldNamed(target, 'users')) return ''
  const plain = plainName(target)
  return known.find((key) => plainName(key) === plain) ?? target
}

/** The name that `--map` sets for a column: for the exact name, or for the name without case and spaces. */
function mappedName(name: string, map: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(map, name)) return map[name]
  const key = Object.keys(map).find((other) => plainName(other) === plainName(name))
  return key === undefined ? undefined : map[key]
}

/** Matches an email address, a number, or a date, also between characters that delimit cells in other files. */
const dataCell = /@|(?:^|[,;\t|])\s*[-+]?\d[\d./:-]*\s*(?:$|[,;\t|])/

/**
 * Refuses a first line that contains no known name and looks like data. Its texts must not appear in messages, because they may be personal
 * data.
 */
export function refuseData(names: readonly string[], readAs: readonly string[], kind: TableKind): void {
  if (names.some((name) => /^'.+'$/.test(name)))
    throw new UsageError('the cells are enclosed in single quotes', {
      hint: 'Export the file again with double quotes.',
    })
  const hasField = answerColumns.some((field) => readAs.includes(field))
  if (hasField || !names.some((name) => dataCell.test(name))) return
  throw dataHeader(kind)
}

export function dataHeader(kind: TableKind): UsageError {
  const example = kind === 'answers' ? 'external_user_id,lookup_key,value' : 'external_user_id,email'
  return new UsageError('the first line contains data instead of a header', {
    hint: `Add a header line, such as: ${example}`,
  })
}

/** Removes the apostrophe that a result file adds before a name that looks like a formula. */
function withoutApostrophe(name: string): string {
  return name.replace(/^'(?='*[=+@\t\r-])/, '')
}

const namesInLists: ReadonlySet<string> = new Set(['', 'external_user_id', 'user_id'])
const namesOfAnswers: ReadonlySet<string> = new Set(['', ...answerColumns, ...resultColumns])

/** Whether a column is not a field. In wide form (one column per lookup key), such a column is a lookup key. */
export function isOther(name: string, isList = false): boolean {
  return !(isList ? namesInLists : namesOfAnswers).has(name)
}

function mapFaults(names: readonly string[], map: Readonly<Record<string, string>>): string[] {
  return Object.keys(map)
    .filter((name) => !names.some((other) => plainName(other) === plainName(name)))
    .map((name) => `--map: the header has no column "${name}"`)
}

function duplicates(
  names: readonly string[],
  readAs: readonly string[],
  hasMeaning: (name: string) => boolean,
): string[] {
  const faults: string[] = []
  for (const [column, name] of readAs.entries()) {
    const first = readAs.indexOf(name)
    if (name === '' || first === column || !hasMeaning(name)) continue
    const both = `columns ${first + 1} ("${names[first]}") and ${column + 1} ("${names[column]}")`
    faults.push(`the header has ${name} twice: ${both}`)
  }
  return faults
}

function formFaults(names: readonly string[], columns: Record<Role, number>, isList: boolean): string[] {
  const faults: string[] = []
  const found = names.map((name) => `"${name}"`).join(', ')
  if (columns.external_user_id < 0 && columns.user_id < 0) {
    faults.push(`the header has neither external_user_id nor user_id; its columns are ${found}`)
  }
  if (!isList && columns.lookup_key >= 0 !== columns.value >= 0) {
    const [present, absent] = columns.value >= 0 ? ['value', 'lookup_key'] : ['lookup_key', 'value']
    faults.push(`the header has a column "${present}" but no column "${absent}"; its columns are ${found}`)
  }
  return faults
}

export interface Position {
  offset: number
  line: number
}

export interface TableRules extends Reading {
  kind: TableKind
  /** Lookup keys, or the names of other known columns. */
  known?: readonly string[]
  /** Whether damaged IDs are refused (default: true for answers, false for lists). */
  checksIds?: boolean
}

/** The rules for IDs. Answers are always checked. A list is checked if its rows change users. */
export function idRules({ ids, checksIds, kind }: Pick<TableRules, 'ids' | 'checksIds' | 'kind'>): IdRules {
  const padTo = typeof ids === 'number' ? ids : 0
  return { isExact: ids === 'exact', isChecked: checksIds ?? kind === 'answers', padTo }
}

export function emptyInput(input: InputFile): UsageError {
  return new UsageError(`${input.name} is empty`)
}
