import { ProgressLine, type Snapshot } from '../bulk/progress-line.ts'
import { describeProgress } from '../output/progress.ts'
import type { Context } from './context.ts'

const replaceEveryMs = 200
const addEveryMs = 10_000

/** Shows the progress of a long run: a line that replaces itself on a terminal, and a line every ten seconds elsewhere. */
export function showProgress(ctx: Context, drain: AbortSignal, look: () => Omit<Snapshot, 'at'>): () => void {
  const { progress, clock } = ctx
  const line = new ProgressLine()
  const report = () => line.report({ ...look(), at: clock.monotonic() })
  const isLive = ctx.pen('stderr').pictures
  // The first line already has a rate, because it compares with the start.
  report()
  const timer = setInterval(
    () => (isLive ? progress.show(report()) : ctx.note(describeProgress(report()))),
    isLive ? replaceEveryMs : addEveryMs,
  )
  const reportDraining = () =>
    ctx.note('stopping when the in-flight requests finish; press Ctrl-C again to stop immediately')
  drain.addEventListener('abort', reportDraining, { once: true })
  return () => {
    drain.removeEventListener('abort', reportDraining)
    clearInterval(timer)
    progress.clear()
  }
}
