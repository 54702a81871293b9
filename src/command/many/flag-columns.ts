import type { ListItem } from '../../bulk/lists/read-list.ts'
import { argumentKey, type OptionRow, readValue } from '../options.ts'
import { manyOptions } from './options.ts'

/** A column of a list that sets a flag for its row. */
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

/** `attributes`: the flags that the command lets a row set. A row never sets another flag: it could name a file or a program. */
export function flagColumns(options: readonly OptionRow[], attributes: readonly string[]): FlagColumn[] {
  return toColumns(options).filter(({ attribute }) => attributes.includes(attribute))
}

/** Whether a column is named like a flag of the command. */
export function isNamedLikeFlag(options: readonly OptionRow[], column: string): boolean {
  return toColumns(options).some(({ names }) => names.includes(column))
}

function toColumns(options: readonly OptionRow[]): FlagColumn[] {
  return options
    .filter(([flags]) => !reserved.has(longName(flags)))
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
