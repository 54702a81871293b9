import { once } from '../../base/functions.ts'
import type { Pacing, RunEnd } from '../../bulk/engine/engine.ts'
import type { Snapshot } from '../../bulk/progress-line.ts'
import { rateOfShard, type Shard } from '../../bulk/shard.ts'
import type { GuardedChange } from '../../profiles/guard.ts'
import type { ConfirmedRun, Context } from '../context.ts'
import type { ListOptions } from './options.ts'

/** The users whose change needs confirmation. */
export interface RowChange extends Omit<GuardedChange, 'firstUsers'> {
  users: number
  /** IDs of the users, in the order of the list. A prompt for confirmation shows the first five. */
  ids(): AsyncIterable<string>
}

/** A started run for the rows of a file: an answer import, or a list of users. */
export interface StartedRun {
  /** Sends the rows. Resolves when no request is active. */
  send(): Promise<RunEnd>
  /** Data for the progress line. Undefined if no progress is shown. */
  progress?: (() => Snapshot) | undefined
  /** The audit entry for the end of a change. */
  entry?: ((end: RunEnd) => { outcome: 'done' | 'unknown'; detail: string }) | undefined
}

/**
 * Confirms a change, sends the rows, shows the progress, and records the end. After `drain` is aborted, no new request is allowed to
 * start. The caller saves the result files, which must not be complete before the audit entry is written: a later run that finds complete
 * files does not write the entry.
 */
export async function runRows<Started extends StartedRun>(
  ctx: Context,
  change: RowChange | undefined,
  start: (drain: AbortSignal, confirmed: ConfirmedRun | undefined) => Promise<Started>,
): Promise<{ started: Started; end: RunEnd }> {
  const confirmed = change && (await confirm(ctx, change))
  // From here on, the first Ctrl-C stops only new requests, so that active requests can finish.
  const drain = ctx.drainFirst()
  const started = await start(drain, confirmed)
  const { send, progress, entry } = started
  const stopShowing = progress ? showProgress(ctx, drain, progress) : () => undefined
  const end = await send().finally(stopShowing)
  if (entry) await confirmed?.finish(entry(end))
  return { started, end }
}

const replaceEveryMs = 200
const addEveryMs = 10_000

/** Shows the progress of a long run: one changing line on a terminal, or a new line every ten seconds elsewhere. */
function showProgress(ctx: Context, drain: AbortSignal, look: () => Snapshot): () => void {
  const { progress, clock, terminals } = ctx
  // The state at the start is needed for the rate in the first progress line.
  const [doneAtStart, startedAt] = [look().done, clock.monotonic()]
  let isEnded = false
  // A short run shows no progress and does not load the code for it.
  const openLine = once(async () => {
    const [{ ProgressLine }, { describeProgress }] = await Promise.all([
      import('../../bulk/progress-line.ts'),
      import('../../output/progress.ts'),
    ])
    return { line: new ProgressLine(doneAtStart, startedAt), describeProgress }
  })
  const show = async () => {
    const { line, describeProgress } = await openLine()
    if (isEnded) return
    const report = line.report(look(), clock.monotonic())
    if (terminals.stderr.pictures) progress.show(report)
    else ctx.note(describeProgress(report))
  }
  const timer = setInterval(show, terminals.stderr.pictures ? replaceEveryMs : addEveryMs)
  const reportDraining = () =>
    ctx.note('stopping when the in-flight requests finish; press Ctrl-C again to stop immediately')
  drain.addEventListener('abort', reportDraining, { once: true })
  return () => {
    isEnded = true
    drain.removeEventListener('abort', reportDraining)
    clearInterval(timer)
    progress.clear()
  }
}

const shownUsers = 5

async function confirm(ctx: Context, { ids, ...change }: RowChange): Promise<ConfirmedRun | undefined> {
  if (change.users === 0) return undefined
  if (!ctx.ask.possible) return ctx.confirmRun(change)
  const first = new Set<string>()
  for await (const id of ids()) {
    first.add(id)
    if (first.size === shownUsers) break
  }
  return ctx.confirmRun({ ...change, firstUsers: [...first] })
}

/** Maximum `Retry-After` that an import or a list waits for, in milliseconds. */
const defaultMaxWaitMs = 3_600_000

/** The options that limit the requests of a run. */
export function pacingOf(
  { clock, random }: Context,
  {
    maxConcurrency,
    rate,
    maxWait: maxWaitMs = defaultMaxWaitMs,
  }: Pick<ListOptions, 'maxConcurrency' | 'rate' | 'maxWait'>,
  shard: Shard | undefined,
): Omit<Pacing, 'drain'> {
  return { clock, random: () => random(), maxConcurrency, rate: rateOfShard(rate, shard), maxWaitMs }
}
