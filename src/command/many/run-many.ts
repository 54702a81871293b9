import { extname } from 'node:path'
import { FacescanError, UsageError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text/count.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import type { OutputFormat, OutputSettings } from '../../output/settings.ts'
import type { Pen, View } from '../../output/view.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { argumentKey } from '../options.ts'
import { Outcome } from '../outcome.ts'
import { conclude } from './conclude.ts'
import { toFailure } from './failures.ts'
import { type FlagReader, RowFlags } from './flag-columns.ts'
import { type CheckedList, openUsers } from './open-users.ts'
import type { ManyOptions } from './options.ts'
import { RowFormat } from './row-format.ts'
import { runList } from './run-list.ts'
import { FileSink, type Sink, StreamSink } from './sink.ts'
import { TableSink } from './table-sink.ts'

export interface ManyRun {
  command: Command
  /** Parsed arguments and options of the command line, which apply to every user. */
  input: Record<string, unknown> & ManyOptions & { users: string }
  settings: OutputSettings
  /** Parses the cell of a column that is named like a flag. */
  readFlag: FlagReader
}

/** Runs a command for each user of a list. */
export async function runMany(ctx: Context, run: ManyRun): Promise<void> {
  const settings = chooseSettings(ctx, run)
  const flags = new RowFlags(run.command, run.readFlag)
  const { users: file, keep } = run.input
  const names = keep.flat()
  const columns = { known: [...flags.columns, ...names], required: names }
  const list = await openUsers(ctx, file, run.input, columns, (item) => flags.problemsOf(item, run.input))
  try {
    if (ctx.flags.dryRun) return await showPlan(ctx, run, list)
    await sendAll(ctx, { ...run, settings }, list, flags)
  } finally {
    list.close()
  }
}

async function sendAll(ctx: Context, run: ManyRun, list: CheckedList, flags: RowFlags): Promise<void> {
  const { command, input, settings } = run
  const format = createFormat(ctx, run, list)
  const sink = await openSink(ctx, run, list, format)
  const table = sink instanceof TableSink ? sink : undefined
  const cuts = new Set<string>()
  const end = await runList<unknown>(ctx, {
    list,
    options: input,
    sink,
    isValid: (item) => list.invalid === 0 || flags.problemsOf(item, input).length === 0,
    async process(quiet, item) {
      const returned = await command.run(quiet, flags.inputFor(item, input))
      if (returned instanceof Outcome && returned.ending.cut) cuts.add(returned.ending.cut)
      return resultOf(returned)
    },
    emit(item, result) {
      if ('error' in result) return void sink.fail(item, toFailure(item, result.error))
      if (table) return void table.addResult(item, result.result)
      const text = format.text(item, result.result, sink.done)
      return sink.add(item, text, command.many?.isSecret ? expiryOf(result.result, ctx) : undefined)
    },
  })
  const files = await sink.end(end.done, settings.format === 'table' ? '' : format.end(sink.done))
  const resume = input.out === undefined ? undefined : resumeCommand(ctx, file(input), input.out)
  const { done, error } = conclude({ list, sink, end, files, resume })
  for (const cut of cuts) ctx.note(`for some users: ${cut}`)
  if (error) throw error
  if (done !== undefined) ctx.done(done)
}

const file = ({ users }: { users: string }) => users

function resumeCommand({ command }: Context, users: string, out: string): string {
  return `facescan ${command} --users ${quoteWord(users)} --out ${quoteWord(out)} (with the same flags)`
}

function resultOf(returned: unknown): unknown {
  if (!(returned instanceof Outcome)) return returned
  if (returned.ending.error) throw returned.ending.error
  return returned.value
}

/** When a token or link stops working, in ms. A link that does not say so counts as expired: it may work only once. */
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

/** The format, and a refusal of what makes no sense for a list. */
function chooseSettings(ctx: Context, { command, input, settings }: ManyRun): OutputSettings {
  if (settings.jq !== undefined) {
    throw new UsageError('--jq and --users cannot be used together', {
      hint: 'Pipe the output to jq: facescan … --users FILE -o ndjson | jq …',
    })
  }
  const excluded = command.many?.excludes ?? []
  const clash = excluded.filter((name) => ![undefined, false].includes(input[argumentKey(name)] as undefined))
  if (clash.length > 0) {
    throw new UsageError(`${clash.map((name) => `--${name}`).join(', ')} and --users cannot be used together`)
  }
  const { terminal } = ctx.pen('stdout')
  if (input.out !== undefined) {
    if (ctx.flags.redact) throw new UsageError('--redact and --out cannot be used together')
    const format = settings.format === 'table' ? formatsByEnding[extname(input.out)] : settings.format
    return { ...settings, format: format ?? 'csv' }
  }
  if (command.many?.isSecret && terminal) {
    throw new UsageError('tokens and links are not printed on a terminal', {
      hint: 'Write them to a file that only you can read with --out FILE, or pipe them to a program.',
    })
  }
  return settings.format === 'table' && !terminal ? { ...settings, format: 'tsv' } : settings
}

function createFormat(
  ctx: Context,
  { command, input, settings }: ManyRun,
  { table }: CheckedList,
): RowFormat {
  const pen: Pen =
    input.out === undefined ? ctx.pen('stdout') : { ...ctx.pen('stdout'), color: false, terminal: false }
  return new RowFormat({
    view: command.view as View<never> | undefined,
    many: command.many ?? {},
    keep: input.keep.flat(),
    layout: table.layout,
    settings,
    pen,
  })
}

async function openSink(ctx: Context, run: ManyRun, list: CheckedList, format: RowFormat): Promise<Sink> {
  const { input, settings, command } = run
  if (input.out !== undefined) {
    const { baseUrl = 'sandbox', profile } = await ctx.session()
    // Everything that decides the content of the file. Pace and files do not.
    const { out, errors, rate, maxConcurrency, users, ...decisive } = input
    const identity = { command: ctx.command, baseUrl, profile, decisive, settings }
    return FileSink.open(ctx, { out, errors, settings: identity, start: format.start, list })
  }
  if (settings.format === 'table') return new TableSink(ctx, format, input.errors, list)
  if (command.many === undefined) throw new FacescanError('internal', 'the command does not support --users')
  return new StreamSink(ctx, format.start, input.errors, list)
}

/** A dry run checks the complete list and sends nothing. */
async function showPlan(ctx: Context, { input }: ManyRun, list: CheckedList): Promise<void> {
  const { environment, profile, baseUrl } = await ctx.session()
  const host = baseUrl === undefined ? 'the built-in sandbox' : new URL(baseUrl).host
  ctx.io.stderr.write(
    [
      `${input.users}: ${countOf(list.users, 'user')}, ${countOf(list.invalid, 'invalid row')}`,
      `would run "facescan ${ctx.command}" ${count(list.users)} times on ${host} (${profile ?? environment})`,
      'Nothing was sent.\n',
    ].join('\n'),
  )
}
