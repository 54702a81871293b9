import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Command } from '../define-command.ts'
import { argumentKey } from '../options.ts'
import { cellsOf, type FlagColumn, readFlags } from './flag-columns.ts'
import { noUserId, toUser } from './open-users.ts'
import type { ManyInput } from './options.ts'

/** The problems of a row. A valid row has none. */
export function findProblems(
  item: ListItem,
  command: Pick<Command, 'user'> & Partial<Pick<Command, 'check'>>,
  input: ManyInput,
  flags: readonly FlagColumn[],
): string[] {
  if (item.user.kind === 'user_id' && command.user === 'external') return [noUserId]
  const problems: string[] = []
  const values = readFlags(flags, item, problems)
  problems.push(...findConflicts(flags, values, input))
  if (problems.length > 0) return problems
  return command.check?.({ ...input, ...values, user: toUser(item) }) ?? []
}

/** Columns of a row that cannot be used together with a flag of the command line. */
function findConflicts(flags: readonly FlagColumn[], values: Record<string, unknown>, input: ManyInput) {
  return flags.flatMap(({ spec: { conflicts }, attribute, names }) => {
    const isConflict = conflicts && values[attribute] !== undefined && input[argumentKey(conflicts)]
    return isConflict ? [`${names[0]} and --${conflicts} cannot be used together`] : []
  })
}

/** The problems without the values of the row, for a log: a cell can contain personal data. */
export function withoutValues(
  problems: readonly string[],
  columns: readonly FlagColumn[],
  item: ListItem,
): string[] {
  if (problems.length === 0) return []
  const quoted = [...cellsOf(columns, item)].map(({ text }) => `"${text}"`)
  return problems.map((problem) =>
    quoted.reduce((text, value) => text.replaceAll(value, 'the value'), problem),
  )
}
