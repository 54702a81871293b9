import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'

/** Columns that a result file adds. They are ignored when it is imported again. */
export const resultColumns = ['_line', '_column', '_code', '_message'] as const

export const answerColumns = ['external_user_id', 'user_id', 'lookup_key', 'value', 'timezone'] as const

type Role = (typeof answerColumns)[number]

export interface KeyColumn {
  column: number
  key: string
}

/** Positions of the columns; -1 if a column is missing. */
export interface Layout {
  form: 'long' | 'wide'
  /** Names in the file, without the result columns. */
  names: readonly string[]
  columns: Readonly<Record<Role, number>>
  /** Wide form only. */
  keyColumns: readonly KeyColumn[]
  /** Columns from here on have no name, and their cells must be empty. */
  blankFrom: number
  ignored: readonly string[]
  /** Whether each record ends with the result columns. */
  isResult: boolean
  /** Whether each row is a user, not an answer. Other columns can then have any name. */
  isList: boolean
}

/** Throws an error with all problems of the header. `map` renames columns; an empty name means ignored. */
export function layoutOf(
  header: readonly string[],
  map: Readonly<Record<string, string>> = {},
  isList = false,
  known: readonly string[] = [],
): Layout {
  const isResult = resultColumns.every((name, index) => header[header.length - 4 + index] === name)
  const names = isResult ? header.slice(0, -4).map(withoutApostrophe) : header
  const fields: readonly string[] = isList ? [...namesInLists, ...known] : [...answerColumns, ...known]
  const readAs = names.map((name) => fieldOf(renamed(name, map).trim(), fields))
  const positions = answerColumns.map((role) => [role, readAs.indexOf(role)])
  const columns: Record<Role, number> = Object.fromEntries(positions)
  if (isData(names, columns)) {
    const example = isList ? 'external_user_id,email' : 'external_user_id,lookup_key,value'
    throw new UsageError('the first line contains data instead of a header', {
      hint: `Add a header line, such as: ${example}`,
    })
  }
  const problems = [
    ...mapFaults(names, map),
    ...duplicates(names, readAs),
    ...formFaults(names, columns, isList),
  ]
  if (problems.length > 0)
    throw new UsageError(problems, {
      hint: headerHint(names, columns.external_user_id < 0 && columns.user_id < 0),
    })
  const form = columns.lookup_key >= 0 && !isList ? 'long' : 'wide'
  const others = readAs.flatMap((key, column) => (isOther(key, isList) ? [{ column, key }] : []))
  return {
    form,
    names,
    columns,
    keyColumns: form === 'wide' ? others : [],
    blankFrom: names.findLastIndex((name) => name.trim() !== '') + 1,
    ignored: form === 'wide' ? [] : others.map(({ column }) => names[column] ?? ''),
    isResult,
    isList,
  }
}

/** The field with this name. Otherwise, names match without regard to case, spaces, underscores, and hyphens. */
function fieldOf(name: string, fields: readonly string[]): string {
  if (fields.includes(name)) return name
  const plain = plainName(name)
  return fields.find((field) => plainName(field) === plain) ?? name
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

/** Matches an email address, and a number or a date, including one next to another delimiter. */
const dataCell = /@|(?:^|[,;\t|])\s*[-+]?\d[\d./:-]*\s*(?:$|[,;\t|])/

/** No column has a known name, and a name is data: messages must not show answers and personal data. */
function isData(names: readonly string[], columns: Record<Role, number>): boolean {
  return Object.values(columns).every((column) => column < 0) && names.some((name) => dataCell.test(name))
}

/** Removes the apostrophe that a result file adds to a name that looks like a formula. */
function withoutApostrophe(name: string): string {
  return name.replace(/^'(?='*[=+@\t\r-])/, '')
}

/** The name that `--map` sets for a name in the file. */
export function renamed(name: string, map: Readonly<Record<string, string>>): string {
  return Object.hasOwn(map, name) ? (map[name] ?? '') : name
}

const namesInLists: ReadonlySet<string> = new Set(['', 'external_user_id', 'user_id'])
const namesOfAnswers: ReadonlySet<string> = new Set(['', ...answerColumns, ...resultColumns])

/** In wide form, such a column is a lookup key. */
export function isOther(name: string, isList = false): boolean {
  return !(isList ? namesInLists : namesOfAnswers).has(name)
}

function mapFaults(names: readonly string[], map: Readonly<Record<string, string>>): string[] {
  return Object.keys(map)
    .filter((name) => !names.includes(name))
    .map((name) => `--map: the header has no column "${name}"`)
}

function duplicates(names: readonly string[], readAs: readonly string[]): string[] {
  const faults: string[] = []
  for (const [column, name] of readAs.entries()) {
    const first = readAs.indexOf(name)
    if (name === '' || first === column) continue
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

/**
 * Hint for renaming a column. The example renames the first column, because the header does not show which column
 * contains the users.
 */
function headerHint(names: readonly string[], isUserMissing: boolean): string {
  if (!isUserMissing) return 'Rename a column with --map column=field, or ignore it with --map column='
  const example = quoteWord(`${names.find(Boolean)}=external_user_id`)
  return `Rename a column, for example: --map ${example}. If the file uses another delimiter, set --delimiter.`
}

/** Returns undefined if the text cannot be a delimiter. */
export function delimiterOf(text: string): string | undefined {
  const character = text === 'tab' || text === '\\t' ? '\t' : text
  return /^[^\0"\r\n\x7f-\uffff]$/.test(character) ? character : undefined
}
