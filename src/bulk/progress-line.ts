import { count, countOf } from '../base/text/count.ts'
import { span } from '../base/text/duration.ts'
import type { ProgressReport } from '../output/progress.ts'
import type { Totals } from './journal/state.ts'

export interface Snapshot {
  /** Rows to send, in all runs together. */
  rows: number
  totals: Readonly<Totals>
  inFlight: number
  retried: number
  /** Users whose rows wait until the outcome of an earlier request is known. */
  waiting: number
  isAway: boolean
  /** Remaining time that the service asked the client to wait, in ms. */
  heldMs: number
  at: number
}

const windowMs = 10_000

/** A shorter wait is part of the normal pace. */
const shortestShownMs = 2_000

/** Turns snapshots into progress reports. The rate is an average over the last ten seconds. */
export class ProgressLine {
  readonly #earlier: { at: number; finished: number }[] = []

  report(snapshot: Snapshot): ProgressReport {
    const { rows, totals, inFlight, retried, waiting, isAway, heldMs, at } = snapshot
    const done = totals.accepted + totals.rejected + totals.unknown
    const problems = [
      ...(isAway ? ['the service is not responding'] : []),
      ...(heldMs >= shortestShownMs ? [`rate-limited for ${span(heldMs / 1000)}`] : []),
    ]
    const details = [
      ...(totals.rejected > 0 ? [`${count(totals.rejected)} rejected`] : []),
      ...(totals.unknown > 0 ? [`${count(totals.unknown)} unknown`] : []),
      ...(retried > 0 ? [`${count(retried)} retried`] : []),
      ...(waiting > 0 ? [`${countOf(waiting, 'user')} waiting`] : []),
      `${countOf(inFlight, 'request')} in flight`,
    ]
    return { done, total: rows, unit: 'rows', rate: this.#rate(at, done), problems, details }
  }

  #rate(at: number, finished: number): number {
    this.#earlier.push({ at, finished })
    while (this.#earlier.length > 2 && (this.#earlier[0]?.at ?? 0) < at - windowMs) this.#earlier.shift()
    const first = this.#earlier[0] ?? { at, finished }
    return at > first.at ? ((finished - first.finished) / (at - first.at)) * 1000 : 0
  }
}
