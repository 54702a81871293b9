import { type InputFile, recordsFrom } from '../input-file.ts'
import { dialectOf, type RecordScanner } from '../scan/scanner.ts'
import { userKinds } from '../types.ts'
import { isJsonName, layoutWith, rolesOf, type Table, type TableRules } from './table.ts'

/** Determines how to read the rows of a file. Most code for this is loaded only if `exactTable` does not support the file. */
export async function openTable(input: InputFile, rules: TableRules): Promise<Table> {
  const exact = exactTable(input, rules)
  if (exact) return exact
  const { detectTable } = await import('./detect-table.ts')
  return detectTable(input, rules)
}

/** The table of a UTF-8 file whose first line contains only exact names, such as `external_user_id,lookup_key,value`. */
function exactTable(input: InputFile, rules: TableRules): Table | undefined {
  const { kind, map = {}, delimiter, headerLine, ignoreColumns } = rules
  const hasFlags = [delimiter, headerLine, ignoreColumns, ...Object.keys(map)].some(
    (set) => set !== undefined,
  )
  if (hasFlags || input.sheet !== undefined || input.isAssumed || isJsonName(input.name)) return undefined
  for (const character of [',', ';', '\t']) {
    const dialect = dialectOf(character)
    const [record] = recordsFrom(input, dialect, { offset: input.start, line: 1 })
    const header = record && exactNames(record, rules)
    if (!header) continue
    const { offset, start, end, following } = record
    return {
      input,
      rules,
      format: character === '\t' ? 'tsv' : 'csv',
      delimiter: { character, from: 'header' },
      dialect,
      layout: layoutWith(header, header, kind),
      questions: [],
      data: following,
      header: { from: offset, to: offset + end - start },
    }
  }
  return undefined
}

/** The names in a header. Undefined if a name is unknown or repeated, or if a required name is missing. */
function exactNames({ fault, cells }: RecordScanner, { kind, known = [] }: TableRules): string[] | undefined {
  const all = new Set([...rolesOf(kind), ...known])
  const header = Array.from({ length: cells.count }, (_, column) => cells.text(column))
  const found = new Set(header)
  const isExact = found.size === header.length && header.every((name) => all.has(name))
  const hasUser = userKinds.some((name) => found.has(name))
  const isComplete = kind !== 'answers' || found.has('lookup_key') === found.has('value')
  return fault === undefined && isExact && hasUser && isComplete ? header : undefined
}
