import type { ListItem } from '../../bulk/lists/read-list.ts'
import { argumentKey, type OptionRow, readValue } from '../options.ts'
import { manyOptions } from './options.ts'

/** Columns of a list that are named like a flag set the flag for their row. */
export interface FlagColumn {
  spec: NonNullable<OptionRow[2]>
  /** Name in the input of the command: `expireAt`. */
  attribute: string
  /** Column names, such as `expire-at` and `expire_at`. */
  names: readonly string[]
}

const reserved: ReadonlySet<string> = new Set([
  ...manyOptions.map(([flags]) => longName(flags)),
  'external-user-id',
  'user-id',
])

export function flagColumns(options: readonly OptionRow[]): FlagColumn[] {
  return options
    .filter(([flags]) => /[<[]/.test(flags) && !reserved.has(longName(flags)))
    .map(([flags, , spec = {}]) => {
      const name = longName(flags)
      const names = new Set([name, name.replaceAll('-', '_'), spec.column ?? name])
      return { spec, attribute: argumentKey(name), names: [...names] }
    })
}

/** The cells that set a flag of their row. */
export function* cellsOf(columns: readonly FlagColumn[], item: ListItem) {
  for (const { spec, attribute, names } of columns) {
    const name = names.find((name) => item.cell(name) !== '')
    if (name !== undefined) yield { spec, attribute, name, text: item.cell(name) }
  }
}

/** The values of the flags that the row sets. Adds problems with them to `problems`. */
export function readFlags(
  columns: readonly FlagColumn[],
  item: ListItem,
  problems: string[] = [],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { spec, attribute, name, text } of cellsOf(columns, item))
    values[attribute] = readValue(name, [text], spec, problems)
  return values
}

function longName(flags: string): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? ''
}
