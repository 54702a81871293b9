import { extname } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text/count.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { OutputFormat, OutputSettings } from '../../output/settings.ts'
import type { Pen, View } from '../../output/view.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { printOutcome } from '../execute.ts'
import { explainMissing } from '../missing-user.ts'
import { argumentKey } from '../options.ts'
import { Outcome } from '../outcome.ts'
import type { UserId } from '../user.ts'
import { changeUsers, fileBeside } from './change-users.ts'
import { conclude } from './conclude.ts'
import { ErrorsFile } from './failures.ts'
import { FileSink } from './file-sink.ts'
import { FlagColumns } from './flag-columns.ts'
import { type CheckedList, noUserId, openUsers, toUser } from './open-users.ts'
import type { ListChange, ManyOptions } from './options.ts'
import { RowFormat } from './row-format.ts'
import { runList } from './run-list.ts'
import { type Sink, StreamSink, TableSink } from './sink.ts'

export interface ManyRun {
  command: Command
  /** Parsed arguments and options of the command line, which apply to every user. */
  input: Record<string, unknown> & ManyOptions & { users: string }
  settings: OutputSettings
}

interface OpenRun extends ManyRun {
  list: CheckedList
  flags: FlagColumns
  isValid(item: ListItem): boolean
}

/** Runs a command for each user of a list. */
export async function runMany(ctx: Context, run: ManyRun): Promise<void> {
  const { command, input } = run
  const settings = chooseSettings(ctx, run)
  const flags = new FlagColumns(command.options)
  const names = input.keep.flat()
  const columns = { known: [...flags.names, ...names], required: names }
  const problemsOf = (item: ListItem) => findProblems(item, run, flags)
  const list = await openUsers(ctx, input.users, input, columns, problemsOf)
  const isValid = (item: ListItem) => problemsOf(item).length === 0
  const open = { ...run, settings, list, flags, isValid }
  try {
    if (command.many?.change) return await changeEach(ctx, open, command.many.change)
    if (ctx.flags.dryRun) return await showPlan(ctx, open)
    await readEach(ctx, open)
  } finally {
    list.close()
  }
}

function findProblems(item: ListItem, { command, input }: ManyRun, flags: FlagColumns): string[] {
  if (item.user.kind === 'user_id' && command.user === 'external') return [noUserId]
  const problems: string[] = []
  const values = flags.read(item, problems)
  return problems.length > 0 ? problems : command.check({ ...input, ...values, user: toUser(item) })
}

async function readEach(ctx: Context, run: OpenRun): Promise<void> {
  const { command, input, list, flags, isValid } = run
  const sink = await openSink(ctx, run)
  const cuts = new Set<string>()
  const end = await runList(ctx, {
    list,
    options: input,
    sink,
    isValid,
    async process(quiet, item) {
      const own = { ...input, ...flags.read(item), user: toUser(item) }
      const returned = await command.run(quiet, own).catch((error) => throwExplained(error, ctx, own))
      if (!(returned instanceof Outcome)) return returned
      if (returned.ending.cut) cuts.add(returned.ending.cut)
      if (returned.ending.error) throw returned.ending.error
      return returned.value
    },
  })
  const files = await sink.end(end.done)
  const resume = input.out === undefined ? undefined : ctx.line
  const { done, error } = conclude({ list, counts: sink, end, files, resume })
  for (const cut of cuts) ctx.note(`some users have more results: ${cut}`)
  if (error) throw error
  if (done !== undefined) ctx.done(done)
}

async function changeEach(ctx: Context, run: OpenRun, { verb, fileName, each }: ListChange): Promise<void> {
  const { command, input, list, settings, isValid } = run
  const out = input.out ?? fileBeside(list, input.users, fileName)
  const changed = await changeUsers(ctx, {
    list,
    options: input,
    verb,
    effect: command.effect,
    out,
    settings: [input.keep, settings],
    format: createFormat(ctx, { ...run, input: { ...input, out } }),
    isValid,
    process(quiet, item, step) {
      const user = toUser(item)
      return each(quiet, user, step).catch((error) => throwExplained(error, ctx, { user }))
    },
  })
  await printOutcome(ctx, changed, command)
}

async function throwExplained(error: unknown, ctx: Context, input: { user?: UserId }): Promise<never> {
  throw await explainMissing(error, ctx, input)
}

/** When a token or link stops working, in ms. A link without an expiry counts as expired: it may work only once. */
function expiryOf(value: unknown, ctx: Context): number {
  const { expires_at } = (value ?? {}) as { expires_at?: string }
  return expires_at === undefined ? ctx.clock.now() : Date.parse(expires_at)
}

const formatsByEnding: Readonly<Record<string, OutputFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
}

/** The output format. Throws if a flag or the destination cannot be used with a list. */
function chooseSettings(ctx: Context, { command, input, settings }: ManyRun): OutputSettings {
  const { change, excludes = [], isSecret } = command.many ?? {}
  if (settings.jq !== undefined) {
    throw new UsageError('--jq and --users cannot be used together', {
      hint: 'Use -o ndjson instead, and pipe the output to jq.',
    })
  }
  const clash = excludes.filter((name) => ![undefined, false].includes(input[argumentKey(name)] as undefined))
  if (clash.length > 0) {
    throw new UsageError(`${clash.map((name) => `--${name}`).join(', ')} and --users cannot be used together`)
  }
  const { terminal } = ctx.pen('stdout')
  if (input.out !== undefined || change) {
    if (ctx.flags.redact) throw new UsageError('--redact and --out cannot be used together')
    const isUnset = settings.format === 'table' || change
    const format = isUnset ? formatsByEnding[extname(input.out ?? '')] : settings.format
    return { ...settings, format: format ?? 'csv' }
  }
  if (isSecret && terminal) {
    throw new UsageError('tokens and links are not printed on a terminal', {
      hint: 'Write them to a file that only you can read with --out FILE, or pipe them to a program.',
    })
  }
  return settings.format === 'table' && !terminal ? { ...settings, format: 'tsv' } : settings
}

function createFormat(ctx: Context, { command, input, settings, list }: OpenRun): RowFormat {
  const pen: Pen =
    input.out === undefined ? ctx.pen('stdout') : { ...ctx.pen('stdout'), color: false, terminal: false }
  return new RowFormat({
    view: command.view as View<never> | undefined,
    many: command.many ?? {},
    keep: input.keep.flat(),
    layout: list.table.layout,
    settings,
    pen,
  })
}

async function openSink(ctx: Context, run: OpenRun): Promise<Sink> {
  const { command, input, settings, list } = run
  const { out, errors, rate, maxConcurrency, users, ...decisive } = input
  const format = createFormat(ctx, run)
  if (out !== undefined) {
    const expiry = command.many?.isSecret && ((result: unknown) => expiryOf(result, ctx))
    const options = { out, errors, settings: [decisive, settings], format, list }
    return FileSink.open(ctx, { ...options, ...(expiry && { expiryOf: expiry }) })
  }
  const file = errors === undefined ? undefined : new ErrorsFile(errors, list)
  const Stdout = settings.format === 'table' ? TableSink : StreamSink
  return new Stdout(ctx, format, file)
}

/** A dry run checks the complete list and sends nothing. */
async function showPlan(ctx: Context, { input, list }: OpenRun): Promise<void> {
  const { environment, profile, baseUrl } = await ctx.session()
  const host = baseUrl === undefined ? 'the built-in sandbox' : new URL(baseUrl).host
  ctx.io.stderr.write(
    [
      `${input.users}: ${countOf(list.users, 'user')}, ${countOf(list.invalid, 'invalid row')}`,
      `would run "facescan ${ctx.command}" ${countOf(list.users, 'time')} on ${host} (${profile ?? environment})`,
      'Nothing was sent.\n',
    ].join('\n'),
  )
}
