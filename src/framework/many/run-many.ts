import { extname } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { loadFrame } from '../../output/frame.ts'
import { formatOfEnding, isForPeople, type OutputSettings } from '../../output/settings.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { explainMissing } from '../follow-up.ts'
import { alreadyPrinted, Outcome, outcome } from '../outcome.ts'
import { conclude } from './conclude.ts'
import { type Destination, type Files, stdoutOutput, streamPrinter, tablePrinter } from './destination.ts'
import { type FlagColumn, flagColumns, isNamedLikeFlag, readFlags } from './flag-columns.ts'
import type { ListSummary } from './list-schema.ts'
import { type CheckedList, noteIgnored, noteUnread, openUsers, toUser } from './open-users.ts'
import type { ManyInput } from './options.ts'
import { copiedColumns, Filtered, RowFormat } from './row-format.ts'
import { findProblems, withoutValues } from './row-problems.ts'
import { runList } from './run-list.ts'
import type { RowChange } from './run-rows.ts'

type ManyCommand = Pick<Command, 'user' | 'options' | 'many' | 'effect'> &
  Partial<Pick<Command, 'view' | 'check' | 'run'>>

interface ManyRun {
  command: ManyCommand
  keep: readonly string[]
  input: ManyInput
  settings: OutputSettings
  flags: readonly FlagColumn[]
  list: CheckedList
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
  const columns = columnsOf(ctx, command, input, flags)
  const problemsOf = (item: ListItem) => {
    const problems = findProblems(item, command, input, flags)
    // If stderr is not a terminal, it is often a log file, which must not contain personal data.
    return ctx.pen('stderr').terminal ? problems : withoutValues(problems, flags, item)
  }
  const list = await openUsers(ctx, input.users, input, columns, problemsOf)
  const copied = command.many?.copiesColumns ? copiedColumns(command.view, list.table.layout) : []
  const keep = [...input.keep.flat(), ...copied]
  const run = { command, keep, input, settings, flags, list, cuts: new Set<string>() }
  // Other commands need only the user of a row.
  if (command.many?.change && flags.length > 0 && copied.length === 0) noteUnread(ctx, list, columns.known)
  else
    noteIgnored(ctx, list, (name) => isNamedLikeFlag(command.options, name) && !columns.known.includes(name))
  try {
    if (!ctx.flags.dryRun) return await processAll(ctx, run)
    const { planList } = await import('./preview-list.ts')
    return await planList(ctx, { ...run, many: command.many ?? {} }, (item) => inputOf(run, item))
  } finally {
    list.close()
  }
}

/** The output format. Throws if a flag or the destination cannot be used with a list. */
function chooseSettings(ctx: Context, { many = {}, options }: ManyCommand, input: ManyInput): OutputSettings {
  const { settings } = ctx
  const clash = (many.excludes ?? []).filter((name) =>
    [input[name] ?? false].flat().some((value) => value !== false),
  )
  if (clash.length > 0) {
    const names = clash.map((name) => options[name]?.long)
    throw new UsageError(`${names.join(', ')} and --users cannot be used together`)
  }
  const { terminal } = ctx.pen('stdout')
  const isFiltered = settings.jq !== undefined && !many.change
  if (isFiltered && input.out !== undefined) return chooseFiltered(settings, input)
  if (input.out !== undefined || many.change) {
    const usual = isForPeople(settings) || many.change ? 'csv' : settings.format
    const isChosen = settings.isExplicit && usual === settings.format
    return { ...settings, format: isChosen ? usual : (formatOfEnding(extname(input.out ?? '')) ?? usual) }
  }
  if (many.isSecret && terminal) {
    throw new UsageError('tokens and links are not printed to a terminal', {
      hint: 'Use --out FILE to write them to a file that only you can read, or pipe them to a program.',
    })
  }
  if (isFiltered) return chooseFiltered(settings, input)
  return isForPeople(settings) && !terminal ? { ...settings, format: 'tsv' } : settings
}

/** A filter can return any number of results per user, so each result is a line. */
function chooseFiltered(settings: OutputSettings, { out }: ManyInput): OutputSettings {
  if (settings.fields !== undefined)
    throw new UsageError('--json=fields, --jq, and --users cannot be used together')
  if (out !== undefined && formatOfEnding(extname(out)) !== 'ndjson') {
    throw new UsageError('--jq: the output is NDJSON', { hint: 'Use a file name that ends in .ndjson.' })
  }
  return { ...settings, format: 'ndjson' }
}

/** The columns that the command uses, and the rules for rows. */
function columnsOf(
  ctx: Context,
  { many: { change, copiesColumns } = {}, effect }: ManyCommand,
  input: ManyInput,
  flags: readonly FlagColumn[],
) {
  const keep = input.keep.flat()
  const data = [...flags.flatMap(({ names }) => names), ...(change?.next?.columns ?? [])]
  return {
    known: [...data, ...keep],
    data,
    required: input['only'] === undefined ? keep : [...keep, 'status'],
    checksIds: change !== undefined && effect !== 'destroy',
    isChange: change !== undefined,
    isCreation: change?.creates === true,
    isPerUser: change?.creates === true && !copiesColumns,
    only: input['only'] === undefined ? undefined : String(input['only']),
    show: async (list: CheckedList) => {
      // A dry run of a creation prints the rows later.
      if (ctx.flags.dryRun && change?.creates) return
      const { showFirstRows } = await import('./preview-list.ts')
      await showFirstRows(ctx, list, flags)
    },
  }
}

async function processAll(ctx: Context, run: ManyRun): Promise<Outcome<ListSummary> | typeof alreadyPrinted> {
  const { list, input, command, cuts } = run
  const verb = command.many?.change?.verb
  const output = await openOutput(ctx, run)
  const isRepeated = output.complete !== undefined
  const { end, files } = output.complete
    ? await repeatEnd(ctx, output.complete, output, verb)
    : await runList(ctx, {
        list,
        options: input,
        output,
        change: command.many?.change && (() => changeOf(run)),
        process: (quiet, item) => processOne(quiet, run, item, output),
      })
  for (const cut of cuts) ctx.note(`some users have more results than shown: ${cut}`)
  const resume = output.lock && list.line
  const concluded = conclude({ list, counts: output.counts, end, files, verb, resume, isRepeated })
  if (input.out === undefined && end.done) output.forget?.()
  if (verb !== undefined) return concluded
  if (concluded.ending.error) throw concluded.ending.error
  if (concluded.ending.done !== undefined) ctx.done(concluded.ending.done)
  return alreadyPrinted
}

/** Repeats the end of the run that wrote the files, because a scheduler may not have received it. */
async function repeatEnd(
  ctx: Context,
  files: Files,
  { lock }: Pick<Destination, 'lock'>,
  verb: string | undefined,
): Promise<{ end: RunEnd; files: Files }> {
  await lock?.release()
  const text = `nothing was sent: ${files.out} is already complete; to run the command again, add --renew`
  if (verb === undefined) ctx.note(text)
  else ctx.warn(text)
  return { end: { done: true }, files }
}

function changeOf({ command: { effect, many }, list }: ManyRun): RowChange {
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

function inputOf({ input, flags }: Pick<ManyRun, 'input' | 'flags'>, item: ListItem) {
  return { ...input, ...readFlags(flags, item), user: toUser(item), expectedUserId: item.expectedUserId }
}

async function processOne(
  quiet: Context,
  { command, input, settings, flags, cuts }: ManyRun,
  item: ListItem,
  output: Destination,
): Promise<unknown> {
  const ctx = { ...quiet, settings }
  const own = inputOf({ input, flags }, item)
  const change = command.many?.change
  try {
    if (change) return await change.each(ctx, own, output.stepFor(item))
    const returned = await command.run?.(ctx, own)
    const { value, ending } = returned instanceof Outcome ? returned : outcome(returned, {})
    if (ending.cut) cuts.add(ending.cut)
    if (ending.error) throw ending.error
    return settings.jq === undefined ? value : new Filtered(await ctx.filter(value))
  } catch (error) {
    throw await explainMissing(error, ctx, command.user, own)
  }
}

async function openOutput(ctx: Context, run: ManyRun): Promise<Destination> {
  const { command, input, settings, list } = run
  const { change, view = command.view } = command.many ?? {}
  const isFile = input.out !== undefined || change !== undefined
  const stdout = ctx.pen('stdout')
  const format = new RowFormat({
    view,
    keep: run.keep,
    layout: list.table.layout,
    settings,
    frame: await loadFrame(settings.format),
    pen: isFile ? { ...stdout, color: false, terminal: false } : stdout,
  })
  if (isFile) {
    const { openFile } = await import('./open-file.ts')
    return openFile(ctx, { many: command.many ?? {}, input, settings, list, format })
  }
  const printer = isForPeople(settings) ? tablePrinter(ctx, format, input.errors) : streamPrinter(ctx, format)
  return stdoutOutput(ctx, printer, list, input.errors)
}
