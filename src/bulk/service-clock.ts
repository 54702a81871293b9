import type { Clock } from '../base/clock.ts'
import { type ClockLimits, ZoneClock } from './zone-clock.ts'

/** Assumed maximum difference in ms between the clocks of the machines that serve one host name. */
export const skewMs = 2_000

const roundingMs = 1_000

/**
 * Two requests that are less than this time apart cannot be distinguished by the times of their answers. Applies if the times of answers
 * agree with the `Date` header.
 */
export const confusableMs = 2 * skewMs + roundingMs

/** Measured clock limits by time zone. */
export type MeasuredClock = Readonly<Record<string, ClockLimits>>

/** The clock of the service: a lower limit of its time from `Date` headers, and how far the times of answers differ from this clock. */
export class ServiceClock {
  readonly #clock: Clock
  readonly #zones = new Map<string, ZoneClock>()
  #aheadMs: number | undefined
  #lastHeader: string | undefined
  #lastDate = Number.NaN
  /** Whether a list did not contain answers that were just accepted. In this case, a missing answer may appear in a later list. */
  listsLate = false
  /** False if `Date` headers contradict each other. In this case, `hasReached` returns false. */
  #isSteady = true

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isKnown(): boolean {
    return this.#aheadMs !== undefined
  }

  /** The clock as measured so far. Undefined until a time zone is measured. */
  get measured(): MeasuredClock | undefined {
    const zones = [...this.#zones].flatMap(([name, { limits }]) => (limits ? [[name, limits] as const] : []))
    return zones.length > 0 ? Object.fromEntries(zones) : undefined
  }

  recall(measured: MeasuredClock = {}): void {
    for (const [name, limits] of Object.entries(measured)) this.zone(name).recall(limits)
  }

  /** Records a `Date` header. `tookMs` is the duration of the request. Without a duration, the response may be from a cache. */
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

  /** Whether the clock of the service may have reached the time of an answer (`at`), which can be `aheadMs` ahead of the clock. */
  hasReached(at: number, aheadMs = skewMs): boolean {
    return this.#isSteady && at <= this.now() + aheadMs
  }

  now(): number {
    return this.#clock.monotonic() + (this.#aheadMs ?? 0)
  }

  zone(name: string): ZoneClock {
    const known = this.#zones.get(name)
    if (known !== undefined) return known
    const zone = new ZoneClock()
    this.#zones.set(name, zone)
    return zone
  }

  /** Limits that contain the limits of all these time zones. Undefined if at least one of the time zones was not measured. */
  limitsOf(zones: Iterable<string>): ClockLimits | undefined {
    const widest = { behindMs: skewMs, aheadMs: skewMs }
    for (const name of zones) {
      const limits = this.#zones.get(name)?.limits
      if (limits === undefined) return undefined
      widest.behindMs = Math.max(widest.behindMs, limits.behindMs)
      widest.aheadMs = Math.max(widest.aheadMs, limits.aheadMs)
    }
    return widest
  }

  /** Minimum time in ms between two requests whose answers can be distinguished by their times, for answers in these time zones. */
  confusableMs(zones: Iterable<string>): number {
    const limits = this.limitsOf(zones)
    return limits ? limits.behindMs + limits.aheadMs + roundingMs : Number.POSITIVE_INFINITY
  }
}
