import { type Problem, UsageError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { limitHeapGrowth } from '../../base/process.ts'
import { countOf } from '../../base/text.ts'
import type { InputFile } from '../../bulk/input-file.ts'
import {
  type BadRow,
  checkList,
  type ListItem,
  type OpenedList,
  readList,
} from '../../bulk/lists/read-list.ts'
import { RepeatedRows, type RepeatRules } from '../../bulk/lists/repeated-rows.ts'
import { openInput } from '../../bulk/open-input.ts'
import type { ResultWriter } from '../../bulk/results/result-file.ts'
import { openTable } from '../../bulk/rows/open-table.ts'
import type { Table } from '../../bulk/rows/table.ts'
import type { Shard } from '../../bulk/shard.ts'
import { type Reading, type Reason, userKinds } from '../../bulk/types.ts'
import type { Effect } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import type { Opening } from './ask-about-file.ts'
import { openAndAsk } from './open-and-ask.ts'
import { checkUserLimit } from './options.ts'

export interface CheckedList extends OpenedList {
  /** The settings with which the file is read, including answers from prompts. */
  reading: Reading
  /** The command line, with flags that stand for the answers to prompts. */
  line: string
  /** Number of valid rows. */
  users: number
  /** Number of rows that --skip-invalid skips. */
  invalid: number
  /** Number of valid rows that have the same user and data as an earlier row. */
  repeated: number
  /** Rows that have the same user and data as another row. */
  repeats: Pick<RepeatedRows, 'equal' | 'users' | 'firstOf' | 'isRepeat'>
  isValid(item: ListItem): boolean
  /** Returns the reason if --skip-invalid skips the row. Undefined if the row is not skipped. */
  reasonOf(item: ListItem | BadRow): Reason | undefined
  close(): void
}

interface ListSource extends Pick<Opening<Reading, CheckedList>, 'file' | 'saveMapping' | 'step'> {
  reading: Reading
  shard?: Shard | undefined
  skipInvalid: boolean
  maxUsers?: number | undefined
}

interface ListColumns extends RepeatRules {
  known: readonly string[]
  required: readonly string[]
  /** Hint if a required column is missing (default: a hint with the columns of the list). */
  missingHint?: string
  /** Whether damaged IDs are refused. They are refused if the rows create or change users. */
  checksIds?: boolean
  /** Effect of the command on the users of the list. */
  effect: Effect
  /** Value of the column `status` in the selected rows (default: all rows). */
  only?: string | undefined
  /** The checks of the command for a row. */
  problemsOf?: (item: ListItem) => readonly string[]
  /** Prints the first rows, after questions about the file were answered. */
  show?: (list: CheckedList) => Promise<void>
}

type RowProblem = Problem & { line: number }

const maxShown = 20

/** Opens a list and checks all rows before anything is sent. Throws a UsageError with the invalid rows, unless --skip-invalid is set. */
export function openUsers(ctx: Context, source: ListSource, columns: ListColumns): Promise<CheckedList> {
  limitHeapGrowth()
  const { effect, show } = columns
  return openAndAsk<Reading, CheckedList>(ctx, {
    ...source,
    effect,
    setting: source.reading,
    open: (reading, line) => openOnce(ctx, { ...source, reading, line }, columns),
    ...(show && { show }),
  })
}

async function openOnce(
  ctx: Context,
  { file, reading, line, shard, skipInvalid, maxUsers }: ListSource & { line: string },
  columns: ListColumns,
): Promise<CheckedList> {
  const { only, problemsOf = () => [] } = columns
  const input = await openInput(file, ctx.io.stdin, { ...reading, signal: ctx.signal })
  try {
    const list = { table: await openColumns(ctx, input, columns, reading), shard }
    const counts = { users: 0, invalid: 0 }
    const problems: RowProblem[] = []
    const repeats = new RepeatedRows(list.table, columns)
    const statuses = new Set<string>()
    const isSelected = (item: ListItem) => only === undefined || item.cell('status') === only
    const check = (item: ListItem | BadRow) => {
      if (only !== undefined && 'user' in item) statuses.add(item.cell('status'))
      if ('user' in item && !isSelected(item)) return
      const found = 'reason' in item ? [item.reason.message] : item.problems.concat(problemsOf(item))
      counts[found.length > 0 ? 'invalid' : 'users']++
      if (found.length === 0 && 'user' in item) repeats.add(item)
      for (const problem of found) if (problems.length < maxShown) problems.push(onLine(item.line, problem))
    }
    const changed = await checkList(list, check, ctx.signal)
    if (changed !== undefined) ctx.note(changed)
    if (reading.ignoreColumns) (await import('./row-flags.ts')).noteMissing(ctx, list.table)
    if (only !== undefined && !shard) requireStatus(input, only, statuses)
    for (const { line, first } of repeats.compare(counts).slice(0, maxShown))
      problems.push(onLine(line, `the same user ID as on line ${first}, with different data`))
    if (counts.invalid > 0 && !skipInvalid) throw invalidRows(input, problems, counts.invalid)
    const repeated = columns.isPerUser ? 0 : repeats.equal
    if (columns.effect !== 'read') noteRepeats(ctx, repeats.equal)
    checkUserLimit(counts.users - repeated, maxUsers)
    const reasonOf = (item: ListItem | BadRow) => {
      if ('user' in item && (counts.invalid === 0 || !isSelected(item))) return undefined
      return whyInvalid(item, problemsOf, repeats.conflicts)
    }
    const isValid = (item: ListItem) =>
      isSelected(item) && !repeats.isOmitted(item) && reasonOf(item) === undefined
    return { ...list, reading, line, ...counts, repeated, repeats, isValid, reasonOf, close: input.close }
  } catch (error) {
    input.close()
    throw error
  }
}

function whyInvalid(
  item: ListItem | BadRow,
  problemsOf: (item: ListItem) => readonly string[],
  conflicts: ReadonlySet<string>,
): Reason | undefined {
  if ('reason' in item) return item.reason
  const different = conflicts.has(item.user.id) ? ['another row has the same user ID and different data'] : []
  const found = [...different, ...item.problems, ...problemsOf(item)]
  return found.length === 0 ? undefined : { code: 'row_invalid', message: found.join('; ') }
}

function onLine(line: number, message: string): RowProblem {
  return { line, message, text: `line ${line}: ${message}` }
}

/** Adds the rows that --skip-invalid skips to the file of failed users. */
export async function addSkipped(errors: ResultWriter, list: CheckedList): Promise<void> {
  if (list.invalid === 0) return
  for await (const items of readList(list))
    for (const item of items) {
      const reason = list.reasonOf(item)
      if (reason) errors.add(item, [reason])
    }
}

function noteRepeats({ note }: Context, rows: number): void {
  if (rows === 0) return
  note(`${countOf(rows, 'row')} ${rows === 1 ? 'repeats' : 'repeat'} an earlier row; each user counts once`)
}

async function openColumns(
  ctx: Context,
  input: InputFile,
  { known, required, missingHint, checksIds, isCreation }: ListColumns,
  reading: Reading,
): Promise<Table> {
  const fields = [...userKinds, ...known]
  for (const name of Object.values(reading.map ?? {})) {
    const meant = name !== '' && !fields.includes(name) && nearest(name, fields)
    // Unknown columns are ignored, so a misspelled field name would have no effect. A warning suggests the correct name.
    if (meant) ctx.warn(`--map: this command does not read a column "${name}"; did you mean "${meant}"?`)
  }
  const table = await openTable(input, { ...reading, kind: isCreation ? 'users' : 'list', checksIds, known })
  const { columns, keyColumns } = table.layout
  const ids = userKinds.filter((name) => columns[name] >= 0)
  const names = new Set<string>([...ids, ...keyColumns.map(({ key }) => key)])
  const missing = table.format === 'jsonl' ? [] : required.filter((name) => !names.has(name))
  if (missing.length > 0) {
    throw new UsageError(`${input.name} has no column ${missing.map((name) => `"${name}"`).join(', ')}`, {
      hint: missingHint ?? `Its columns are: ${table.layout.names.join(', ')}`,
    })
  }
  return table
}

function invalidRows({ name }: InputFile, problems: readonly RowProblem[], rows: number): UsageError {
  const shown = problems.toSorted((one, other) => one.line - other.line).slice(0, maxShown)
  const more = rows > maxShown ? [`… (${countOf(rows, 'invalid row')} in total)`] : []
  return new UsageError([`${name} has ${countOf(rows, 'invalid row')}`, ...shown, ...more], {
    hint: 'Fix the file, or skip these rows with --skip-invalid.',
  })
}

/** Throws if no row has the status `only`. Not for a shard, because the rows can be in another shard. */
function requireStatus({ name }: InputFile, only: string, found: ReadonlySet<string>): void {
  if (found.size === 0 || found.has(only)) return
  const statuses = [...found].filter((status) => /^[\w -]{1,32}$/.test(status)).slice(0, maxShown)
  throw new UsageError(`no user in ${name} has the status "${only}"`, {
    hint: `The statuses in the file are: ${statuses.join(', ') || 'none'}`,
  })
}
