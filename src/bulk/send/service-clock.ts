import type { Clock } from '../../io.ts'

/** Clocks of the machines behind one address differ, and time stamps are rounded: by this much at most, it is assumed. */
export const skewMs = 2_000

/**
 * The service's clock, as a lower bound: it has certainly passed `now()`. Learned from the `Date` header, which is
 * cut to whole seconds and older than its arrival.
 */
export class ServiceClock {
  readonly #clock: Clock
  #aheadMs: number | undefined
  #lastHeader: string | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the service has told its time at all. */
  get isKnown(): boolean {
    return this.#aheadMs !== undefined
  }

  observe(dateHeader: string | undefined): void {
    // The same second told once more is only older.
    if (dateHeader === this.#lastHeader) return
    this.#lastHeader = dateHeader
    const date = Date.parse(dateHeader ?? '')
    if (Number.isNaN(date)) return
    const aheadMs = date - this.#clock.monotonic()
    this.#aheadMs = Math.max(aheadMs, this.#aheadMs ?? aheadMs)
  }

  now(): number {
    return this.#clock.monotonic() + (this.#aheadMs ?? 0)
  }
}
