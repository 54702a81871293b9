import { UsageError } from '../../base/errors.ts'
import { trimmedText } from '../scan/cells.ts'
import { userKinds } from '../types.ts'
import { fieldNamed, plainName, type TableKind } from './fields.ts'
import { answerColumns, type Layout, layoutWith, resultColumns, type TableRules } from './table.ts'

/** Determines the layout of a header. If the header has errors, throws one error that lists all of them. */
export function layoutOf(header: readonly string[], rules: TableRules): Layout {
  const { kind, map = {}, known = [] } = rules
  const isList = kind !== 'answers'
  const { isResult, names } = ownColumns(header)
  const readAs = names.map((name) => readAsOf(name, rules))
  refuseData(names, readAs, kind)
  const isKnown = (name: string) => hasMeaning(name, rules)
  const problems = [
    ...mapFaults(names, map),
    ...duplicates(names, readAs, (name) => !isList || isKnown(name)),
    ...formFaults(names, readAs, isList),
  ]
  if (problems.length > 0)
    throw new UsageError(problems, {
      hint: 'Rename a column with --map column=field, or ignore it with --map column=',
    })
  // If the lookup keys are not available, any column of the wide form may be a lookup key.
  const isOpen = !isList && known.length === 0 && !readAs.includes('lookup_key')
  return { ...layoutWith(names, readAs, kind, isOpen ? undefined : isKnown), isResult }
}

/** Whether the meaning of a column is a field or a lookup key. */
export function hasMeaning(readAs: string, { kind, known = [] }: TableRules): boolean {
  return known.includes(readAs) || fieldNamed(readAs, kind) !== undefined
}

/** The column names in the original file, without the columns and apostrophes that a result file adds. */
export function ownColumns(header: readonly string[]): Pick<Layout, 'isResult' | 'names'> {
  const isResult = resultColumns.every((name, index) => header[header.length - 4 + index] === name)
  const own = () => header.slice(0, -4).map((name) => name.replace(/^'(?='*[=+@\t\r-])/, ''))
  return { isResult, names: isResult ? own() : header }
}

/** The meaning of a column: a field, a lookup key, or, for an unknown column, its own name. Empty if the column is ignored. */
export function readAsOf(
  name: string,
  { kind, map = {}, ignoreColumns = [], known = [], withUsers }: TableRules,
): string {
  const trimmed = trimmedText(name)
  const mapped = mappedName(name, map)
  if (mapped === undefined && ignoreColumns.some((other) => isNameOf(trimmed, other))) return ''
  const target = mapped ?? trimmed
  if (target === '' || known.includes(target)) return target
  const field = fieldNamed(target, kind)
  if (field) return field.name
  if (withUsers && fieldNamed(target, 'users')) return ''
  const plain = plainName(target)
  return known.find((key) => plainName(key) === plain) ?? target
}

export function isUserField(field: string): boolean {
  return userKinds.some((kind) => kind === field)
}

/** The name that `--map` sets for a column. */
function mappedName(name: string, map: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(map, name)) return map[name]
  const key = Object.keys(map).find((other) => isNameOf(name, other))
  return key === undefined ? undefined : map[key]
}

/** Whether a flag names this column. `user_id` must match exactly, because a file can also have a column `User ID`. */
export function isNameOf(column: string, name: string): boolean {
  return column === 'user_id' ? name === column : plainName(column) === plainName(name)
}

/** Matches an email address, a number, or a date, alone or next to a delimiter of another file format. */
const dataCell = /@|(?:^|[,;\t|])\s*[-+]?\d[\d./:-]*\s*(?:$|[,;\t|])/

/** Refuses a first line that looks like data and contains no known name. Its texts may be personal data, so messages must not show them. */
export function refuseData(names: readonly string[], readAs: readonly string[], kind: TableKind): void {
  if (names.some((name) => /^'.+'$/.test(name)))
    throw new UsageError('the cells are enclosed in single quotes', {
      hint: 'Export the file again, with double quotes around the cells.',
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

function mapFaults(names: readonly string[], map: Readonly<Record<string, string>>): string[] {
  return Object.keys(map)
    .filter((name) => !names.some((column) => isNameOf(column, name)))
    .map((name) => `--map: the header has no column "${name}"`)
}

function duplicates(
  names: readonly string[],
  readAs: readonly string[],
  hasMeaning: (name: string) => boolean,
): string[] {
  const firsts = new Map<string, number>()
  const seconds = new Map<string, number>()
  for (const [column, name] of readAs.entries()) {
    if (!firsts.has(name)) firsts.set(name, column)
    else if (name !== '' && !seconds.has(name) && hasMeaning(name)) seconds.set(name, column)
  }
  const shown = (column = 0) => `${column + 1} ("${names[column]}")`
  return [...seconds].map(
    ([name, column]) =>
      `the header has ${name} twice: columns ${shown(firsts.get(name))} and ${shown(column)}`,
  )
}

function formFaults(names: readonly string[], readAs: readonly string[], isList: boolean): string[] {
  const faults: string[] = []
  const found = names.map((name) => `"${name}"`).join(', ')
  const has = (field: string) => readAs.includes(field)
  if (!readAs.some(isUserField)) {
    faults.push(`the header has neither external_user_id nor user_id; its columns are ${found}`)
  }
  if (!isList && has('lookup_key') !== has('value')) {
    const [present, absent] = has('value') ? ['value', 'lookup_key'] : ['lookup_key', 'value']
    faults.push(`the header has a column "${present}" but no column "${absent}"; its columns are ${found}`)
  }
  return faults
}
