import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Command } from '../define-command.ts'
import { type Flag, type Options, readValue } from '../options.ts'
import type { UserId } from '../user.ts'
import { type ManyInput, manyOptions } from './options.ts'

/** A column of a list that sets a flag for its row. */
export interface FlagColumn {
  flag: Flag
  /** Key of the flag in the input of the command: `expireAt`. */
  key: string
  /** Column names, such as `expire-at` and `expire_at`. */
  names: readonly string[]
}

const reserved: ReadonlySet<string> = new Set([...Object.keys(manyOptions), 'externalUserId', 'userId'])

/**
 * Finds the columns that set flags. `keys` are the flags that a row may set. Other flags are excluded, because they could name a file or a
 * program.
 */
export function flagColumns(options: Options, keys: readonly string[]): FlagColumn[] {
  return toColumns(options).filter(({ key }) => keys.includes(key))
}

/** Whether a column is named like a flag of the command. */
export function isNamedLikeFlag(options: Options, column: string): boolean {
  return toColumns(options).some(({ names }) => names.includes(column))
}

function toColumns(options: Options): FlagColumn[] {
  return Object.entries(options)
    .filter(([key]) => !reserved.has(key))
    .map(([key, flag]) => {
      const name = flag.long.slice(2)
      const names = new Set([name, name.replaceAll('-', '_'), flag.column ?? name])
      return { flag, key, names: [...names] }
    })
}

/** The cells of a row that set a flag. */
export function cellsOf(columns: readonly FlagColumn[], item: ListItem) {
  return columns.flatMap(({ flag, key, names }) => {
    const name = names.find((name) => item.cell(name) !== '')
    return name === undefined ? [] : [{ flag, key, name, text: item.cell(name) }]
  })
}

/** The values of the flags that a row sets. Invalid values are added to `problems`. */
export function readFlags(
  columns: readonly FlagColumn[],
  item: ListItem,
  problems: string[] = [],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { flag, key, name, text } of cellsOf(columns, item))
    values[key] = readValue(name, [text], flag, problems)
  return values
}

/** The problems of a row. Empty if the row is valid. */
export function findProblems(
  item: ListItem,
  command: Pick<Command, 'user' | 'options'> & Partial<Pick<Command, 'check'>>,
  input: ManyInput,
  flags: readonly FlagColumn[],
): string[] {
  if (item.user.kind === 'user_id' && command.user === 'external')
    return ['user_id is not supported here; use external_user_id']
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

/** The problems without the values from the row, because a cell can contain personal data and the problems may be written to a log. */
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

export function toUser({ user: { kind, id } }: ListItem): UserId {
  return kind === 'user_id' ? { user_id: id } : { external_user_id: id }
}
