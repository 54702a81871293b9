import { span } from '../../base/clock.ts'
import { FacescanError, type Hint } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import type { CheckedInput } from '../../bulk/check.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import { finishImport, markReported, openJournal, type RecoveredImport } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { JournalState, Totals } from '../../bulk/journal/state.ts'
import type { Lock } from '../../bulk/lock.ts'
import type { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { Summary } from '../../bulk/schemas.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import { Run, type RunOptions } from '../../bulk/send/run.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import { countStates, summarize, writeSummary } from '../../bulk/summary.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { pacingOf, type RowChange, runRows } from '../../framework/many/run-rows.ts'
import type { SendOnce } from '../../http/client.ts'
import { awaitQuiet, openImportWriters } from './answer-writer.ts'
import type { SendingOptions } from './options.ts'
import { describeRejections, describeSummary, suggestUsers, summaryView } from './summary-view.ts'

/** An import whose lock is held. */
export interface OpenImport {
  header: HeaderRecord
  folder: string
  lock: Lock
  /** State from the journal of a resumed import. Undefined for a new import. */
  recovered?: RecoveredImport | undefined
}

export interface ChosenImport {
  /** Number of remaining answers. Undefined for a new import. */
  left?: number | undefined
  /** The import that is resumed. */
  resumed?: OpenImport
  /** Creates a new import. Call this after the confirmation, so that an import without a confirmation leaves no record. */
  create(): Promise<OpenImport>
}

interface SendRequest {
  sending: SendingOptions
  chosen: ChosenImport
  checked: CheckedInput
  /** Absolute path of the input, or `-`. A resumed import can read the input from a different path. */
  source: string
  resultFolder: ResultFolder
  /** The change that is confirmed. Undefined if no answer is left. */
  change: (() => RowChange) | undefined
}

/** How often a running import renews its mark, in milliseconds. */
const heartbeatMs = 2_000

/** Confirms an import, sends all remaining batches, and reports the state of each row. */
export async function sendImport(ctx: Context, request: SendRequest): Promise<CommandResult<Summary>> {
  const { change, chosen } = request
  let { resumed: opened } = chosen
  try {
    return await runRows(ctx, {
      change,
      async start(drainFirst, confirmed) {
        opened = await chosen.create()
        const drain = AbortSignal.any([drainFirst, opened.lock.lost])
        const send = confirmed?.send ?? (await ctx.api()).attempt
        return startImport(ctx, request, opened, { drain, send })
      },
    })
  } finally {
    await opened?.lock.release()
  }
}

/** Writes the mark that shows this import to other commands, and then opens its journal. */
async function startImport(
  ctx: Context,
  request: SendRequest,
  opened: OpenImport,
  { drain, send }: { drain: AbortSignal; send: SendOnce },
) {
  const { header, folder, recovered } = opened
  const writers = openImportWriters(ctx, header, request.checked.users)
  const mark = (settleMs: number) => writers.enter(2 * heartbeatMs + settleMs)
  await mark(ctx.flags.timeout)
  try {
    await awaitQuiet(ctx, writers, drain)
    const journal = await openJournal(folder, recovered)
    const run = openRun(ctx, request, opened, { send, journal, drain, writers })
    const { state } = journal
    return {
      async send() {
        // A failed renewal is ignored, because its only effect is that the mark of this import expires earlier.
        const renew = () => void mark(run.sender.settleMs).catch(() => undefined)
        const heartbeat = setInterval(renew, heartbeatMs)
        const end = await run.execute().finally(() => clearInterval(heartbeat))
        await writers.leave(state.totals.open > 0 ? run.sender.settleMs : 0)
        return end
      },
      progress: () => progressOf(run, state.totals, header),
      entry: (end: RunEnd) => entryOf(countStates(header, state.totals), end),
      async finish(end: RunEnd) {
        try {
          return await finish(ctx, request, opened, { run, state, end })
        } catch (error) {
          const { explainStop } = await import('../../framework/many/explain-stop.ts')
          throw explainStop(error, describeSummary(countStates(header, state.totals)), undefined)
        }
      },
    }
  } catch (error) {
    await writers.leave(0)
    throw error
  }
}

function entryOf({ accepted, rejected, unknown }: ReturnType<typeof countStates>, { done }: RunEnd) {
  const detail = `${accepted} accepted, ${rejected} rejected, ${unknown} unknown`
  // A stopped import without unknown rows has a known outcome.
  const outcome = done || unknown === 0 ? 'done' : 'unknown'
  return { outcome, detail: `${done ? 'finished' : 'stopped'}: ${detail}` } as const
}

/** Saves the result files and the record of the finished import. */
async function finish(
  ctx: Context,
  request: SendRequest,
  { header, folder }: OpenImport,
  { run, state, end: sentEnd }: { run: Run; state: JournalState; end: RunEnd },
): Promise<CommandResult<Summary>> {
  const { sending, checked, resultFolder, source } = request
  const { work, rowsSent: sent_now } = run.sender
  const { totals, rejected, lastAt: at } = state
  const end = await addRows(request, state, sentEnd)
  checked.rejects.saveIn(resultFolder)
  checked.unknown.saveIn(resultFolder)
  const files = {
    rejects_file: checked.rejects.path ?? null,
    unknown_file: checked.unknown.path ?? null,
  }
  const status = end.done ? 'finished' : 'stopped'
  const summary = summarize(header, totals, { status, ...work, sent_now, ...files })
  if (sending.results !== undefined) writeSummary(resultFolder, summary)
  if (!end.done) {
    resultFolder.finish(false)
    const { explainImportStop } = await import('./resume-hint.ts')
    const where = { sending, header, source }
    const error = explainImportStop(ctx, end.error, describeSummary(summary), where)
    return commandResult(summary, { view: summaryView, brief: !sending.verbose, error })
  }
  const clock = state.checkpoint?.clock
  await finishImport(folder, { header, totals, at, files, work, rejected, clock })
  resultFolder.finish(true)
  const reasons = [
    describeRejections(state),
    totals.unknown > 0 ? describeTimeouts(ctx, run) : undefined,
    suggestUsers(state, summary),
  ].filter((hint) => hint !== undefined)
  return conclude(summary, sending, { folder, reasons })
}

/** Adds rejected and unknown rows to the result files. Without a readable input, the import counts as stopped until a resumed run adds them. */
async function addRows({ checked, sending }: SendRequest, state: JournalState, end: RunEnd): Promise<RunEnd> {
  if (state.partial.size === 0) return end
  const { addJournalRows } = await import('../../bulk/results/journal-rows.ts')
  const { rejects, batches } = checked
  const unknown = sending.onAmbiguous === 'skip' ? undefined : checked.unknown
  try {
    await addJournalRows(state, batches(), { rejects, unknown })
    return end
  } catch (error) {
    return end.done ? { done: false, error } : end
  }
}

function openRun(
  ctx: Context,
  { checked, sending }: SendRequest,
  { header, lock }: OpenImport,
  { send, ...parts }: Pick<RunOptions, 'journal' | 'drain' | 'writers'> & { send: SendOnce },
): Run {
  const { timeout: timeoutMs } = ctx.flags
  const { onAmbiguous, pageParameter } = sending
  const serviceClock = new ServiceClock(ctx.clock)
  return new Run({
    ...parts,
    ...pacingOf(ctx, sending, header.settings.shard),
    input: checked,
    lock,
    service: new AnswerService({ send, serviceClock, timeoutMs, pageParameter }),
    serviceClock,
    timeoutMs,
    onAmbiguous,
  })
}

function describeTimeouts({ flags }: Context, { sender }: Run): string | undefined {
  const { timeouts = 0 } = sender.outcomes ?? {}
  if (timeouts === 0) return undefined
  return `${countOf(timeouts, 'request')} had no response within ${flags.timeout / 1000} s; if the service is slow, use a longer --timeout`
}

function progressOf({ pace, sender, waiting }: Run, totals: Totals, { rows, invalid }: HeaderRecord) {
  const { accepted, rejected, unknown } = totals
  const counts = { rejected, unknown, retried: sender.retried }
  const done = accepted + rejected + unknown
  return {
    unit: 'rows',
    done,
    total: rows - invalid,
    counts,
    waiting,
    waits: sender.outcomes?.waits,
    pace,
  } as const
}

/**
 * Returns the summary, with an error if some rows were not accepted. `folder` is the folder of the finished import. `reasons` describes why
 * rows were not accepted, and the next step.
 */
export function conclude(
  summary: Summary,
  { verbose }: Pick<SendingOptions, 'verbose'>,
  { folder, reasons = [] }: { folder?: string; reasons?: readonly (string | Hint)[] } = {},
): CommandResult<Summary> {
  const { rows, rejected, unknown, seconds } = summary
  const reported = folder === undefined ? undefined : () => markReported(folder)
  const ending = { view: summaryView, brief: !verbose, reported }
  if (rejected + unknown === 0)
    return commandResult(summary, { ...ending, done: `Imported ${countOf(rows, 'row')} (${span(seconds)})` })
  const files = [summary.rejects_file, summary.unknown_file].filter((path) => path !== null)
  const error = new FacescanError('import_rejected', describeSummary(summary), {
    hint: [
      ...reasons,
      ...(files.length > 0
        ? [`The rows that were not accepted and the reasons are in ${files.join(', ')}`]
        : []),
    ],
  })
  return commandResult(summary, { ...ending, error })
}
