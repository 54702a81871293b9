import { FacescanError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import { count } from '../../base/text/count.ts'
import { createPace, type ItemEnd, processList } from '../../bulk/lists/process-list.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import type { Pace } from '../../bulk/pace/pace.ts'
import { ProgressLine } from '../../bulk/progress-line.ts'
import type { Gate } from '../../http/gate.ts'
import { describeProgress } from '../../output/progress.ts'
import type { Context } from '../context.ts'
import { type CheckedList, isUser } from './open-users.ts'
import type { ListOptions } from './options.ts'
import type { Sink } from './sink.ts'

export interface ListRun<Result> {
  list: CheckedList
  options: ListOptions
  sink: Sink
  /** Whether an item of the check is processed; rows skipped by --skip-invalid are not. */
  isValid(item: ListItem): boolean
  process(ctx: Context, item: ListItem): Promise<Result>
  emit(item: ListItem, end: ItemEnd<Result>): Promise<void> | undefined
  /** Rows that are announced before they are sent, at a time; without it nothing is announced. */
  announceRows?: number
  /** The plural of what is processed, such as `users`. */
  unit?: string
}

/** Whether every user was processed, or the error that stopped the run. */
export type ListEnd = { done: true } | { done: false; error: unknown }

const progressMs = 200
const linesMs = 10_000

/** Processes every user of a list at a limited pace. The first Ctrl-C waits for the requests in flight. */
export async function runList<Result>(ctx: Context, run: ListRun<Result>): Promise<ListEnd> {
  const { list, options, process, emit } = run
  const drain = ctx.drainFirst()
  const stopping = new AbortController()
  const { maxConcurrency, rate } = options
  const session = await ctx.session()
  const probing = once(() => ctx.connect(session, {}))
  const pace = createPace({
    clock: ctx.clock,
    random: () => ctx.random(),
    maxConcurrency,
    rate: rate && rate / (list.shard?.count ?? 1),
    probe: async () => answers(await probing()),
    signal: AbortSignal.any([drain, stopping.signal]),
    giveUp: () => stopping.abort(new FacescanError('network', 'the service did not respond for 10 minutes')),
  })
  const api = once(() => ctx.connect(session, { connections: maxConcurrency, gate: toGate(pace) }))
  const quiet: Context = {
    ...ctx,
    api,
    note: () => undefined,
    done: () => undefined,
    session: async () => session,
  }
  const stopShowing = showProgress(ctx, run, pace, drain)
  try {
    return await processList<ListItem, Result>({
      items: () => itemsLeft(run),
      process: (item) => process(quiet, item),
      emit,
      pace,
      maxConcurrency,
      drain: AbortSignal.any([drain, stopping.signal]),
    })
  } finally {
    stopShowing()
    stopping.abort()
  }
}

async function* itemsLeft<Result>({
  list,
  sink,
  isValid,
  announceRows,
}: ListRun<Result>): AsyncGenerator<ListItem> {
  const from = sink.rowsDone
  let announced = 0
  for await (const item of readList(list)) {
    if (item.row < from || !isUser(item) || !isValid(item)) continue
    if (announceRows !== undefined && item.row >= announced) {
      announced = item.row + announceRows
      sink.announce(announced)
    }
    yield item
  }
}

/** Any reply means that the service responds again. */
async function answers(api: Awaited<ReturnType<Context['api']>>): Promise<boolean> {
  try {
    await api.questions.all()
    return true
  } catch (error) {
    return error instanceof FacescanError && error.code !== 'network' && error.code !== 'server'
  }
}

function toGate(pace: Pace): Gate {
  return {
    enter: (isRetry) => pace.enter(isRetry),
    leave(isRetry, reply, latencyMs) {
      if (reply === undefined || reply.status >= 500) return pace.leave(isRetry, { kind: 'failed' })
      if (reply.status !== 429) return pace.leave(isRetry, { kind: 'answered', latencyMs })
      const seconds = Number(reply.headers['retry-after'])
      const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined
      pace.leave(isRetry, { kind: 'refused', latencyMs, retryAfterMs })
    },
  }
}

function showProgress<Result>(
  ctx: Context,
  { list, sink, unit = 'users' }: ListRun<Result>,
  pace: Pace,
  drain: AbortSignal,
): () => void {
  const progress = ctx.progress()
  const line = new ProgressLine()
  const isLive = ctx.pen('stderr').pictures
  const show = () => {
    const totals = { accepted: sink.done, rejected: sink.failed, unknown: 0, open: 0 }
    const { inFlight, isAway, heldMs } = pace
    const at = ctx.clock.monotonic()
    const snapshot = { rows: list.users, totals, inFlight, retried: 0, waiting: 0, isAway, heldMs, at }
    const report = { ...line.report(snapshot), unit }
    const failed = sink.failed > 0 ? [`${count(sink.failed)} failed`] : []
    const shown = { ...report, details: [...failed, `${inFlight} in flight`] }
    if (isLive) progress.show(shown)
    else if (at > 0) ctx.note(describeProgress(shown))
  }
  const timer = setInterval(show, isLive ? progressMs : linesMs)
  const sayDraining = () => {
    progress.clear()
    ctx.note('stopping after the requests in flight; press Ctrl-C again to stop immediately')
  }
  drain.addEventListener('abort', sayDraining, { once: true })
  return () => {
    drain.removeEventListener('abort', sayDraining)
    clearInterval(timer)
    progress.clear()
  }
}
