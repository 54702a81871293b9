import { countOf } from '../../base/text.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { loadFrame } from '../../output/frame.ts'
import { isForPeople, type OutputSettings } from '../../output/settings.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { explainMissing } from '../follow-up.ts'
import { alreadyPrinted, Outcome, outcome } from '../outcome.ts'
import { type Conclusion, conclude, listSummaryView, summarize } from './conclude.ts'
import { fileBeside } from './file-beside.ts'
import { FileOutput, keyOf } from './file-output.ts'
import { type FlagColumn, flagColumns, isNamedLikeFlag, readFlags } from './flag-columns.ts'
import type { ListSummary } from './list-schema.ts'
import { chooseSettings } from './list-settings.ts'
import { type CheckedList, noteIgnored, noteUnread, openUsers, toUser } from './open-users.ts'
import type { ManyInput } from './options.ts'
import { type ListOutput, stdoutOutput, streamPrinter, tablePrinter } from './output.ts'
import { previewList, showFirstRows } from './preview-list.ts'
import { copiedColumns, Filtered, RowFormat } from './row-format.ts'
import { findProblems, withoutValues } from './row-problems.ts'
import { runList } from './run-list.ts'

type ManyCommand = Pick<Command, 'user' | 'options' | 'many' | 'effect'> &
  Partial<Pick<Command, 'view' | 'check' | 'run'>>

/** IDs in a prompt about a list. */
const shownUsers = 5

interface ManyRun {
  command: ManyCommand
  /** Columns of the list that the output contains. */
  keep: readonly string[]
  input: ManyInput
  settings: OutputSettings
  flags: readonly FlagColumn[]
  list: CheckedList
  /** Notes that lists do not contain all items. */
  cuts: Set<string>
}

/** Runs a command for each user of a list. */
export async function runMany(
  ctx: Context,
  command: ManyCommand,
  input: ManyInput,
): Promise<Outcome<ListSummary> | typeof alreadyPrinted> {
  const settings = chooseSettings(ctx, command, input)
  const flags = flagColumns(command.options, command.many?.rowFlags ?? [])
  const keep = input.keep.flat()
  const { change } = command.many ?? {}
  const columns = {
    known: [...flags.flatMap(({ names }) => names), ...keep],
    required: input['only'] === undefined ? keep : [...keep, 'status'],
    checksIds: change !== undefined && command.effect !== 'destroy',
    isCreation: change?.creates === true,
    only: input['only'] === undefined ? undefined : String(input['only']),
  }
  const problemsOf = (item: ListItem) => {
    const problems = findProblems(item, command, input, flags)
    // If stderr is not a terminal, it is often a log file.
    return ctx.pen('stderr').terminal ? problems : withoutValues(problems, flags, item)
  }
  const list = await openUsers(ctx, input.users, input, columns, problemsOf)
  const copied = command.many?.copiesColumns ? copiedColumns(command.view, list.table.layout) : []
  const run = { command, keep: [...keep, ...copied], input, settings, flags, list, cuts: new Set<string>() }
  // Other commands need only the user of a row.
  if (command.many?.change && flags.length > 0 && copied.length === 0) noteUnread(ctx, list, columns.known)
  else
    noteIgnored(ctx, list, (name) => isNamedLikeFlag(command.options, name) && !columns.known.includes(name))
  try {
    if (ctx.flags.dryRun) return await plan(ctx, run)
    return await processAll(ctx, run)
  } finally {
    list.close()
  }
}

/** A dry run checks the complete list and sends nothing. */
async function plan(ctx: Context, run: ManyRun): Promise<Outcome<ListSummary>> {
  const { command, list } = run
  const { environment, profile, baseUrl } = await ctx.session()
  const host = baseUrl === undefined ? 'the built-in sandbox' : new URL(baseUrl).host
  const verb = command.many?.change?.verb ?? `run "facescan ${ctx.command}" for`
  const what = `would ${verb} ${countOf(list.users, 'user')} on ${host} (${profile ?? environment})`
  const skipped = list.invalid > 0 ? `; would skip ${countOf(list.invalid, 'invalid row')}` : ''
  if (command.many?.change?.creates) await showFirstRows(ctx, list, run.flags)
  const preview = command.many?.change?.preview?.(run.input)
  const found =
    preview &&
    (await previewList(ctx, { list, options: run.input }, (quiet, item) =>
      preview(quiet, inputOf(run, item)),
    ))
  const note = `dry run: ${what}${found ?? ''}${skipped}; nothing was ${found === undefined ? 'sent' : 'changed'}`
  return outcome(summarize({ list, counts: { done: 0, failed: 0 }, files: {} }), {
    view: listSummaryView,
    brief: true,
    notes: [note],
  })
}

async function processAll(ctx: Context, run: ManyRun): Promise<Outcome<ListSummary> | typeof alreadyPrinted> {
  const { list, input, command, cuts } = run
  const verb = command.many?.change?.verb
  const output = await openOutput(ctx, run)
  const file = output instanceof FileOutput ? output : undefined
  const isRepeated = file?.isComplete === true
  const ended = isRepeated ? await repeatEnd(ctx, file, verb) : await runOnce(ctx, run, output)
  for (const cut of cuts) ctx.note(`some users have more results than shown: ${cut}`)
  const resume = file && ctx.line
  const concluded = conclude({ list, counts: output.counts, verb, resume, isRepeated, ...ended })
  if (input.out === undefined && ended.end.done) file?.forget()
  if (verb !== undefined) return concluded
  if (concluded.ending.error) throw concluded.ending.error
  if (concluded.ending.done !== undefined) ctx.done(concluded.ending.done)
  return alreadyPrinted
}

type Ended = Pick<Conclusion, 'end' | 'files'>

/** Ends like the run that wrote the file, because a scheduler may not have seen the end of that run. */
async function repeatEnd(ctx: Context, file: FileOutput, verb: string | undefined): Promise<Ended> {
  await file.close()
  const text = `nothing was sent: ${file.files.out} is already complete; delete it to run the command again`
  if (verb === undefined) ctx.note(text)
  else ctx.warn(text)
  return { end: { done: true }, files: file.files }
}

async function runOnce(ctx: Context, run: ManyRun, output: ListOutput): Promise<Ended> {
  const { list, input, command } = run
  if (output instanceof FileOutput) await begin(ctx, run, output)
  const end = await runList(ctx, {
    list,
    options: input,
    output,
    process: (quiet, item) => processOne(quiet, run, item, output),
  })
  if (command.many?.change) {
    const { done, failed } = output.counts
    const detail = `${done} done, ${failed} failed`
    // The audit log is written before the file is complete: a run that finds a complete file writes no entry.
    await ctx.concludeImport({ outcome: end.done ? 'done' : 'unknown', detail })
  }
  return { end, files: await output.end(end.done) }
}

/** Asks for the confirmation of a change before the first file is created. */
async function begin(ctx: Context, { command, list }: ManyRun, file: FileOutput): Promise<void> {
  const { effect, many } = command
  try {
    if (many?.change && list.users > 0) {
      const losses = effect === 'destroy' ? ' and all of their data' : ''
      const summary = `${many.change.verb} ${countOf(list.users, 'user')}${losses}`
      const firstUsers = ctx.ask.possible ? await firstIds(list) : undefined
      await ctx.approve({ effect, users: list.users, summary, firstUsers })
    }
    file.begin()
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The first IDs, for the prompt. */
async function firstIds(list: CheckedList): Promise<string[]> {
  const ids: string[] = []
  for await (const items of readList(list)) {
    for (const item of items)
      if (ids.length < shownUsers && 'user' in item && list.isValid(item)) ids.push(item.user.id)
    if (ids.length === shownUsers) break
  }
  return ids
}

/** Input of the command for one row. */
function inputOf({ input, flags }: Pick<ManyRun, 'input' | 'flags'>, item: ListItem) {
  return { ...input, ...readFlags(flags, item), user: toUser(item), expectedUserId: item.expectedUserId }
}

async function processOne(
  quiet: Context,
  { command, input, settings, flags, cuts }: ManyRun,
  item: ListItem,
  output: ListOutput,
): Promise<unknown> {
  const ctx = { ...quiet, settings }
  const own = inputOf({ input, flags }, item)
  const change = command.many?.change
  try {
    if (change && output instanceof FileOutput) return await change.each(ctx, own, output.stepFor(item))
    const returned = await command.run?.(ctx, own)
    const { value, ending } = returned instanceof Outcome ? returned : outcome(returned, {})
    if (ending.cut) cuts.add(ending.cut)
    if (ending.error) throw ending.error
    return settings.jq === undefined ? value : new Filtered(await ctx.filter(value))
  } catch (error) {
    throw await explainMissing(error, ctx, command.user, own)
  }
}

async function openOutput(ctx: Context, run: ManyRun): Promise<ListOutput> {
  const { command, input, settings, list } = run
  const { out, errors, rate, maxConcurrency, maxUsers, users, saveMapping: _, ...decisive } = input
  const key = await keyOf(ctx, list, [decisive, settings])
  const path = out ?? fileBeside(ctx, { fileName: command.many?.change?.fileName, list, users, key })
  const { change, isSecret } = command.many ?? {}
  const content = change ? 'changes' : isSecret ? 'secrets' : 'data'
  const stdout = ctx.pen('stdout')
  const format = new RowFormat({
    view: command.many?.view ?? command.view,
    keep: run.keep,
    layout: list.table.layout,
    settings,
    frame: await loadFrame(settings.format),
    pen: path === undefined ? stdout : { ...stdout, color: false, terminal: false },
  })
  const creates = change?.creates === true
  if (path !== undefined)
    return FileOutput.open(ctx, { out: path, errors, key, format, list, content, creates })
  const isTable = isForPeople(settings)
  const printer = isTable ? tablePrinter(ctx, format, errors) : streamPrinter(ctx, format)
  return stdoutOutput(ctx, printer, list, errors)
}
