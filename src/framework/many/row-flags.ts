import type { ListItem } from '../../bulk/lists/read-list.ts'
import { isNameOf } from '../../bulk/rows/column-names.ts'
import type { Table } from '../../bulk/rows/table.ts'
import type { Context } from '../context.ts'
import { type Flag, type Options, readValue } from '../options.ts'
import { type ManyInput, manyOptions } from './options.ts'

/** A column of a list. Each cell sets a flag for its row. */
interface FlagColumn {
  flag: Flag
  /** Key of the flag in the input of the command: `expireAt`. */
  key: string
  /** Column names, such as `expire-at` and `expire_at`. */
  names: readonly string[]
}

const reserved: ReadonlySet<string> = new Set([...Object.keys(manyOptions), 'externalUserId', 'userId'])

/** Prints a note about columns that are not read. If `options` is set, names only columns with the name of a flag. */
export function noteUnread({ note }: Context, unread: readonly string[], options: Options | undefined): void {
  if (!options) {
    note(`columns that are not read: ${unread.join(', ')}`)
    return
  }
  const names = toColumns(options).flatMap((column) => column.names)
  const ignored = unread.filter((name) => names.includes(name))
  if (ignored.length > 0) note(`ignored columns with the name of a flag: ${ignored.join(', ')}`)
}

/** Prints a note about missing columns of --ignore-columns. This is no error, because several files can use the same settings. */
export function noteMissing({ note }: Context, { input, layout, rules }: Table): void {
  const missing = (rules.ignoreColumns ?? []).filter(
    (name) => !layout.names.some((column) => isNameOf(column, name)),
  )
  const names = missing.map((name) => `"${name}"`).join(', ')
  if (missing.length > 0) note(`--ignore-columns: ${input.name} has no column ${names}`)
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

/** The flags that columns set for their rows: a cell in the column `expire_at` is the value of `--expire-at`. */
export class RowFlags {
  readonly #options: Options
  readonly #columns: readonly FlagColumn[]

  /** `keys` are the flags that a row is allowed to set. Other flags are excluded, because they could name a file or a program. */
  constructor(options: Options, keys: readonly string[]) {
    this.#options = options
    this.#columns = toColumns(options).filter(({ key }) => keys.includes(key))
  }

  get names(): string[] {
    return this.#columns.flatMap(({ names }) => names)
  }

  /** The cells in one row that are used as flags. */
  cellsOf(item: ListItem) {
    return this.#columns.flatMap(({ flag, key, names }) => {
      const name = names.find((name) => item.cell(name) !== '')
      return name === undefined ? [] : [{ flag, key, name, text: item.cell(name) }]
    })
  }

  /** The values of the flags that a row sets. Invalid values are added to `problems`. */
  valuesOf(item: ListItem, problems: string[] = []): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const { flag, key, name, text } of this.cellsOf(item))
      values[key] = readValue(name, [text], flag, problems)
    return values
  }

  /** The error messages for a row: invalid values, and columns that cannot be combined with a flag on the command line. */
  problemsOf(item: ListItem, input: ManyInput): string[] {
    const problems: string[] = []
    const values = this.valuesOf(item, problems)
    for (const { flag, key, names } of this.#columns) {
      const { conflicts } = flag
      if (conflicts && values[key] !== undefined && input[conflicts])
        problems.push(`${names[0]} and ${this.#options[conflicts]?.long} cannot be used together`)
    }
    return problems
  }

  /** Replaces the cells in the texts of problems, because cells can be personal data and the texts can be written to a log. */
  hideValues(problems: readonly string[], item: ListItem): string[] {
    if (problems.length === 0) return []
    const quoted = this.cellsOf(item).map(({ text }) => `"${text}"`)
    return problems.map((problem) =>
      quoted.reduce((text, value) => text.replaceAll(value, 'the value'), problem),
    )
  }
}
