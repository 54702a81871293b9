import type { Clock } from '../../base/io.ts'

/** Assumed maximum difference between the clocks of the machines behind one address. */
export const skewMs = 2_000

/** A `Date` header is truncated to whole seconds. */
const roundingMs = 1_000

/** Times alone cannot tell requests from each other that are less than this apart. */
export const confusableMs = 2 * skewMs + roundingMs

/**
 * The service's clock, as a lower bound: it has certainly passed `now()`. Learned from the `Date` header, which is
 * cut to whole seconds and older than its arrival.
 */
export class ServiceClock {
  readonly #clock: Clock
  #aheadMs: number | undefined
  #lastHeader: string | undefined
  #lastDate = Number.NaN
  /** False once the service told a time that had passed by far more than its clocks may differ: no time proves anything then. */
  #isSteady = true

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the service has told its time at all. */
  get isKnown(): boolean {
    return this.#aheadMs !== undefined
  }

  /** `tookMs` is how long the reply took; without it, it may be an old one from a cache. */
  observe(dateHeader: string | undefined, tookMs = Number.POSITIVE_INFINITY): void {
    if (dateHeader !== this.#lastHeader) {
      this.#lastHeader = dateHeader
      this.#lastDate = Date.parse(dateHeader ?? '')
    }
    if (Number.isNaN(this.#lastDate)) return
    const aheadMs = this.#lastDate - this.#clock.monotonic()
    this.#aheadMs = Math.max(aheadMs, this.#aheadMs ?? aheadMs)
    if (this.#aheadMs - aheadMs > skewMs + roundingMs + tookMs) this.#isSteady = false
  }

  /** Whether `at` may be a time that the service's clock has told before. */
  hasReached(at: number): boolean {
    return this.#isSteady && at <= this.now() + skewMs
  }

  now(): number {
    return this.#clock.monotonic() + (this.#aheadMs ?? 0)
  }
}
