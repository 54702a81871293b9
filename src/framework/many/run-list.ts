import { FacescanError, systemCode } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import { Engine, type Queue, type RunEnd } from '../../bulk/engine/engine.ts'
import { type BadRow, type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { SharedResults } from '../../bulk/lists/repeated-rows.ts'
import type { Lock } from '../../bulk/lock.ts'
import { failsForAll, type PaceResult, paceResult } from '../../bulk/pace/pace.ts'
import type { Step } from '../../http/chain.ts'
import type { Context } from '../context.ts'
import type { Destination, Files, RowEnd } from './destination.ts'
import type { KeptRow } from './earlier-rows.ts'
import type { CheckedList } from './open-users.ts'
import { defaultMaxWaitMs, type ListOptions } from './options.ts'
import { pacingOf, type RowChange, runRows } from './run-rows.ts'

export interface ListRun {
  list: CheckedList
  options: ListOptions
  output: Destination
  change?: (() => RowChange) | undefined
  process(ctx: Context, item: ListItem): Promise<unknown>
}

/** Number of items in process for each active request, so that a request can start immediately after another ends. */
const itemsPerRequest = 2

/** Processes all users of a list at a limited rate. The results keep the order of the list. */
export function runList(ctx: Context, run: ListRun): Promise<{ end: RunEnd; files: Files }> {
  const { list, output, change } = run
  return runRows(ctx, {
    lock: output.lock,
    change,
    async start(drain) {
      output.open()
      const { engine, results } = await openEngine(ctx, run, drain)
      // With streamed rows, the progress line would be broken by the rows.
      const isShown = !output.isStream || !ctx.pen('stdout').terminal
      return {
        send: async () => {
          const end = await engine.run()
          if (end.done) await results.putHeld()
          return end
        },
        progress: isShown
          ? () => {
              const { done, failed } = output.counts
              return {
                unit: 'users',
                done: done + failed,
                total: list.users,
                counts: { failed },
                pace: engine.pace,
              }
            }
          : undefined,
        entry:
          change &&
          (({ done }) => ({
            outcome: done ? 'done' : 'unknown',
            detail: `${output.counts.done} done, ${output.counts.failed} failed`,
          })),
        finish: (end) => finish(output, end),
      }
    },
  })
}

/** Saves the results. If they cannot be saved, for example on a full disk, the counts are still shown. */
async function finish(output: Destination, end: RunEnd): Promise<{ end: RunEnd; files: Files }> {
  try {
    return { end, files: await output.finish(end.done) }
  } catch (error) {
    if (systemCode((error as Error).cause) === undefined) throw error
    return { end: { done: false, error }, files: {} }
  }
}

async function openEngine(ctx: Context, run: ListRun, drain: AbortSignal) {
  const { list, options, output, change } = run
  const { maxConcurrency, maxWait: maxWaitMs = defaultMaxWaitMs } = options
  const session = await ctx.session()
  const probing = once(() => ctx.connect(session, {}))
  const api = once(() => {
    const limit = limitPace(ctx, engine, output.lock)
    return ctx.connect(session, { connections: maxConcurrency, limit, maxWaitMs })
  })
  const silent = () => undefined
  const quiet: Context = { ...ctx, api, note: silent, done: silent, session: async () => session }
  const results = new OrderedResults(output, (wait) => engine.releaseSlotWhile(wait))
  const kept = new Map<ListItem, KeptRow>()
  const shared = new SharedResults<RowEnd>(list.repeats, change === undefined)
  const endOfItem = async (item: ListItem): Promise<RowEnd> => {
    const earlier = kept.get(item)
    kept.delete(item)
    if (earlier) return { result: earlier }
    return shared.resultOf(item, () => endOf(() => run.process(quiet, item), engine.halt, ctx.signal))
  }
  const engine: Engine<ListItem, Queue<ListItem>> = new Engine({
    ...pacingOf(ctx, options, list.shard),
    drain,
    async *items() {
      // Each item has its own queue, because the requests of different users may be sent in any order.
      for await (const items of itemsLeft(run, kept))
        for (const item of items) yield { queue: { items: [] }, item }
    },
    process: (_, item) => results.add(item, endOfItem(item)),
    queuesPerRequest: itemsPerRequest,
    maxTrials,
    probe: async () => responds(await probing()),
  })
  return { engine, results }
}

/** Number of failed requests in a row, while test requests succeed, after which a list stops. */
const maxTrials = 3

/** Number of failed users in a row after which the failure concerns the service. */
const failuresToStop = 20

/**
 * Passes results to the output in the order of the list. Failures of the service are held back until a success follows. If the service
 * fails for many users in a row, the run stops, and the next run tries these users again.
 */
class OrderedResults {
  readonly #output: Destination
  readonly #releaseSlotWhile: (wait: () => Promise<void>) => Promise<void>
  #held: { item: ListItem; end: RowEnd }[] = []
  #started = 0
  #ended = 0
  #last: Promise<void> = Promise.resolve()

  constructor(output: Destination, releaseSlotWhile: (wait: () => Promise<void>) => Promise<void>) {
    this.#output = output
    this.#releaseSlotWhile = releaseSlotWhile
  }

  add(item: ListItem, ending: Promise<RowEnd>): Promise<void> {
    this.#last = this.#putInOrder(item, ending, this.#started++, this.#last)
    return this.#last
  }

  async #putInOrder(
    item: ListItem,
    ending: Promise<RowEnd>,
    place: number,
    before: Promise<void>,
  ): Promise<void> {
    const end = await ending
    // While this result waits for its turn in the output, its queue slot is free for later items.
    if (this.#ended < place) await this.#releaseSlotWhile(() => before)
    if ('error' in end && (end.error.code === 'server' || end.error.code === 'network')) {
      this.#held.push({ item, end })
      if (this.#held.length === failuresToStop) throw failsForAll(end.error.message)
    } else {
      await this.putHeld()
      await this.#output.put(item, end)
    }
    this.#ended++
  }

  /** Call this at the end of the list, because no success can follow. */
  async putHeld(): Promise<void> {
    for (const { item, end } of this.#held.splice(0)) await this.#output.put(item, end)
  }
}

async function* itemsLeft(
  { list, output }: ListRun,
  kept: Map<ListItem, KeptRow>,
): AsyncGenerator<ListItem[]> {
  const from = output.counts.rows
  const isLeft = (item: ListItem | BadRow): item is ListItem =>
    'user' in item && item.row >= from && list.isValid(item)
  for await (const items of readList(list)) {
    const left = items.filter(isLeft)
    if (output.recall)
      for (const item of left) {
        const row = await output.recall(item)
        if (row) kept.set(item, row)
      }
    yield left
  }
}

/** Error codes that concern a single user. Other errors would repeat for each user. */
const itemErrors: readonly string[] = ['not_found', 'rejected', 'rate_limited', 'server', 'network']

async function endOf(
  process: () => Promise<unknown>,
  halt: AbortSignal,
  signal: AbortSignal,
): Promise<RowEnd> {
  try {
    return { result: await process() }
  } catch (error) {
    // An item that was waiting at the stop was not tried. The next run repeats a request that was stopped.
    const isLimited = error instanceof FacescanError && error.code === 'rate_limited'
    const isStopped = signal.aborted || (halt.aborted && (isLimited || error === halt.reason))
    if (error instanceof FacescanError && itemErrors.includes(error.code) && !isStopped) return { error }
    throw error
  }
}

/** Whether the service responds. Any status counts as a response. */
async function responds(api: Awaited<ReturnType<Context['api']>>): Promise<boolean> {
  try {
    await api.questions.all()
    return true
  } catch (error) {
    return error instanceof FacescanError && error.code !== 'network' && error.code !== 'server'
  }
}

/** Starts each attempt when the rate allows it, and only while the lock of the list is held. */
function limitPace(
  { clock }: Context,
  { pace }: Pick<Engine<ListItem, Queue<ListItem>>, 'pace'>,
  lock: Lock | undefined,
): Step {
  return async (call, next) => {
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
