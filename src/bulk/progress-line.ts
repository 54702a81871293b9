import { type Clock, span } from '../base/clock.ts'
import { count, countOf } from '../base/text.ts'
import type { ProgressReport } from '../output/progress.ts'
import type { Pace } from './pace/pace.ts'

export interface WaitState {
  count: number
  leftMs: number
}

/** Counts the waiting requests for each reason to wait. */
export class Waits {
  readonly #clock: Clock
  #count = 0
  #until = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get state(): WaitState {
    return { count: this.#count, leftMs: Math.max(0, this.#until - this.#clock.monotonic()) }
  }

  async during<T>(ms: number, wait: () => Promise<T>): Promise<T> {
    this.#count++
    this.#until = Math.max(this.#until, this.#clock.monotonic() + ms)
    try {
      return await wait()
    } finally {
      this.#count--
    }
  }
}

export interface Snapshot extends Pick<ProgressReport, 'unit' | 'done' | 'total'> {
  /** Counts that are shown if they are not zero, such as `3 retried`. */
  counts: Readonly<Record<string, number>>
  waiting?: number
  waits?: { checking: WaitState; limited: WaitState } | undefined
  pace: Pick<Pace, 'inFlight' | 'isAway' | 'heldMs'>
}

const windowMs = 10_000

const noWaits = { checking: { count: 0, leftMs: 0 }, limited: { count: 0, leftMs: 0 } }

const shortestShownMs = 2_000

/** Converts snapshots to progress reports. The rate is an average over the last ten seconds. */
export class ProgressLine {
  readonly #earlier: { at: number; finished: number }[]

  /** `finished` is the number of rows or users that were finished at the time `at`, when the work started. */
  constructor(finished: number, at: number) {
    this.#earlier = [{ at, finished }]
  }

  report({ unit, done, total, counts, waiting = 0, waits, pace }: Snapshot, at: number): ProgressReport {
    const { inFlight, isAway, heldMs } = pace
    const problems = [
      ...(isAway ? ['the service is not responding'] : []),
      ...(heldMs >= shortestShownMs ? [`rate-limited for ${span(heldMs / 1000)}`] : []),
    ]
    const details = [
      ...Object.entries(counts).flatMap(([name, number]) => (number > 0 ? `${count(number)} ${name}` : [])),
      ...describeWaits(waiting, waits),
      `${countOf(inFlight, 'request')} in flight`,
    ]
    const { checking, limited } = waits ?? noWaits
    const leastLeftMs = Math.max(checking.leftMs, limited.leftMs)
    return { done, total, unit, rate: this.#rate(at, done), leastLeftMs, problems, details }
  }

  #rate(at: number, finished: number): number {
    this.#earlier.push({ at, finished })
    while (this.#earlier.length > 2 && (this.#earlier[0]?.at ?? 0) < at - windowMs) this.#earlier.shift()
    const first = this.#earlier[0] ?? { at, finished }
    return at > first.at ? ((finished - first.finished) / (at - first.at)) * 1000 : 0
  }
}

function describeWaits(
  waiting: number,
  { checking, limited }: NonNullable<Snapshot['waits']> = noWaits,
): string[] {
  const others = waiting - checking.count - limited.count
  const left = ({ leftMs }: WaitState) => span(Math.max(1, Math.ceil(leftMs / 1000)))
  return [
    ...(checking.count > 0
      ? [`checking ${countOf(checking.count, 'request')} with an unknown outcome, about ${left(checking)}`]
      : []),
    ...(limited.count > 0
      ? [`${countOf(limited.count, 'request')} rate-limited, up to ${left(limited)}`]
      : []),
    ...(others > 0 ? [`${countOf(others, 'user')} waiting`] : []),
  ]
}
