import type { Clock } from '../../base/clock.ts'
import { FacescanError } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import type { EngineEnd } from '../../bulk/engine/engine.ts'
import { processList } from '../../bulk/lists/process-list.ts'
import { type BadRow, type ListItem, readList } from '../../bulk/lists/read-list.ts'
import type { Lock } from '../../bulk/lock.ts'
import { Pace, paceResult } from '../../bulk/pace/pace.ts'
import { waitsTooLong } from '../../bulk/send/outcomes.ts'
import { rateOfShard } from '../../bulk/shard.ts'
import type { Gate } from '../../http/wire.ts'
import type { Context } from '../context.ts'
import { showProgress } from '../show-progress.ts'
import type { CheckedList } from './open-users.ts'
import { defaultMaxWaitMs, type ListOptions } from './options.ts'
import type { ListOutput } from './output.ts'

export interface ListRun {
  list: CheckedList
  options: ListOptions
  output: ListOutput
  process(ctx: Context, item: ListItem): Promise<unknown>
}

/** Processes every user of a list at a limited pace. The first Ctrl-C waits for the requests in flight. */
export async function runList(ctx: Context, run: ListRun): Promise<EngineEnd> {
  const { list, options, process, output } = run
  const drain = ctx.drainFirst()
  const stopping = new AbortController()
  const { lock } = output
  const stops = AbortSignal.any([drain, stopping.signal, ...(lock ? [lock.lost] : [])])
  const { maxConcurrency, maxWait: maxWaitMs = defaultMaxWaitMs } = options
  const session = await ctx.session()
  const probing = once(() => ctx.connect(session, {}))
  const pace = new Pace({
    clock: ctx.clock,
    random: () => ctx.random(),
    maxConcurrency,
    rate: rateOfShard(options.rate, list.shard),
    probe: async () => responds(await probing()),
    signal: stops,
    maxWaitMs,
    giveUp: (retryAfterMs) =>
      stopping.abort(retryAfterMs === undefined ? notResponding() : waitsTooLong(retryAfterMs)),
  })
  const api = once(() =>
    ctx.connect(session, { connections: maxConcurrency, gate: toGate(pace, ctx.clock, lock), maxWaitMs }),
  )
  const silent = () => undefined
  const quiet: Context = { ...ctx, api, note: silent, done: silent, session: async () => session }
  const stopShowing = showListProgress(ctx, run, pace, drain)
  try {
    return await processList({
      items: itemsLeft(run),
      process: (item) => process(quiet, item),
      emit: (item, end) => output.put(item, end),
      maxConcurrency,
      drain: stops,
      signal: ctx.signal,
    })
  } finally {
    stopShowing()
    stopping.abort()
  }
}

async function* itemsLeft({ list, output }: ListRun): AsyncGenerator<ListItem[]> {
  const from = output.counts.rows
  const isLeft = (item: ListItem | BadRow): item is ListItem =>
    'user' in item && item.row >= from && list.isValid(item)
  for await (const items of readList(list)) yield items.filter(isLeft)
}

function notResponding(): FacescanError {
  return new FacescanError('network', 'the service did not respond for 10 minutes')
}

/** Any reply means that the service responds again. */
async function responds(api: Awaited<ReturnType<Context['api']>>): Promise<boolean> {
  try {
    await api.questions.all()
    return true
  } catch (error) {
    return error instanceof FacescanError && error.code !== 'network' && error.code !== 'server'
  }
}

function toGate(pace: Pace, clock: Clock, lock: Lock | undefined): Gate {
  return {
    async enter(isRetry) {
      await pace.enter(isRetry)
      try {
        lock?.ensureHeld()
      } catch (error) {
        pace.leave(isRetry, { kind: 'canceled' })
        throw error
      }
    },
    leave(isRetry, reply, latencyMs) {
      pace.leave(isRetry, reply ? paceResult(reply, latencyMs, clock.now()) : { kind: 'failed' })
    },
  }
}

function showListProgress(
  ctx: Context,
  { list, output }: ListRun,
  pace: Pace,
  drain: AbortSignal,
): () => void {
  // The rows of a stream would appear in the middle of the progress line.
  if (output.isStream && ctx.pen('stdout').terminal) return () => undefined
  return showProgress(ctx, drain, () => {
    const { done, failed } = output.counts
    return { unit: 'users', done: done + failed, total: list.users, counts: { failed }, pace }
  })
}
