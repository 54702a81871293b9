import type { ListItem } from '../../bulk/lists/read-list.ts'
import { type OptionRow, readValue } from '../options.ts'
import { manyOptions } from './options.ts'

interface FlagColumn {
  spec: NonNullable<OptionRow[2]>
  /** Name in the input of the command: `expireAt`. */
  attribute: string
  /** Column names, such as `expire-at` and `expire_at`. */
  names: readonly string[]
}

const reserved: ReadonlySet<string> = new Set(
  [...manyOptions, ['--external-user-id <id>'], ['--user-id <uuid>']].map(([flags = '']) => longName(flags)),
)

/** Columns of a list that are named like a flag set the flag for their row. */
export class FlagColumns {
  readonly #columns: readonly FlagColumn[]

  constructor(options: readonly OptionRow[]) {
    this.#columns = options
      .filter(([flags]) => /[<[]/.test(flags) && !reserved.has(longName(flags)))
      .map(([flags, , spec = {}]) => toColumn(longName(flags), spec))
  }

  /** All names that set a flag. */
  get names(): string[] {
    return this.#columns.flatMap(({ names }) => names)
  }

  /** The values of the flags that the row sets. Adds problems with them to `problems`. */
  read(item: ListItem, problems: string[] = []): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const { spec, attribute, names } of this.#columns) {
      const name = names.find((name) => item.cell(name) !== '')
      if (name !== undefined) values[attribute] = readValue(name, [item.cell(name)], spec, problems)
    }
    return values
  }
}

function longName(flags: string): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? ''
}

function toColumn(name: string, spec: FlagColumn['spec']): FlagColumn {
  const attribute = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return { spec, attribute, names: [...new Set([name, name.replaceAll('-', '_'), spec.column ?? name])] }
}
