import { RefusedError, UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import { decoderFor } from '../../bulk/rows/code-pages.ts'
import { delimiterOf } from '../../bulk/rows/flag-values.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Reading } from '../../bulk/types.ts'
import type { RecordView } from '../../output/view.ts'
import type { Context } from '../context.ts'
import { flag, type Options, type OptionValues, toggle } from '../options.ts'
import type { UserId } from '../user.ts'
import { duration, nonEmpty, oneOf, outputFile, positiveInteger, wholeNumber } from '../values.ts'
import type { ShardOptions } from './choose-shard.ts'
import type { userValueOptions } from './value-options.ts'

/** Flags of all commands that read a file with one row per user or answer. */
export const fileOptions = {
  map: flag('--map <column=field>', 'map a column to a field, or ignore it with column=', mapping, {
    many: true,
  }),
  delimiter: flag('--delimiter <character>', 'column delimiter (default: detected)', delimiter),
  encoding: flag('--encoding <label>', 'text encoding (default: detected)', encodingLabel),
  headerLine: flag('--header-line <n>', 'line of the header (default: detected)', positiveInteger),
  ignoreColumns: flag('--ignore-columns <names>', 'columns to ignore', columnNames, { many: true }),
  ids: flag(
    '--ids <rule>',
    'how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)',
    idRule,
  ),
  sheet: flag('--sheet <name>', 'sheet of a workbook (default: the first visible sheet)'),
  hidden: flag('--hidden <what>', 'hidden rows and columns of a workbook', oneOf(['include', 'skip'])),
  mapping: flag<Reading | string>('--mapping <file>', 'settings file written by --save-mapping', nonEmpty),
  saveMapping: flag('--save-mapping <file>', 'save these settings for the next file', outputFile),
  skipInvalid: toggle('--skip-invalid', 'skip invalid rows'),
}

type ReadingOptions = OptionValues<typeof fileOptions> & Partial<OptionValues<typeof userValueOptions>>

/** The settings for reading a file, from the flags of a command. `mapping` is the path of a settings file, or its content. */
export async function readingOf({ mapping, map, values = [], ignoreColumns, ...options }: ReadingOptions) {
  const saved =
    typeof mapping === 'string' ? (await import('./mapping-file.ts')).readMapping(mapping) : mapping
  const { delimiter, encoding, headerLine, ids, sheet, hidden, dateFormat } = options
  const flags = { delimiter, encoding, headerLine, ids, sheet, hidden, dateFormat }
  const set = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  const ignored = [...(saved?.ignoreColumns ?? []), ...ignoreColumns.flat()]
  return {
    ...saved,
    ...(set as Partial<typeof flags>),
    map: { ...saved?.map, ...Object.fromEntries(map) },
    ...(ignored.length > 0 && { ignoreColumns: ignored }),
    ...(values.length > 0 && {
      values: (await import('./value-options.ts')).mergeMeanings(values, saved?.values),
    }),
  }
}

export const paceOptions = {
  maxConcurrency: flag('--max-concurrency <n>', 'maximum concurrent requests', positiveInteger, {
    default: '32',
  }),
  rate: flag('--rate <n/s>', 'maximum requests per second', perSecond),
  maxWait: flag('--max-wait <duration>', 'longest Retry-After to wait for (default 1h)', duration),
  maxUsers: flag('--max-users <n>', 'refuse a file with more than n users', positiveInteger),
}

/** Refuses a list with more users than --max-users, because a confirmation names the profile but not the number of users. */
export function checkUserLimit(users: number, limit: number | undefined): void {
  if (limit === undefined || users <= limit) return
  throw new RefusedError(`the file has ${countOf(users, 'user')}, more than --max-users ${limit}`, {
    hint: 'Nothing was sent.',
  })
}

export const shardOptions = {
  shard: flag(
    '--shard <k/n>',
    'shard k of n, or auto to use the index of the Kubernetes or Slurm task',
    namedShard,
  ),
  shardIndex: flag('--shard-index <i>', 'shard index, starting at 0 (with --shard-count)', wholeNumber),
  shardCount: flag('--shard-count <n>', 'number of shards (for --shard-index and --shard auto)', wholeNumber),
}

/** The selected shard. Undefined for the entire input. */
export async function shardOf(
  { env }: Pick<Context, 'env'>,
  options: ShardOptions,
): Promise<Shard | undefined> {
  const { shard, shardIndex, shardCount } = options
  if (shard === undefined && shardIndex === undefined && shardCount === undefined) return undefined
  return (await import('./choose-shard.ts')).chooseShard(options, env)
}

/** Flags for reading and sending a list. Commands that always process a list use them too. */
export const listOptions = {
  ...fileOptions,
  errors: flag('--errors <file>', 'output file for failed users and skipped rows', outputFile),
  renew: toggle('--renew', 'run a finished list again from its start'),
  ...paceOptions,
  ...shardOptions,
}

export type ListOptions = OptionValues<typeof listOptions>

export const manyOptions = {
  users: flag('--users <file>', 'file with one user per row, or - for standard input'),
  keep: flag('--keep <columns>', 'input columns to copy to the output', columnNames, { many: true }),
  out: flag(
    '--out <file>',
    'output file; repeat the command to resume it or to retry failed users',
    outputFile,
  ),
  ...listOptions,
}

export function withListFlags<Listed extends { many: unknown; options: Options }>(command: Listed): Listed {
  return command.many ? { ...command, options: { ...command.options, ...manyOptions } } : command
}

export type ManyInput = Record<string, unknown> & OptionValues<typeof manyOptions> & { users: string }

/** Settings of a command that accepts a list of users. */
export interface ManySupport<
  RowView extends RecordView<never> = RecordView<never>,
  OptionName extends string = string,
> {
  /** View with one row per user (default: the view of the command). A view from `run` is ignored, because all rows need equal columns. */
  view?: RowView
  /** Whether the output contains tokens or links. They are not printed on a terminal. */
  isSecret?: boolean
  /** Whether the output shows the current state of the users. A new run then replaces the earlier file, even if the list has changed. */
  isStatus?: boolean
  /**
   * Keys of the options that a column of a list can set for the row (default: none). Only fields of the request are allowed, so that a list
   * cannot choose a file, a program, or how results are delivered.
   */
  rowFlags?: readonly OptionName[]
  /** Whether a user without results has a row with empty cells. Lists of events have no such row. */
  keepsEmpty?: true
  /** Whether the output also contains those columns of the list that are missing in the view. */
  copiesColumns?: true
  /** Columns that the list must have, and a hint if a column is missing. */
  needs?: { columns: readonly string[]; hint: string }
  /** Options that cannot be used with a list of users. */
  excludes?: readonly OptionName[]
  change?: ListChange
}

/** A change of the users in a list. It asks for one confirmation and always writes a results file. */
export interface ListChange {
  verb: string
  /** Whether each row creates a user. If so, two different rows for the same user are invalid. */
  creates?: true
  /** Status of users that a repeated command leaves unchanged. A dry run does not count these users as changed. */
  kept?: string
  /** Statuses of users that count as failed, although the results file contains their rows. */
  failures?: readonly string[] | undefined
  /** Name of the results file in the directory of the list (default: --out sets the path). */
  fileName?: string
  /** The second part of a command that reads the same file, such as the import of answers: its columns and its name. */
  next?: { columns: readonly string[]; summary: string; step?: 'last' | undefined }
  /** Changes one user. `input` contains the user and the values of columns that set a flag. */
  each(ctx: Context, input: ListedInput, step: ChangeStep): Promise<object>
  /** For a dry run: a function that reads a user and returns the effect of the change. Undefined if the users are not read. */
  preview?(options: ManyInput): ((ctx: Context, input: ListedInput) => Promise<Preview>) | undefined
}

export interface ListedInput {
  user: UserId
  /** The user ID in a row that also contains an external user ID. */
  expectedUserId?: string | undefined
}

/** The effect that a change would have on one user. */
export interface Preview {
  status: string
  /** The fields that would change, with old and new values. */
  differences: readonly string[]
}

export interface ChangeStep {
  /** The user ID of a change that an earlier run recorded and may have applied. Empty if the change creates a user. */
  announced: string | undefined
  /** Records the user ID on disk, and then sends the change. Removes the record if the change was certainly not applied. */
  send<Result>(userId: string, request: () => Promise<Result>): Promise<Result>
}

function idRule(text: string): 'exact' | 'keep' | number {
  if (text === 'exact' || text === 'keep') return text
  const length = Number(/^pad:([1-9]\d?)$/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isNaN(length)) return length
  throw new UsageError(`"${text}" is not one of exact, keep, or pad:N (such as pad:6)`)
}

function encodingLabel(text: string): string {
  if (decoderFor(text)) return text
  throw new UsageError(`"${text}" is not a known encoding (example: windows-1252)`)
}

function namedShard(text: string): Shard | 'auto' {
  if (text === 'auto') return 'auto'
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text)
  const shard = match && { index: Number(match[1]) - 1, count: Number(match[2]) }
  if (shard && shard.index >= 0 && shard.index < shard.count) return shard
  throw new UsageError(`"${text}" is not a valid shard (use 3/16 for shard 3 of 16, or auto)`)
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
