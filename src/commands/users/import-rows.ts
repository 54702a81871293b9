import { UsageError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { birthDate, oneOf } from '../../command/values.ts'
import { sexes, unitSystems, userLanguages } from '../../contract/values.ts'

/** Columns that set a field of the user (spec 2.1). */
const fields = {
  birth_date: birthDate,
  sex: oneOf(sexes),
  language: oneOf(userLanguages),
  preferred_unit_system: oneOf(unitSystems),
} as const

export const importColumns: readonly string[] = Object.keys(fields)

export type UserFields = { [Name in keyof typeof fields]?: ReturnType<(typeof fields)[Name]> }

/** The fields of a row. An empty cell sets nothing. */
export function readFields(item: ListItem): UserFields {
  return readCells(item, () => undefined)
}

/** What is wrong with a row, such as an invalid date. */
export function problemsOfRow(item: ListItem): string[] {
  if (item.user.kind === 'user_id') return ['user_id is not supported here; pass the external_user_id']
  const problems: string[] = []
  readCells(item, (problem) => problems.push(problem))
  return problems
}

function readCells(item: ListItem, report: (problem: string) => void): UserFields {
  const values = Object.entries(fields).flatMap(([name, parse]) => {
    const text = item.cell(name)
    if (text === '') return []
    try {
      return [[name, parse(text)]]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      report(`${name}: ${error.message}`)
      return []
    }
  })
  return Object.fromEntries(values)
}
