import { count, countOf } from '../base/text/count.ts'
import { span } from '../base/text/duration.ts'
import type { ProgressReport } from '../output/progress.ts'
import type { Pace } from './pace/pace.ts'

/** An import or a list at one moment. */
export interface Snapshot extends Pick<ProgressReport, 'unit' | 'done' | 'total'> {
  /** Shown if they are not zero, such as `3 retried`. */
  counts: Readonly<Record<string, number>>
  /** Users whose rows wait until the outcome of an earlier request is known. */
  waiting?: number
  pace: Pick<Pace, 'inFlight' | 'isAway' | 'heldMs'>
  at: number
}

const windowMs = 10_000

/** A shorter wait is part of the normal pace. */
const shortestShownMs = 2_000

/** Turns snapshots into progress reports. The rate is an average over the last ten seconds. */
export class ProgressLine {
  readonly #earlier: { at: number; finished: number }[] = []

  report({ unit, done, total, counts, waiting = 0, pace, at }: Snapshot): ProgressReport {
    const { inFlight, isAway, heldMs } = pace
    const problems = [
      ...(isAway ? ['the service is not responding'] : []),
      ...(heldMs >= shortestShownMs ? [`rate-limited for ${span(heldMs / 1000)}`] : []),
    ]
    const details = [
      ...Object.entries(counts).flatMap(([name, number]) => (number > 0 ? `${count(number)} ${name}` : [])),
      ...(waiting > 0 ? [`${countOf(waiting, 'user')} waiting`] : []),
      `${countOf(inFlight, 'request')} in flight`,
    ]
    return { done, total, unit, rate: this.#rate(at, done), problems, details }
  }

  #rate(at: number, finished: number): number {
    this.#earlier.push({ at, finished })
    while (this.#earlier.length > 2 && (this.#earlier[0]?.at ?? 0) < at - windowMs) this.#earlier.shift()
    const first = this.#earlier[0] ?? { at, finished }
    return at > first.at ? ((finished - first.finished) / (at - first.at)) * 1000 : 0
  }
}
