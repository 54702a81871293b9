import { UsageError } from '../base/errors.ts'
import { fieldsOf } from '../base/json.ts'
import { didYouMean } from '../base/nearest.ts'
import { machineColumns, machineValue } from './cell.ts'
import type { AnyColumn } from './view.ts'

type Fields = Readonly<Record<string, unknown>>

type Selectable = { text: unknown } | { columns: readonly AnyColumn[] }

/** Throws a UsageError for fields that neither the view nor a row has. The error lists the known fields. */
export function checkFields(
  fields: readonly string[],
  view: Selectable,
  rows: readonly unknown[] = [],
): readonly AnyColumn[] {
  if (!('columns' in view))
    throw new UsageError('--json: this command prints a single value, so fields cannot be selected')
  const named = machineColumns(view.columns).map((column) => column.key)
  const known = [...new Set([...named, ...rows.flatMap((row) => Object.keys(fieldsOf(row)))])]
  const problems = fields
    .filter((field) => !known.includes(field))
    .map((field) => `--json: unknown field "${field}"${didYouMean(field, known)}`)
  if (problems.length > 0) throw new UsageError(problems, { hint: `Known fields: ${known.join(', ')}.` })
  return view.columns
}

/** The requested fields of each row, in their order; null if a row does not have the field. Throws like `checkFields`. */
export function pickFields(rows: readonly unknown[], fields: readonly string[], view: Selectable): Fields[] {
  const columns = checkFields(fields, view, rows)
  const read = (row: unknown, field: string) => {
    const found = fieldsOf(row)
    if (Object.hasOwn(found, field)) return found[field]
    const column = columns.find(({ key }) => key === field)
    return (column && machineValue(column, row)) ?? null
  }
  return rows.map((row) => Object.fromEntries(fields.map((field) => [field, read(row, field)])))
}
