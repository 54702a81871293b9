import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text/count.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import type { CheckedInput } from '../../bulk/check.ts'
import { withdrawImport } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { Totals } from '../../bulk/journal/state.ts'
import { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { PlanReport, Summary } from '../../bulk/schemas.ts'
import { describeShard, shardSuffix } from '../../bulk/shard.ts'
import { countStates, identify, type ResultPaths, writeSummary } from '../../bulk/summary.ts'
import type { Context } from '../../command/context.ts'
import { type Outcome, outcome } from '../../command/outcome.ts'
import { describeService } from './answer-writer.ts'
import { checkInput, type OpenInput } from './check-input.ts'
import { type ChosenImport, chooseImport, type FinishedImport, refuseChanged } from './choose-import.ts'
import type { ImportRequest } from './options.ts'
import { describeEvidence, planImport } from './plan-import.ts'
import { describeDoubts, describePlan, describeProblems, planView } from './plan-view.ts'
import { conclude, sendImport } from './send-import.ts'

/** Checks a file, shows the plan, and sends the answers, or resumes a stopped import of the file. */
export async function importAnswers(
  ctx: Context,
  request: ImportRequest,
): Promise<Outcome<PlanReport | Summary>> {
  const source = isStream(request.file) ? '-' : resolve(request.file)
  const owner = await nameOwner(ctx)
  await ctx.api({ connections: request.sending.maxConcurrency })
  const input = await checkInput(ctx, {
    ...request,
    openResults: (identity) => openResultFolder(ctx, `${owner}\n${identity ?? source}`, source, request),
  })
  try {
    const { report, header } = await planImport(ctx, input, request, source)
    if (ctx.flags.dryRun) return concludeDryRun(ctx, report, input, request)
    for (const line of describePlan(report)) ctx.note(line)
    for (const doubt of describeDoubts(report)) ctx.warn(doubt)
    await refuseChanged(ctx, header, request)
    refuseInvalid(input, request)
    input.results.prepare()
    if (report.answers === 0) return concludeEmpty(ctx, header, input, request)
    const chosen = await chooseImport(ctx, header, request)
    if ('finished' in chosen) return concludeAgain(ctx, chosen.finished, request)
    return await sendChosen(ctx, chosen, { request, input, report })
  } finally {
    await input.close()
  }
}

/** Standard input or a pipe. It has no folder and cannot be opened again. */
function isStream(path: string): boolean {
  return /^(-$|\/dev\/(fd|std)|\/proc\/)/.test(path)
}

async function nameOwner(ctx: Context): Promise<string> {
  const { profile, baseUrl } = await ctx.session()
  return `${profile}\n${describeService(baseUrl)}`
}

function openResultFolder(
  ctx: Context,
  owner: string,
  source: string,
  { settings, sending: { results } }: ImportRequest,
): ResultFolder {
  const { state } = ctx.paths
  const directory = resolve(results ?? (source === '-' ? '.' : dirname(source)))
  return new ResultFolder({
    directory,
    owner,
    suffix: shardSuffix(settings.shard),
    notes: state && join(state, 'results'),
    isUsed: !ctx.flags.dryRun || results !== undefined,
  })
}

function concludeDryRun(
  ctx: Context,
  report: PlanReport,
  input: OpenInput,
  request: ImportRequest,
): Outcome<PlanReport> {
  for (const doubt of describeDoubts(report)) ctx.warn(doubt)
  refuseInvalid(input, request)
  input.checked.rejects?.close()
  input.results.finish(false)
  return outcome(report, { view: planView })
}

/** Ends like the run that sent the answers, because a scheduler may not have seen the end of that run. */
function concludeAgain(
  ctx: Context,
  { header, totals, files }: FinishedImport,
  { sending }: ImportRequest,
): Outcome<Summary> {
  const { shard } = header.settings
  ctx.note(`${shard ? `shard ${describeShard(shard)}` : 'this content'} was already imported`)
  return conclude(withoutRequests(header, totals, files), sending)
}

/** A shard without users and a file without valid rows have a summary too. */
function concludeEmpty(
  ctx: Context,
  header: HeaderRecord,
  { checked, results }: OpenInput,
  { sending }: ImportRequest,
): Outcome<Summary> {
  ctx.note('no rows to send')
  checked.rejects?.close()
  const files = { rejects_file: checked.rejects?.path ?? null, unknown_file: null }
  const summary = withoutRequests(header, undefined, files)
  writeSummary(results, summary)
  results.finish(true)
  return conclude(summary, sending)
}

function withoutRequests(
  header: HeaderRecord,
  totals?: Totals,
  files: ResultPaths = { rejects_file: null, unknown_file: null },
): Summary {
  const states = countStates(header, totals)
  return { ...identify(header), status: 'finished', ...states, requests: 0, retried: 0, seconds: 0, ...files }
}

interface Sending {
  request: ImportRequest
  input: OpenInput
  report: PlanReport
}

async function sendChosen(ctx: Context, chosen: ChosenImport, sending: Sending): Promise<Outcome<Summary>> {
  const { request, input } = sending
  try {
    await approveSending(ctx, chosen, sending)
  } catch (error) {
    // Otherwise, the next run would ask whether to resume the declined import.
    if (chosen.isNew) await withdrawImport(chosen)
    else await chosen.lock.release()
    throw error
  }
  try {
    const { checked, results } = input
    return await sendImport(ctx, { ...request.sending, ...chosen, checked, resultFolder: results })
  } finally {
    await chosen.lock.release()
  }
}

async function approveSending(
  ctx: Context,
  { header: { keys } }: ChosenImport,
  { request, input, report }: Sending,
): Promise<void> {
  // The batches of a stopped import depend on the lookup keys at its start.
  if (String(keys) !== String(input.keys)) await input.recheck(keys)
  const evidence = await describeEvidence(ctx, input.checked, request.sending)
  if (evidence !== undefined) ctx.note(evidence)
  await ctx.approve({
    effect: 'change',
    users: report.users,
    summary: `import ${countOf(report.answers, 'answer')} of ${countOf(report.users, 'user')}`,
  })
}

function isAcceptable({ plan }: CheckedInput, { skipInvalid }: ImportRequest): boolean {
  return plan.invalid_in_input === 0 || skipInvalid
}

function refuseInvalid({ checked, results }: OpenInput, request: ImportRequest): void {
  if (isAcceptable(checked, request)) return
  const { plan, rejects } = checked
  rejects?.close()
  results.finish(false)
  const invalid = countOf(plan.invalid_in_input, 'invalid row')
  const where = rejects?.path
    ? `All invalid rows, with the reasons: ${rejects.path}`
    : `To write all invalid rows to a file, add --results ${quoteWord(results.directory)}`
  throw new UsageError([`${invalid}; nothing was sent`, ...describeProblems(plan)], {
    hint: `Fix the file, or import only the valid rows with --skip-invalid. ${where}`,
  })
}
