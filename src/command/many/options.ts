import { UsageError } from '../../base/errors.ts'
import { delimiterOf } from '../../bulk/rows/layout.ts'
import type { RecordView } from '../../output/view.ts'
import type { Context } from '../context.ts'
import { flag, type OptionValues, toggle } from '../options.ts'
import type { UserId } from '../user.ts'
import { oneOf, positiveInteger } from '../values.ts'
import { shardOptions } from './choose-shard.ts'

/** Flags of every command that reads a file with one row per user or answer. */
export const fileOptions = {
  map: flag('--map <column=field>', 'map a column to a field, or ignore it with column=', mapping, {
    many: true,
  }),
  delimiter: flag('--delimiter <character>', 'column delimiter (default: detected)', delimiter),
  ids: flag('--ids <rule>', 'use user IDs without trimming and checks', oneOf(['exact'])),
  skipInvalid: toggle('--skip-invalid', 'skip invalid rows'),
}

export const paceOptions = {
  maxConcurrency: flag('--max-concurrency <n>', 'maximum concurrent requests', positiveInteger, {
    default: '32',
  }),
  rate: flag('--rate <n/s>', 'maximum requests per second', perSecond),
}

/** Flags for reading and sending a list, including flags of commands that always process a list. */
export const listOptions = {
  ...fileOptions,
  errors: flag('--errors <file>', 'output file for failed users'),
  ...paceOptions,
  ...shardOptions,
}

export type ListOptions = OptionValues<typeof listOptions>

/** Flags of every command that can run for a list of users. */
export const manyOptions = {
  users: flag('--users <file>', 'file with one user per row, or - for standard input'),
  keep: flag('--keep <columns>', 'input columns to copy to the output', columnNames, { many: true }),
  out: flag('--out <file>', 'output file; repeat the command to resume an interrupted run'),
  ...listOptions,
}

/** Parsed arguments and flags of a command for a list. They apply to every user. */
export type ManyInput = Record<string, unknown> & OptionValues<typeof manyOptions> & { users: string }

/** Properties of a command that can run for a list of users. */
export interface ManySupport<
  RowView extends RecordView<never> = RecordView<never>,
  OptionName extends string = string,
> {
  /** One row per user, if the view of the command does not define columns or has several rows per user. */
  view?: RowView
  /** Whether the output contains tokens or links. They are never printed on a terminal. */
  isSecret?: boolean
  /**
   * Options that a column of the list may set for its row (default: none), by their names in the input. Only fields of the
   * request: a list must not choose a file, a program, or a delivery.
   */
  rowFlags?: readonly OptionName[]
  /** Options of the command that work for one user only. */
  excludes?: readonly OptionName[]
  /** Set if the command changes users. */
  change?: ListChange
}

/**
 * Properties of a command that changes the users of a list. It asks for one confirmation and always writes a file with
 * the results.
 */
interface ListChange {
  /** Such as `delete`. */
  verb: string
  /** Whether each row creates a user. Two rows for one user must then be equal. */
  creates?: true
  /** Name of the file beside the list. */
  fileName: string
  /** `input` contains the user, and the values of the columns that set a flag. */
  each(ctx: Context, input: { user: UserId }, step: ChangeStep): Promise<object>
}

/** Record of the change of one user. */
export interface ChangeStep {
  /** The user ID that an interrupted run announced: it may have sent the change. */
  announced: string | undefined
  /** Records durably that the change is sent next. */
  announce(userId: string): Promise<void>
}

function columnNames(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}

function mapping(text: string): [column: string, field: string] {
  const at = text.lastIndexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError(
    `"${text}" is not a valid column mapping (use column=field, such as "Patient no=external_user_id", or column= to ignore a column)`,
  )
}

function delimiter(text: string): string {
  const character = delimiterOf(text)
  if (character !== undefined) return character
  throw new UsageError(`"${text}" is not a single ASCII character or the word "tab"`)
}

export function perSecond(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)
  if (match && Number(match[1]) > 0) return Number(match[1])
  throw new UsageError(`"${text}" is not a valid rate (example: 50/s)`)
}
