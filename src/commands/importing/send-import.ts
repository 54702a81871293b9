import { span } from '../../base/clock.ts'
import { FacescanError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import type { CheckedInput } from '../../bulk/check.ts'
import { finishImport, markReported, openJournal } from '../../bulk/imports.ts'
import type { Totals } from '../../bulk/journal/state.ts'
import type { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { Summary } from '../../bulk/schemas.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import type { ResultFiles } from '../../bulk/send/ledger.ts'
import { Run, type RunOptions } from '../../bulk/send/run.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import { rateOfShard } from '../../bulk/shard.ts'
import { summarize, writeSummary } from '../../bulk/summary.ts'
import type { Context } from '../../framework/context.ts'
import { explainStop } from '../../framework/many/conclude.ts'
import { defaultMaxWaitMs } from '../../framework/many/options.ts'
import { type Outcome, outcome } from '../../framework/outcome.ts'
import { showProgress } from '../../framework/show-progress.ts'
import { awaitQuiet, openImportRegister } from './answer-writer.ts'
import type { ChosenImport } from './choose-import.ts'
import type { SendingOptions } from './options.ts'
import { describeResume } from './resume-hint.ts'
import { describeSummary, summaryView } from './summary-view.ts'

interface SendRequest extends SendingOptions, ChosenImport {
  checked: CheckedInput
  /** Absolute path of the input of this run, or `-`. A resumed import may have started with another path. */
  source: string
  resultFolder: ResultFolder
}

/** Interval between two renewals of the mark of a running import. */
const heartbeatMs = 2_000

/** Sends all batches that are not done, shows the progress, and reports the state of every row. */
export async function sendImport(ctx: Context, request: SendRequest): Promise<Outcome<Summary>> {
  const { header, checked, resultFolder, onAmbiguous } = request
  // From here on, the first Ctrl-C drains.
  const drain = AbortSignal.any([ctx.drainFirst(), request.lock.lost])
  const { rejects, unknown } = checked
  const results = { rejects, unknown: onAmbiguous === 'skip' ? undefined : unknown }
  const { totals, lastAt, end, work, sent_now } = await sendBatches(ctx, request, results, drain)
  rejects.saveIn(resultFolder)
  unknown.saveIn(resultFolder)
  const files = { rejects_file: rejects.path ?? null, unknown_file: unknown.path ?? null }
  const status = end.done ? 'finished' : 'stopped'
  const summary = summarize(header, totals, { status, ...work, sent_now, ...files })
  await ctx.concludeImport(auditResult(summary))
  if (request.results !== undefined) writeSummary(resultFolder, summary)
  if (!end.done) {
    resultFolder.finish(false)
    throw explainStop(
      end.error,
      describeSummary(summary),
      describeResume(ctx, request, header, request.source),
    )
  }
  await finishImport(request.folder, { header, totals, at: lastAt, files, work })
  // Last, because a resumed run saves all files again.
  resultFolder.finish(true)
  return conclude(summary, request, request.folder)
}

/** Runs the import while its mark is set. */
async function sendBatches(ctx: Context, request: SendRequest, results: ResultFiles, drain: AbortSignal) {
  const { header, folder, checked } = request
  const { timeout: timeoutMs } = ctx.flags
  const register = openImportRegister(ctx, header, checked.users)
  const mark = (settleMs: number) => register.enter(2 * heartbeatMs + settleMs)
  await mark(timeoutMs)
  let settleMs = 0
  try {
    await awaitQuiet(ctx, register, drain)
    const journal = await openJournal(folder)
    const run = await openRun(ctx, request, { journal, results, drain, register })
    const { totals } = journal.state
    const stopShowing = showImport(ctx, run, totals, header.rows - header.invalid, drain)
    // If a renewal fails, the mark only ends earlier.
    const renew = () => void mark(run.delivery.settleMs).catch(() => undefined)
    const heartbeat = setInterval(renew, heartbeatMs)
    const end = await run.finish().finally(() => {
      clearInterval(heartbeat)
      stopShowing()
    })
    settleMs = totals.open > 0 ? run.delivery.settleMs : 0
    const { total: work, rowsSent: sent_now } = run.delivery.work
    return { totals, lastAt: journal.state.lastAt, work, sent_now, end }
  } finally {
    await register.leave(settleMs)
  }
}

function auditResult({ status, accepted, rejected, unknown }: Summary) {
  const detail = `${accepted} accepted, ${rejected} rejected, ${unknown} unknown`
  // A stopped import whose rows all have a certain state is not unknown.
  const outcome = status === 'finished' || unknown === 0 ? 'done' : 'unknown'
  return { outcome, detail: `${status}: ${detail}` } as const
}

async function openRun(
  ctx: Context,
  { checked, header, lock, onAmbiguous, pageParameter, ...pace }: SendRequest,
  parts: Pick<RunOptions, 'journal' | 'results' | 'drain' | 'register'>,
): Promise<Run> {
  const { clock } = ctx
  const { timeout: timeoutMs } = ctx.flags
  const serviceClock = new ServiceClock(clock)
  const api = await ctx.api()
  return new Run({
    ...parts,
    input: checked,
    lock,
    service: new AnswerService({ api, serviceClock, timeoutMs, pageParameter }),
    serviceClock,
    clock,
    random: () => ctx.random(),
    timeoutMs,
    maxConcurrency: pace.maxConcurrency,
    rate: rateOfShard(pace.rate, header.settings.shard),
    maxWaitMs: pace.maxWait ?? defaultMaxWaitMs,
    onAmbiguous,
  })
}

/** The summary, with an error if rows were not accepted. `folder` is the folder of the finished import. */
export function conclude(
  summary: Summary,
  { verbose }: Pick<SendingOptions, 'verbose'>,
  folder?: string,
): Outcome<Summary> {
  const { rows, rejected, unknown, seconds } = summary
  const reported = folder === undefined ? undefined : () => markReported(folder)
  const ending = { view: summaryView, brief: !verbose, reported }
  if (rejected + unknown === 0)
    return outcome(summary, { ...ending, done: `Imported ${countOf(rows, 'row')} (${span(seconds)})` })
  const files = [summary.rejects_file, summary.unknown_file].filter((path) => path !== null)
  const error = new FacescanError('import_rejected', describeSummary(summary), {
    hint:
      files.length > 0
        ? `The rows that were not accepted and the reasons are in ${files.join(', ')}`
        : undefined,
  })
  return outcome(summary, { ...ending, error })
}

function showImport(ctx: Context, run: Run, totals: Totals, rows: number, drain: AbortSignal): () => void {
  const { pace, delivery } = run
  return showProgress(ctx, drain, () => {
    const { accepted, rejected, unknown } = totals
    const counts = { rejected, unknown, retried: delivery.work.retried }
    const done = accepted + rejected + unknown
    return { unit: 'rows', done, total: rows, counts, waiting: run.waiting, waits: delivery.waits, pace }
  })
}
