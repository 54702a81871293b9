import { ProgressLine, type Snapshot } from '../../bulk/progress-line.ts'
import { describeProgress } from '../../output/progress.ts'
import type { Context } from '../context.ts'

/** Returns a function that shows the progress since the snapshot `start`. */
export function openProgressLine(ctx: Context, start: Snapshot): (now: Snapshot) => void {
  const line = new ProgressLine()
  line.report(start)
  return (now) => {
    const report = line.report(now)
    if (ctx.terminals.stderr.pictures) ctx.progress.show(report)
    else ctx.note(describeProgress(report))
  }
}
