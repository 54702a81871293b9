import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { Command } from '../define-command.ts'
import type { OptionRow } from '../options.ts'
import type { UserId } from '../user.ts'
import { manyOptions } from './options.ts'

/** Parses a value like the value of a flag, and adds what is wrong with it to `problems`. */
export type FlagReader = (row: OptionRow, text: string, problems: string[]) => unknown

interface FlagColumn {
  row: OptionRow
  /** Name in the input of the command: `expireAt`. */
  attribute: string
  /** Column names: `expire-at` and `expire_at`. */
  names: readonly string[]
}

const reserved: ReadonlySet<string> = new Set(
  [...manyOptions, ['--external-user-id <id>'], ['--user-id <uuid>']].map(([flags = '']) => longName(flags)),
)

/** Columns of a list that are named like a flag of the command set the flag for their row. */
export class RowFlags {
  readonly #flags: readonly FlagColumn[]
  readonly #command: Command
  readonly #readFlag: FlagReader

  constructor(command: Command, readFlag: FlagReader) {
    this.#command = command
    this.#readFlag = readFlag
    this.#flags = command.options
      .filter(([flags]) => /[<[]/.test(flags) && !reserved.has(longName(flags)))
      .map((row) => toColumn(row))
  }

  /** All names that set a flag. */
  get columns(): string[] {
    return this.#flags.flatMap(({ names }) => names)
  }

  problemsOf(item: ListItem, input: Readonly<Record<string, unknown>>): string[] {
    const problems: string[] = []
    if (item.user.kind === 'user_id' && this.#command.user === 'external') {
      problems.push('user_id is not supported here; pass the external_user_id')
    }
    const values = this.#valuesOf(item, problems)
    if (problems.length > 0) return problems
    return this.#command.check({ ...input, ...values, user: toUser(item) })
  }

  /** The input of the command for one user. */
  inputFor(item: ListItem, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return { ...input, ...this.#valuesOf(item, []), user: toUser(item) }
  }

  #valuesOf(item: ListItem, problems: string[]): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const { row, attribute, names } of this.#flags) {
      const text = names.map((name) => item.cell(name)).find((cell) => cell !== '')
      if (text !== undefined) values[attribute] = this.#readFlag(row, text, problems)
    }
    return values
  }
}

export function toUser({ user: { kind, id } }: ListItem): UserId {
  return kind === 'user_id' ? { user_id: id } : { external_user_id: id }
}

function longName(flags: string): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? ''
}

function toColumn(row: OptionRow): FlagColumn {
  const name = longName(row[0])
  const attribute = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return { row, attribute, names: [...new Set([name, name.replaceAll('-', '_')])] }
}
