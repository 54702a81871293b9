import { span } from '../../base/clock.ts'
import { requireDirectory } from '../../base/paths.ts'
import { count, countOf } from '../../base/text.ts'
import type { CheckedInput } from '../../bulk/check.ts'
import type { RunEnd } from '../../bulk/engine/engine.ts'
import { finishImport, openJournal } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { JournalState } from '../../bulk/journal/state.ts'
import { type OpenImport, openNewImport } from '../../bulk/new-import.ts'
import type { Summary } from '../../bulk/schemas.ts'
import { AnswerService } from '../../bulk/send/api-service.ts'
import { Run } from '../../bulk/send/run.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import { countStates, identify, summarize, writeSummary } from '../../bulk/summary.ts'
import { ActiveWriters } from '../../bulk/writers/active-writers.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { pacingOf, type RowChange, runRows, type StartedRun } from '../../framework/many/run-rows.ts'
import type { SendOnce } from '../../http/client.ts'
import type { SendingOptions } from './options.ts'
import type { PlannedImport } from './plan-import.ts'
import { concludeImport, describeSummary, summaryView } from './summary-view.ts'

/** The import to send. A new import is created after the confirmation, so a refused import leaves no record. */
export interface ChosenImport extends Pick<OpenImport, 'folder' | 'header'> {
  /** Number of remaining answers. Undefined for a new import. */
  left?: number
  resumed?: OpenImport
}

interface SendRequest {
  planned: PlannedImport
  sending: SendingOptions
  chosen: ChosenImport
}

const heartbeatMs = 2_000

/** Confirms an import, sends all remaining batches, and reports the state of each row. */
export async function sendImport(ctx: Context, request: SendRequest): Promise<CommandResult<Summary>> {
  const { planned, chosen } = request
  const { left = planned.report.answers } = chosen
  let { resumed: opened } = chosen
  try {
    // If no answers remain to be saved, no confirmation is needed.
    const change = left > 0 ? changeOf(planned, left) : undefined
    const { started, end } = await runRows(ctx, change, async (drainFirst, confirmed) => {
      const { folder, header } = chosen
      opened ??= await openNewImport(folder, header, { ...ctx, settleMs: ctx.flags.timeout })
      const drain = AbortSignal.any([drainFirst, opened.lock.lost])
      const send = confirmed?.send ?? (await ctx.api()).attempt
      return startImport(ctx, request, opened, { drain, send })
    })
    return await finish(ctx, request, { ...started, end }).catch(async (error: unknown) => {
      const { explainStoppedRun } = await import('../../framework/many/explain-stop.ts')
      const counts = countStates(started.header, started.state.totals)
      throw explainStoppedRun(error, describeSummary(counts), undefined)
    })
  } finally {
    await opened?.lock.release()
  }
}

function changeOf({ report, checked }: PlannedImport, left: number): RowChange {
  const { answers, users, estimated_seconds: seconds } = report
  return {
    effect: 'change',
    users,
    async *ids() {
      for await (const { user } of checked.batches()) yield user.id
    },
    estimatedSeconds: seconds === null ? undefined : Math.ceil((seconds * left) / answers),
    summary:
      left === answers
        ? `import ${countOf(answers, 'answer')} for ${countOf(users, 'user')}`
        : `import the remaining ${count(left)} of ${countOf(answers, 'answer')}`,
  }
}

/** Writes a record that shows this import to other commands on this machine. Then opens the journal. */
async function startImport(
  ctx: Context,
  request: SendRequest,
  opened: OpenImport,
  { drain, send }: { drain: AbortSignal; send: SendOnce },
) {
  const { header, folder, lock, recovered } = opened
  const { planned, sending } = request
  const { onAmbiguous, pageParameter } = sending
  const { timeout: timeoutMs } = ctx.flags
  const writers = writersOf(ctx, opened, planned.checked)
  await writers.enter(2 * heartbeatMs + timeoutMs)
  try {
    // After this wait, an answer with a later time cannot be from a command that has already ended.
    const waitMs = await writers.quietAfterMs()
    if (waitMs > 0)
      ctx.note(
        `waiting ${span(waitMs / 1000)} because another command has just saved answers for the same users`,
      )
    if (waitMs > 0) await ctx.clock.sleep(waitMs, drain).catch(() => undefined)
    const journal = await openJournal(folder, recovered)
    const serviceClock = new ServiceClock(ctx.clock)
    const service = new AnswerService({ send, serviceClock, timeoutMs, pageParameter, isProof: true })
    const usersAreNew = header.settings.withUsers === true
    const pacing = { ...pacingOf(ctx, sending, header.settings.shard), drain }
    const parts = { input: planned.checked, lock, service, serviceClock, journal, writers }
    const run = new Run({ ...pacing, ...parts, timeoutMs, onAmbiguous, usersAreNew })
    const { state } = journal
    return { ...startedRun(header, run, state, writers), header, folder, run, state }
  } catch (error) {
    await writers.leave(0)
    throw error
  }
}

/** The records of commands that save answers on this machine. The ID contains the start time, because an import can be removed and repeated. */
function writersOf(
  { paths, clock }: Context,
  { header }: OpenImport,
  { users }: CheckedInput,
): ActiveWriters {
  const { id, at, host, settings } = header
  const { input_sha256, settings_sha256 } = identify(header)
  const { shard } = settings
  const part = shard && { input: `${input_sha256} ${settings_sha256} ${shard.count}`, index: shard.index }
  const self = { id: `import ${id} (started ${new Date(at).toISOString()})`, part, users }
  return new ActiveWriters({ stateDirectory: requireDirectory(paths, 'state'), host, clock, self })
}

/** The functions that send a started import, and that report its progress and its end. */
function startedRun(header: HeaderRecord, run: Run, state: JournalState, writers: ActiveWriters): StartedRun {
  const { engine, sender } = run
  return {
    async send() {
      // If a renewal fails, the record of this import only expires earlier, so the error is ignored.
      const renew = () => writers.enter(2 * heartbeatMs + sender.settleTime.ms).catch(() => undefined)
      const heartbeat = setInterval(renew, heartbeatMs)
      const end = await run.execute().finally(() => clearInterval(heartbeat))
      await writers.leave(state.totals.open > 0 ? sender.settleTime.ms : 0)
      return end
    },
    progress() {
      const { accepted, rejected, unknown } = state.totals
      const counts = { rejected, unknown, retried: sender.retried }
      const rows = { done: accepted + rejected + unknown, total: header.rows - header.invalid }
      const waiting = { waiting: engine.waiting, waits: sender.outcomes?.waits }
      return { unit: 'answers', ...rows, counts, ...waiting, pace: engine.pace }
    },
    entry({ done }) {
      const { accepted, rejected, unknown } = countStates(header, state.totals)
      const detail = `${accepted} accepted, ${rejected} rejected, ${unknown} unknown`
      // If no row is unknown, the outcome is known, even if the import was stopped.
      const outcome = done || unknown === 0 ? 'done' : 'unknown'
      return { outcome, detail: `${done ? 'finished' : 'stopped'}: ${detail}` }
    },
  }
}

async function finish(
  ctx: Context,
  request: SendRequest,
  { header, folder, run, state, end: sentEnd }: Awaited<ReturnType<typeof startImport>> & { end: RunEnd },
): Promise<CommandResult<Summary>> {
  const { sending, planned } = request
  const { checked, results, header: given } = planned
  const { work, rowsSent: sent_now } = run.sender
  const { totals, rejected, lastAt: at } = state
  const end = await addRows(request, state, sentEnd)
  checked.rejects.saveIn(results)
  checked.unknown.saveIn(results)
  const files = {
    rejects_file: checked.rejects.path ?? null,
    unknown_file: checked.unknown.path ?? null,
  }
  const status = end.done ? 'finished' : 'stopped'
  const summary = summarize(header, totals, { status, ...work, sent_now, ...files })
  if (given.results !== undefined) writeSummary(results, summary)
  if (!end.done) {
    results.finish(false)
    const { explainImportStop } = await import('./resume-hint.ts')
    // A resumed import can read its input from another path, so the path of this run is used.
    const where = { sending, header, source: given.source }
    const error = explainImportStop(ctx, end.error, describeSummary(summary), where)
    return commandResult(summary, { view: summaryView, brief: !sending.verbose, error })
  }
  const clock = state.checkpoint?.clock
  await finishImport(folder, { header, totals, at, files, work, rejected, clock })
  results.finish(true)
  const reasons =
    totals.rejected + totals.unknown > 0
      ? (await import('./import-errors.ts')).explainNotAccepted(ctx, {
          summary,
          settings: header.settings,
          state,
          timeouts: run.sender.outcomes?.timeouts,
        })
      : []
  return concludeImport(summary, sending, { folder, reasons })
}

/** Adds the rows to the result files. If the input cannot be read, the import counts as stopped and can be resumed. */
async function addRows({ planned, sending }: SendRequest, state: JournalState, end: RunEnd): Promise<RunEnd> {
  if (state.partial.size === 0) return end
  const { addJournalRows } = await import('../../bulk/results/journal-rows.ts')
  const { rejects, unknown, batches } = planned.checked
  try {
    const files = { rejects, unknown: sending.onAmbiguous === 'skip' ? undefined : unknown }
    await addJournalRows(state, batches(), files)
    return end
  } catch (error) {
    return end.done ? { done: false, error } : end
  }
}
