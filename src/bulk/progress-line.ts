import { count, countOf } from '../base/text/count.ts'
import { span } from '../base/text/duration.ts'
import type { Totals } from './journal/state.ts'

export interface Snapshot {
  /** Rows that are to be sent, all runs together. */
  rows: number
  totals: Readonly<Totals>
  inFlight: number
  retried: number
  /** Users who wait until it is known what became of a request. */
  waiting: number
  /** Whether the service does not answer at all for now. */
  isAway: boolean
  /** How long the service has asked to be left alone from now on, in ms. */
  heldMs: number
  at: number
}

const windowMs = 10_000

/** Shorter waits are pace, not a pause. */
const tellableMs = 2_000

/** Turns snapshots into one line for a person, its rate taken over the last ten seconds. */
export class ProgressLine {
  readonly #earlier: { at: number; finished: number }[] = []

  write(snapshot: Snapshot): string {
    const { rows, totals, inFlight, retried, waiting, isAway, heldMs, at } = snapshot
    const finished = totals.accepted + totals.rejected + totals.unknown
    const rate = this.#rate(at, finished)
    const parts = [
      `${count(finished)} of ${count(rows)} rows`,
      `${count(Math.round(rate))} rows/s`,
      `${inFlight} in flight`,
      `${count(totals.accepted)} accepted`,
      `${count(totals.rejected)} rejected`,
      `${count(retried)} retried`,
    ]
    if (totals.unknown > 0) parts.push(`${count(totals.unknown)} unknown`)
    if (waiting > 0) parts.push(`${countOf(waiting, 'user')} settling`)
    if (isAway) parts.push('service away')
    if (heldMs >= tellableMs) parts.push(`service asks to wait ${span(heldMs / 1000)}`)
    if (rate > 0 && finished < rows) parts.push(`${span((rows - finished) / rate)} left`)
    return parts.join(' · ')
  }

  #rate(at: number, finished: number): number {
    this.#earlier.push({ at, finished })
    while (this.#earlier.length > 2 && (this.#earlier[0]?.at ?? 0) < at - windowMs) this.#earlier.shift()
    const first = this.#earlier[0] ?? { at, finished }
    return at > first.at ? ((finished - first.finished) / (at - first.at)) * 1000 : 0
  }
}
