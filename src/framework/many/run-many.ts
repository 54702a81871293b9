import { countOf } from '../../base/text.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { isForPeople, type OutputSettings } from '../../output/settings.ts'
import { loadValueWriter } from '../../output/value-formats.ts'
import { alreadyPrinted, type CommandResult, toCommandResult } from '../command-result.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { explainMissing } from '../follow-up.ts'
import { assertSameUser } from '../user.ts'
import { conclude } from './conclude.ts'
import {
  type FlagColumn,
  findProblems,
  flagColumns,
  isNamedLikeFlag,
  readFlags,
  toUser,
  withoutValues,
} from './flag-columns.ts'
import type { ListSummary } from './list-schema.ts'
import { type CheckedList, noteIgnored, noteUnread, openUsers } from './open-users.ts'
import type { ManyInput } from './options.ts'
import { type Files, stdoutOutput } from './output.ts'
import { processUsers } from './process-users.ts'
import type { ResumableFile } from './resumable-file.ts'
import { chooseSettings, copiedColumns, Filtered, RowFormat } from './row-format.ts'
import type { RowChange } from './run-rows.ts'

type ListedCommand = Pick<Command, 'user' | 'options' | 'many' | 'effect'> &
  Partial<Pick<Command, 'view' | 'check' | 'run'>>

interface ListRun {
  command: ListedCommand
  input: ManyInput
  settings: OutputSettings
  flags: readonly FlagColumn[]
  list: CheckedList
  /** Columns of the list that are copied to the output. */
  keep: readonly string[]
}

/** Runs a command for each user of a list. */
export async function runMany(
  ctx: Context,
  command: ListedCommand,
  input: ManyInput,
): Promise<CommandResult<ListSummary> | typeof alreadyPrinted> {
  const settings = chooseSettings(ctx, command, input)
  const flags = flagColumns(command.options, command.many?.rowFlags ?? [])
  const columns = columnsOf(ctx, command, input, flags)
  const problemsOf = (item: ListItem) => {
    const problems = findProblems(item, command, input, flags)
    // If stderr is not a terminal, it is often a log file, which must not contain personal data.
    return ctx.terminals.stderr.isTTY ? problems : withoutValues(problems, flags, item)
  }
  const list = await openUsers(ctx, input.users, input, columns, problemsOf)
  const copied = command.many?.copiesColumns ? copiedColumns(command.view, list.table.layout) : []
  const run = { command, keep: [...input.keep.flat(), ...copied], input, settings, flags, list }
  // For a change, a note lists all unread columns, because such a column may be misspelled. Other commands usually need only the user of a row.
  if (command.many?.change && flags.length > 0 && copied.length === 0) noteUnread(ctx, list, columns.known)
  else
    noteIgnored(ctx, list, (name) => isNamedLikeFlag(command.options, name) && !columns.known.includes(name))
  try {
    if (!ctx.flags.dryRun) return await processList(ctx, run)
    const { planList } = await import('./preview-list.ts')
    return await planList(ctx, { ...run, many: command.many ?? {} }, (item) => inputOf(run, item))
  } finally {
    list.close()
  }
}

/** The columns that the command uses, and the rules for rows. */
function columnsOf(
  ctx: Context,
  { many: { change, copiesColumns } = {}, effect }: ListedCommand,
  input: ManyInput,
  flags: readonly FlagColumn[],
) {
  const keep = input.keep.flat()
  const data = [...flags.flatMap(({ names }) => names), ...(change?.next?.columns ?? [])]
  const only = input['only'] === undefined ? undefined : String(input['only'])
  return {
    known: [...data, ...keep],
    data,
    required: only === undefined ? keep : [...keep, 'status'],
    checksIds: change !== undefined && effect !== 'destroy',
    isChange: change !== undefined,
    isCreation: change?.creates === true,
    isPerUser: change?.creates === true && !copiesColumns,
    only,
    show: async (list: CheckedList) => {
      // A dry run of a creation prints the rows later.
      if (ctx.flags.dryRun && change?.creates) return
      const { showFirstRows } = await import('./preview-list.ts')
      await showFirstRows(ctx, list, flags)
    },
  }
}

async function processList(
  ctx: Context,
  run: ListRun,
): Promise<CommandResult<ListSummary> | typeof alreadyPrinted> {
  const { list, input, command, settings } = run
  const { change } = command.many ?? {}
  const isFile = input.out !== undefined || change !== undefined
  const format = await openFormat(ctx, run, isFile)
  const file = isFile
    ? await (await import('./results-file.ts')).openResultsFile(ctx, run, format)
    : undefined
  const output = file ?? (await stdoutOutput(ctx, format, list, input.errors))
  const cuts = new Set<string>()
  const isPrinting = !file && !isForPeople(settings) && ctx.terminals.stdout.isTTY
  const { end, files } = file?.complete
    ? await repeatEnd(ctx, file, file.complete, change?.verb)
    : await processUsers(ctx, {
        list,
        options: input,
        output,
        file,
        isPrinting,
        change: change && (() => changeOf(run)),
        process: (quiet, item) => processOne({ ...quiet, settings }, run, { item, file, cuts }),
      })
  for (const cut of cuts) ctx.note(`some users have more results than shown: ${cut}`)
  const concluded = conclude({
    list,
    counts: output.counts,
    end,
    files,
    verb: change?.verb,
    resume: file && list.line,
    isRepeated: file?.complete !== undefined,
  })
  if (input.out === undefined && end.done) file?.forget()
  if (change) return concluded
  if (concluded.error) throw concluded.error
  if (concluded.done !== undefined) ctx.done(concluded.done)
  return alreadyPrinted
}

async function openFormat(ctx: Context, run: ListRun, isFile: boolean): Promise<RowFormat> {
  const { command, keep, list, settings } = run
  const terminal = ctx.terminals.stdout
  return new RowFormat({
    view: command.many?.view ?? command.view,
    keep,
    layout: list.table.layout,
    settings,
    writer: await loadValueWriter(settings.format),
    terminal: isFile ? { ...terminal, color: false, isTTY: false } : terminal,
  })
}

/** Repeats the end of the run that wrote the files, because a scheduler may not have received it. */
async function repeatEnd(
  ctx: Context,
  { lock }: ResumableFile,
  files: Files,
  verb: string | undefined,
): Promise<{ end: RunEnd; files: Files }> {
  await lock.release()
  const text = `nothing was sent: ${files.out} is already complete; to run the command again, add --renew`
  if (verb === undefined) ctx.note(text)
  else ctx.warn(text)
  return { end: { done: true }, files }
}

function changeOf({ command: { effect, many }, list }: ListRun): RowChange {
  const losses = effect === 'destroy' ? ' and all of their data' : ''
  const users = list.users - list.repeated
  const next = many?.change?.next ? ` and ${many.change.next.summary}` : ''
  const summary = `${many?.change?.verb} ${countOf(users, 'user')}${losses}${next}`
  return { effect, users, summary, ids: () => idsOf(list) }
}

async function* idsOf(list: CheckedList): AsyncGenerator<string> {
  for await (const items of readList(list))
    for (const item of items) if ('user' in item && list.isValid(item)) yield item.user.id
}

function inputOf({ input, flags }: Pick<ListRun, 'input' | 'flags'>, item: ListItem) {
  return { ...input, ...readFlags(flags, item), user: toUser(item), expectedUserId: item.expectedUserId }
}

interface Row {
  item: ListItem
  file: ResumableFile | undefined
  /** Notes about incomplete results, which are printed once. */
  cuts: Set<string>
}

/** Runs the command for one user. A different view in the outcome has no effect, because all rows have the same columns. */
async function processOne(
  ctx: Context,
  { command, input, flags }: ListRun,
  { item, file, cuts }: Row,
): Promise<unknown> {
  const own = inputOf({ input, flags }, item)
  const { change } = command.many ?? {}
  try {
    if (change && file) return await change.each(ctx, own, file.stepFor(item))
    const returned = await command.run?.(ctx, own)
    const { value, cut, error } = toCommandResult(returned)
    if (cut) cuts.add(cut)
    if (error) throw error
    checkUser(value, item)
    return ctx.settings.jq === undefined ? value : new Filtered(await ctx.filter(value))
  } catch (error) {
    throw await explainMissing(error, ctx, command.user, own)
  }
}

/** Throws if the response belongs to another user than the user ID of a row that has both IDs. */
function checkUser(value: unknown, { expectedUserId }: ListItem): void {
  const found = value instanceof Object && 'user_id' in value ? value.user_id : undefined
  if (typeof found === 'string') assertSameUser(found, expectedUserId)
}
