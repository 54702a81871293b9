import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text/count.ts'
import { version } from '../../base/version.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { ResultFolder } from '../../bulk/results/result-folder.ts'
import { describeShard } from '../../bulk/shard.ts'
import { countStates, identify, type ResultPaths, type Summary, writeSummary } from '../../bulk/summary.ts'
import type { CheckedInput, ImportSettings } from '../../bulk/types.ts'
import type { Context } from '../../command/context.ts'
import { type Outcome, outcome } from '../../command/outcome.ts'
import { describeService } from './answer-writer.ts'
import { checkInput, type OpenInput } from './check-input.ts'
import { type ChosenImport, chooseImport, type FinishedImport, findBegun } from './choose-import.ts'
import type { SendingOptions } from './options.ts'
import { describeDoubts, describePlan, describeProblems, type PlanReport, planView } from './plan-view.ts'
import { conclude, sendImport } from './send-import.ts'

export interface ImportRequest {
  /** A path, or `-` for standard input. */
  file: string
  settings: ImportSettings
  skipInvalid: boolean
  /** Whether to import what was imported already. */
  again: boolean
  resumed?: HeaderRecord | undefined
  sending: SendingOptions
}

/** Checks a file, says what would happen, and sends it, or goes on with an import of it that stopped. */
export async function importAnswers(
  ctx: Context,
  request: ImportRequest,
): Promise<Outcome<PlanReport | Summary>> {
  const source = isStream(request.file) ? '-' : resolve(request.file)
  const results = openResultFolder(ctx, source, request.sending)
  await ctx.api({ connections: request.sending.maxConcurrency })
  const input = await checkInput(ctx, { ...request, results })
  try {
    const { report, header } = await describeImport(ctx, input, request, source)
    const planned = ctx.flags.dryRun && isAcceptable(input.checked, request)
    if (!planned) for (const line of describePlan(report)) ctx.note(line)
    for (const doubt of describeDoubts(report)) ctx.warn(doubt)
    refuseInvalid(input.checked, request)
    if (planned) {
      input.checked.rejects?.close()
      return outcome(report, { view: planView })
    }
    results.prepare()
    if (report.answers === 0) return await concludeEmpty(ctx, header, input.checked, results)
    const chosen = await chooseImport(ctx, header, request)
    if ('finished' in chosen) return concludeAgain(ctx, chosen.finished)
    return await sendChosen(ctx, chosen, { request, input, results, report })
  } finally {
    await input.close()
  }
}

/** Standard input, or a pipe that the shell gave a name for this once: there is no place beside it, and it cannot be opened again. */
function isStream(path: string): boolean {
  return /^(-$|\/dev\/(fd|std)|\/proc\/)/.test(path)
}

function openResultFolder(ctx: Context, source: string, { results }: SendingOptions): ResultFolder {
  const { state } = ctx.paths
  return new ResultFolder({
    directory: resolve(results ?? (source === '-' ? '.' : dirname(source))),
    source: source === '-' ? undefined : source,
    notes: state && join(state, 'results'),
  })
}

/** Ends as the run did that did the work: a scheduler may not have seen how that one ended. */
function concludeAgain(ctx: Context, { header, totals, files }: FinishedImport): Outcome<Summary> {
  const { shard } = header.settings
  ctx.note(`${shard ? `shard ${describeShard(shard)}` : 'this content'} was imported already`)
  return conclude(withoutRequests(header, totals, files))
}

/** A shard may well have no user, and a file no valid row: what became of the others is told all the same. */
async function concludeEmpty(
  ctx: Context,
  header: HeaderRecord,
  { rejects }: CheckedInput,
  { directory }: ResultFolder,
): Promise<Outcome<Summary>> {
  ctx.note('0 rows to send: there is nothing to do')
  rejects?.close()
  const files = { rejects_file: rejects?.path ?? null, unknown_file: null }
  const summary = withoutRequests(header, undefined, files)
  await writeSummary(directory, summary, header)
  return conclude(summary)
}

function withoutRequests(
  header: HeaderRecord,
  totals = { accepted: 0, rejected: 0, unknown: 0, open: 0 },
  files: ResultPaths = { rejects_file: null, unknown_file: null },
): Summary {
  const states = countStates(header, totals)
  return { ...identify(header), status: 'finished', ...states, requests: 0, retried: 0, seconds: 0, ...files }
}

interface Sending {
  request: ImportRequest
  input: OpenInput
  results: ResultFolder
  report: PlanReport
}

async function sendChosen(ctx: Context, chosen: ChosenImport, sending: Sending): Promise<Outcome<Summary>> {
  const { request, input, results, report } = sending
  const { keys } = chosen.header
  try {
    // Should the service know other keys by now, the batches of the import that stopped were made with the old ones.
    if (String(keys) !== String(input.keys)) await input.recheck(keys)
    const { answers, users } = report
    await ctx.approve({
      effect: 'change',
      bulk: true,
      summary: `import ${countOf(answers, 'answer')} of ${countOf(users, 'user')}`,
    })
    return await sendImport(ctx, {
      ...request.sending,
      ...chosen,
      checked: input.checked,
      resultFolder: results,
    })
  } finally {
    await chosen.lock.release()
  }
}

async function reportOn(
  ctx: Context,
  { checked: { plan }, latencyMs }: OpenInput,
  { maxConcurrency, rate = Number.POSITIVE_INFINITY }: SendingOptions,
): Promise<PlanReport> {
  const { profile, baseUrl } = await ctx.session()
  const perSecond = latencyMs && Math.min(rate, (1000 * maxConcurrency) / latencyMs)
  return {
    ...plan,
    profile,
    host: describeService(baseUrl),
    estimated_seconds: perSecond ? Math.ceil(plan.requests / perSecond) : null,
  }
}

function isAcceptable({ plan }: CheckedInput, { skipInvalid }: ImportRequest): boolean {
  return plan.invalid_in_input === 0 || skipInvalid
}

function refuseInvalid(checked: CheckedInput, request: ImportRequest): void {
  if (isAcceptable(checked, request)) return
  const { plan, rejects } = checked
  rejects?.close()
  const invalid = countOf(plan.invalid_in_input, 'invalid row')
  const all = rejects?.path === undefined ? '' : ` All invalid rows, with the reasons: ${rejects.path}`
  throw new UsageError([`${invalid}; nothing was sent`, ...describeProblems(plan)], {
    hint: `Mend the file, or send the valid rows only with --skip-invalid.${all}`,
  })
}

/** Rows that were good when an import of this content began are not invalid because the service knows other keys by now. */
async function describeImport(
  ctx: Context,
  input: OpenInput,
  request: ImportRequest,
  source: string,
): Promise<{ report: PlanReport; header: HeaderRecord }> {
  const report = await reportOn(ctx, input, request.sending)
  const { credential } = await ctx.session()
  const key = report.profile === null ? credential?.fingerprint : undefined
  const header = { ...headerOf(report, request, source, input.keys, ctx.clock.now()), key }
  const begun = report.unknown_keys.length > 0 ? await findBegun(ctx, header, request) : undefined
  if (!begun || String(begun.keys) === String(input.keys)) return { report, header }
  await input.recheck(begun.keys)
  return describeImport(ctx, input, request, source)
}

function headerOf(
  { identity, profile, host, rows, invalid }: PlanReport,
  { settings, skipInvalid }: ImportRequest,
  source: string,
  keys: readonly string[],
  at: number,
): HeaderRecord {
  const input = { source, identity, settings, skipInvalid, keys, rows, invalid }
  return { type: 'HEADER', version: 1, id: '', tool: version, at, profile, host, ...input }
}
