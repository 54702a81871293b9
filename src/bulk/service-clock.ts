import type { Clock } from '../base/io.ts'

/** Assumed maximum difference between the clocks of the machines behind one address. */
export const skewMs = 2_000

/** A `Date` header contains whole seconds. */
const roundingMs = 1_000

/** Times alone cannot distinguish requests that are less than this apart. */
export const confusableMs = 2 * skewMs + roundingMs

/** A lower bound of the service's time, from `Date` headers. */
export class ServiceClock {
  readonly #clock: Clock
  #aheadMs: number | undefined
  #lastHeader: string | undefined
  #lastDate = Number.NaN
  /** False if the service reported times that contradict each other. Times then prove nothing. */
  #isSteady = true

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isKnown(): boolean {
    return this.#aheadMs !== undefined
  }

  /** `tookMs` is the duration of the request. Without it, the reply may be from a cache. */
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

  /** Whether the service's clock may have reached `at`. */
  hasReached(at: number): boolean {
    return this.#isSteady && at <= this.now() + skewMs
  }

  now(): number {
    return this.#clock.monotonic() + (this.#aheadMs ?? 0)
  }
}
