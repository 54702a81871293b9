import { countOf } from '../../base/text.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { isForPeople } from '../../output/settings.ts'
import { loadValueWriter } from '../../output/value-formats.ts'
import { alreadyPrinted, type CommandResult } from '../command-result.ts'
import type { Context } from '../context.ts'
import { conclude, countRows } from './conclude.ts'
import type { ListSummary } from './list-schema.ts'
import { type CheckedList, openUsers } from './open-users.ts'
import { type ListChange, type ManyInput, readingOf, shardOf } from './options.ts'
import { type Output, stdoutOutput } from './output.ts'
import type { Files } from './output-paths.ts'
import { type CheckedRun, findProblems, inputsOf, type ListedCommand, processRow } from './process-row.ts'
import { processUsers } from './process-users.ts'
import type { FileRequest } from './results-file.ts'
import type { ResumableFile } from './resumable-file.ts'
import { chooseSettings, copiedColumns, RowFormat } from './row-format.ts'

interface ListRun extends FileRequest, CheckedRun {
  command: ListedCommand
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
  const { rowFlags } = command.many ?? {}
  const flags = rowFlags && new (await import('./row-flags.ts')).RowFlags(command.options, rowFlags)
  const checked = { command, input, flags, inputOf: inputsOf(input, flags) }
  const columns = columnsOf(ctx, checked)
  const { users: file, skipInvalid, maxUsers, saveMapping } = input
  const source = {
    file,
    skipInvalid,
    maxUsers,
    saveMapping,
    step: command.many?.change?.next?.step,
    reading: await readingOf(input),
    shard: await shardOf(ctx, input),
  }
  const list = await openUsers(ctx, source, columns)
  const copied = command.many?.copiesColumns ? copiedColumns(command.view, list.table.layout) : []
  const run = { ...checked, keep: [...input.keep.flat(), ...copied], settings, list }
  const others = list.table.layout.keyColumns.map(({ key }) => key)
  const unread = others.filter((name) => !columns.known.includes(name))
  if (unread.length > 0) {
    const isChange = command.many?.change !== undefined && flags !== undefined && copied.length === 0
    const { noteUnread } = await import('./row-flags.ts')
    noteUnread(ctx, unread, isChange ? undefined : command.options)
  }
  try {
    if (!ctx.flags.dryRun) return await processList(ctx, run)
    const { planList } = await import('./preview-list.ts')
    return await planList(ctx, run)
  } finally {
    list.close()
  }
}

/** Returns the names of the columns that the command reads, and the rules for checking the rows. */
function columnsOf(ctx: Context, checked: CheckedRun) {
  const { command, input, flags } = checked
  const { many: { change, copiesColumns, needs } = {}, effect } = command
  const keep = input.keep.flat()
  const data = flags?.names ?? []
  const only = input['only'] === undefined ? undefined : String(input['only'])
  return {
    known: [...data, ...(change?.next?.columns ?? []), ...keep],
    data,
    required: [...keep, ...(needs?.columns ?? []), ...(only === undefined ? [] : ['status'])],
    ...(needs && { missingHint: needs.hint }),
    checksIds: change !== undefined && effect !== 'destroy',
    effect: change === undefined ? ('read' as const) : effect,
    isCreation: change?.creates === true,
    isPerUser: change?.creates === true && !copiesColumns,
    only,
    problemsOf: (item: ListItem) => findProblems(ctx, checked, item),
    show: async (list: CheckedList) => {
      // In a dry run that would create users, `planList` shows the first rows, so they are not shown here.
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
  const { list, input, command } = run
  const { change, isStatus } = command.many ?? {}
  const isFile = input.out !== undefined || change !== undefined
  const { stdout } = ctx.terminals
  const terminal = isFile ? { ...stdout, color: false, isTTY: false } : stdout
  const format = new RowFormat(run, await loadValueWriter(run.settings.format), terminal)
  const file = isFile
    ? await (await import('./results-file.ts')).openResultsFile(ctx, run, format)
    : undefined
  try {
    const output = file ?? (await stdoutOutput(ctx, format, list, input.errors))
    const { end, files } = file?.complete
      ? repeatEnd(ctx, file, file.complete, change?.verb)
      : await processRows(ctx, run, output, file)
    noteEmpty(ctx, run, output.counts)
    const concluded = await conclude({
      list,
      counts: output.counts,
      end,
      files,
      change,
      countsRows: !(change || isStatus),
      resume: file && list.line,
      isRepeated: file?.complete !== undefined,
    })
    if (change || isStatus) return concluded
    if (concluded.error) throw concluded.error
    if (concluded.done !== undefined) ctx.done(concluded.done)
    return alreadyPrinted
  } finally {
    await file?.lock.release()
  }
}

async function processRows(
  ctx: Context,
  { list, input, command, settings, inputOf }: ListRun,
  output: Output,
  file: ResumableFile | undefined,
): Promise<{ end: RunEnd; files: Files }> {
  const { change } = command.many ?? {}
  const cuts = new Set<string>()
  const ended = await processUsers(
    { ...ctx, settings },
    {
      list,
      options: input,
      output,
      file,
      isPrinting: !file && !isForPeople(settings) && ctx.terminals.stdout.isTTY,
      change: change && changeOf(command, list, change),
      process: (quiet, item, testAddress) =>
        processRow(quiet, command, inputOf(item), { item, file, cuts, testAddress }),
    },
  )
  for (const cut of cuts) ctx.note(`some users have more results than shown: ${cut}`)
  return ended
}

/** Reports how many users have no row in the output. The note suggests JSON, because JSON contains an empty list for such a user. */
function noteEmpty(
  ctx: Context,
  { command, settings, list }: ListRun,
  { done, empty = 0 }: Output['counts'],
): void {
  if (empty === 0 || settings.jq !== undefined || command.many?.isStatus) return
  ctx.note(
    `no results for ${countRows(list, empty)}${empty < done ? '; to list these users, use --json' : ''}`,
  )
}

/** Ends with the exit code of the run that wrote the files, because a scheduler may not have received it. */
function repeatEnd(
  ctx: Context,
  file: ResumableFile,
  files: Files,
  verb: string | undefined,
): { end: RunEnd; files: Files } {
  file.forget()
  const text = `nothing was sent: ${files.out} is already complete; to run the command again, add --renew`
  if (verb === undefined) ctx.note(text)
  else ctx.warn(text)
  return { end: { done: true }, files }
}

function changeOf({ effect }: ListedCommand, list: CheckedList, { verb, failures, next }: ListChange) {
  const losses = effect === 'destroy' ? ' and all of their data' : ''
  const users = list.users - list.repeated
  const summary = `${verb} ${countOf(users, 'user')}${losses}${next ? ` and ${next.summary}` : ''}`
  return { effect, users, summary, verb, failures, ids: () => idsOf(list) }
}

async function* idsOf(list: CheckedList): AsyncGenerator<string> {
  for await (const items of readList(list))
    for (const item of items) if ('user' in item && list.isValid(item)) yield item.user.id
}
