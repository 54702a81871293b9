import type { ListItem } from '../../bulk/lists/read-list.ts'
import { type Flag, type Options, readValue } from '../options.ts'
import { manyOptions } from './options.ts'

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
