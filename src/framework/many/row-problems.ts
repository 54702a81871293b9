import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Command } from '../define-command.ts'
import type { Options } from '../options.ts'
import { cellsOf, type FlagColumn, readFlags } from './flag-columns.ts'
import { noUserId, toUser } from './open-users.ts'
import type { ManyInput } from './options.ts'

/** The problems of a row. Empty if the row is valid. */
export function findProblems(
  item: ListItem,
  command: Pick<Command, 'user' | 'options'> & Partial<Pick<Command, 'check'>>,
  input: ManyInput,
  flags: readonly FlagColumn[],
): string[] {
  if (item.user.kind === 'user_id' && command.user === 'external') return [noUserId]
  const problems: string[] = []
  const values = readFlags(flags, item, problems)
  if (flags.length > 0) problems.push(...findConflicts(command.options, flags, values, input))
  if (problems.length > 0) return problems
  return command.check?.({ ...input, ...values, user: toUser(item) }) ?? []
}

/** Problems with columns that cannot be combined with a flag on the command line. */
function findConflicts(
  options: Options,
  flags: readonly FlagColumn[],
  values: Record<string, unknown>,
  input: ManyInput,
): string[] {
  return flags.flatMap(({ flag: { conflicts }, key, names }) => {
    const isConflict = conflicts && values[key] !== undefined && input[conflicts]
    return isConflict ? [`${names[0]} and ${options[conflicts]?.long} cannot be used together`] : []
  })
}

/** The problems without values of the row, for a log, because a cell can contain personal data. */
export function withoutValues(
  problems: readonly string[],
  columns: readonly FlagColumn[],
  item: ListItem,
): string[] {
  if (problems.length === 0) return []
  const quoted = cellsOf(columns, item).map(({ text }) => `"${text}"`)
  return problems.map((problem) =>
    quoted.reduce((text, value) => text.replaceAll(value, 'the value'), problem),
  )
}
