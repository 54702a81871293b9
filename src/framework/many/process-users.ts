import { FacescanError, systemCode } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import { Engine, type Queue, type RunEnd } from '../../bulk/engine/engine.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { resultSharing } from '../../bulk/lists/repeated-rows.ts'
import type { Lock } from '../../bulk/lock.ts'
import { type Pace, type PaceResult, paceResult } from '../../bulk/pace/pace.ts'
import type { Step } from '../../http/chain.ts'
import type { Context } from '../context.ts'
import { countUnchanged, summarize } from './conclude.ts'
import type { KeptRow } from './earlier-rows.ts'
import type { CheckedList } from './open-users.ts'
import type { ListChange, ListOptions } from './options.ts'
import { isServiceError, OrderedResults } from './ordered-results.ts'
import type { Output, RowEnd } from './output.ts'
import type { Files } from './output-paths.ts'
import type { ResumableFile } from './resumable-file.ts'
import { pacingOf, type RowChange, runRows } from './run-rows.ts'

interface UserProcessing {
  list: CheckedList
  options: ListOptions
  output: Output
  /** The output if it is a file. */
  file?: ResumableFile | undefined
  /** Whether rows are printed during the run. The progress line is then hidden. */
  isPrinting?: boolean
  change?: (RowChange & Pick<ListChange, 'verb' | 'failures'>) | undefined
  /** Processes one user. `testAddress` requests a path without a user, once per run, and returns the error of this request. */
  process(
    ctx: Context,
    item: ListItem,
    testAddress: () => Promise<FacescanError | undefined>,
  ): Promise<unknown>
}

/** For each concurrent request, this many users are processed at once. With 2, another user's request is ready when a request ends. */
const itemsPerRequest = 2

/** Processes all users of a list at a limited rate. The results are in the order of the list. */
export async function processUsers(
  ctx: Context,
  processing: UserProcessing,
): Promise<{ end: RunEnd; files: Files }> {
  const { list, output, file, change, isPrinting } = processing
  const { end } = await runRows(ctx, change, async (drain) => {
    await file?.begin()
    const signals = file ? [drain, file.lock.lost] : [drain]
    const { engine, results } = await openEngine(ctx, processing, AbortSignal.any(signals))
    const progress = () => {
      const { done, failed } = output.counts
      const unit = list.users === list.repeats.users ? 'users' : 'rows'
      return { unit, done: done + failed, total: list.users, counts: { failed }, pace: engine.pace } as const
    }
    return {
      async send() {
        const end = await engine.run()
        if (end.done) await results.putHeld()
        return end
      },
      progress: isPrinting ? undefined : progress,
      entry: change && (({ done }) => entryOf(processing, done)),
    }
  })
  try {
    return { end, files: await output.finish(end.done) }
  } catch (error) {
    // If the results cannot be saved, for example on a full disk, the counts are still shown.
    if (systemCode((error as Error).cause) === undefined) throw error
    return { end: { done: false, error }, files: {} }
  }
}

function entryOf({ list, output: { counts }, change }: UserProcessing, isDone: boolean) {
  const { done, failed } = summarize({ list, counts, files: {}, change })
  const unchanged = countUnchanged(counts.statuses)
  const counted = unchanged > 0 ? `${done - unchanged} done, ${unchanged} unchanged` : `${done} done`
  return { outcome: isDone ? 'done' : 'unknown', detail: `${counted}, ${failed} failed` } as const
}

/** A row of the list. `kept` is a result from an earlier run that is still valid. */
interface RowToDo {
  item: ListItem
  kept: KeptRow | undefined
}

async function openEngine(ctx: Context, processing: UserProcessing, drain: AbortSignal) {
  const { list, options, output, change, file } = processing
  const session = await ctx.session()
  const pacing = pacingOf(ctx, options, list.shard)
  const { maxConcurrency: connections, maxWaitMs } = pacing
  const limit = limitPace(ctx, () => engine.pace, file?.lock)
  const api = once(() => ctx.connect(session, { connections, limit, maxWaitMs }))
  const quiet: Context = { ...ctx, api, note: () => undefined }
  // Test requests do not wait for the allowed rate.
  const probe = async () => (await import('../explain-missing.ts')).testService(await ctx.api())
  const testAddress = once(probe)
  const endOf = async (item: ListItem): Promise<RowEnd> => {
    try {
      return { result: await processing.process(quiet, item, testAddress) }
    } catch (error) {
      if (ctx.signal.aborted || !concernsUser(error, engine.halt)) throw error
      // If a path that contains no user ID also returns 404, the base URL is wrong. Otherwise, only the user is unknown.
      const wrong = error.code === 'not_found' ? await testAddress() : undefined
      if (wrong?.code === 'not_found') throw wrong
      return { error }
    }
  }
  const results = new OrderedResults(output)
  const shareResult = resultSharing<RowEnd>(list.repeats, change === undefined)
  const engine: Engine<RowToDo, Queue<RowToDo>> = new Engine({
    ...pacing,
    drain,
    items: rowsToDo(processing),
    process: (_, { item, kept }) =>
      results.add(item, kept ? Promise.resolve({ result: kept }) : shareResult(item, () => endOf(item))),
    queuesPerRequest: itemsPerRequest,
    maxTrials,
    probe: async () => !isServiceError(await probe()),
  })
  return { engine, results }
}

/** The rows that have no result yet. Each row has its own queue, because requests for different users may be sent in any order. */
async function* rowsToDo({ list, output, file }: UserProcessing) {
  const from = output.counts.rows
  for await (const rows of readList(list)) {
    const left = rows.filter(
      (item): item is ListItem => 'user' in item && item.row >= from && list.isValid(item),
    )
    for (const item of left) yield { queue: { items: [] }, item: { item, kept: file?.recall(item) } }
  }
}

/** Maximum number of failed trials. A trial fails if a test request succeeds, but the next request of the list fails. */
const maxTrials = 3

/** Codes of errors that can concern a single user. Other errors would occur for each user. */
const itemErrors: readonly string[] = ['not_found', 'rejected', 'rate_limited', 'server', 'network']

/** Whether an error is the result for one user. If it occurs only because the run stops, the next run sends the request again. */
function concernsUser(error: unknown, halt: AbortSignal): error is FacescanError {
  if (!(error instanceof FacescanError) || !itemErrors.includes(error.code)) return false
  // If the run stops while a request waits, its user counts as not tried.
  return !(halt.aborted && (error.code === 'rate_limited' || error === halt.reason))
}

/** Starts each attempt when the rate allows it. Throws if the lock of the list is lost. */
function limitPace({ clock }: Context, paceOf: () => Pace, lock: Lock | undefined): Step {
  return async (call, next) => {
    const pace = paceOf()
    const isRetry = call.attempt > 1
    await pace.enter(isRetry)
    let result: PaceResult = { kind: 'canceled' }
    try {
      lock?.ensureHeld()
      result = { kind: 'failed' }
      const startedAt = clock.monotonic()
      const response = await next(call)
      result = paceResult(response, clock.monotonic() - startedAt, clock.now())
      return response
    } finally {
      pace.leave(isRetry, result)
    }
  }
}
