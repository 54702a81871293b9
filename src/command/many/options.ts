import type { OptionRow, OptionValues } from '../options.ts'
import { positiveInteger } from '../values.ts'
import { shardOptions } from './choose-shard.ts'
import { delimiter, mapping, perSecond } from './option-values.ts'

/** How a list is read and sent; also flags of commands that always take a list. */
export const listOptions = [
  ['--map <theirs=ours>', 'read a column under another name', { parse: mapping, many: true }],
  ['--delimiter <character>', 'delimiter of the file (default: detected)', { parse: delimiter }],
  ['--skip-invalid', 'skip invalid rows of the file'],
  ['--errors <file>', 'file for the users that failed'],
  ['--max-concurrency <n>', 'maximum concurrent requests', { parse: positiveInteger, default: 32 }],
  ['--rate <n/s>', 'maximum requests per second', { parse: perSecond }],
  ...shardOptions,
] as const satisfies readonly OptionRow[]

export type ListOptions = OptionValues<typeof listOptions>

/** Flags of every command that can run for a list of users. */
export const manyOptions = [
  ['--users <file>', 'run for each user of a file, or - for standard input'],
  ['--keep <columns>', 'columns of the file to copy to the output', { parse: columnNames, many: true }],
  ['--out <file>', 'write to a file; the same command resumes it'],
  ...listOptions,
] as const satisfies readonly OptionRow[]

export type ManyOptions = OptionValues<typeof manyOptions>

/** What a command needs to run for a list of users. */
export interface ManySupport {
  /** Columns of a result whose view has no columns, such as a link, or that becomes one row per user. */
  columns?: readonly string[]
  /** Turns a result into one row with `columns` (default: the rows of the view). */
  row?(result: never): Readonly<Record<string, unknown>>
  /** Whether the output contains tokens or links: it never goes to a terminal. */
  isSecret?: boolean
  /** Flags of the command that work for one user only. */
  excludes?: readonly string[]
}

function columnNames(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}
