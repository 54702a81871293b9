import type { Clock } from '../base/clock.ts'

export interface ClockLimits {
  behindMs: number
  aheadMs: number
}

export const samplesNeeded = 5
/** Number of failed samples after which measuring stops. Samples fail because some services list new answers late. */
const mostFailures = 10
const resampleAfterMs = 5 * 60_000
/** Maximum difference in ms between answer times and the service's clock. A larger difference means a wrong time or time zone. */
const mostMs = 5 * 60_000
/** Time in ms that is added to the largest measured clock difference, because later differences can be larger. */
const marginMs = 2_000
const marginShare = 1.5

const units: readonly number[] = [1_000, 5_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 300_000]

/** Measures how far the times of answers in one time zone are behind or ahead of the clock of the service. */
export class ZoneClock {
  #recalled: ClockLimits | undefined
  #samples = 0
  #pending = 0
  #failures = 0
  #behindMs = 0
  #aheadMs = 0
  /** The units in ms to which the service may round answer times. All answer times so far are multiples of these units. */
  #units = units
  #sampledAt = Number.NEGATIVE_INFINITY

  recall(limits: ClockLimits): void {
    this.#recalled = limits
  }

  /** Clock limits that include this run and the earlier runs. Undefined if the clock was not measured, or if a difference is too large. */
  get limits(): ClockLimits | undefined {
    if (this.#isUnusable) return undefined
    if (this.#samples < samplesNeeded) return this.#recalled
    const unitMs = this.#units.at(-1) ?? 0
    const { behindMs = 0, aheadMs = 0 } = this.#recalled ?? {}
    return {
      behindMs: Math.max(behindMs, marginMs + marginShare * this.#behindMs + unitMs),
      aheadMs: Math.max(aheadMs, marginMs + marginShare * this.#aheadMs + (this.#aheadMs > 0 ? unitMs : 0)),
    }
  }

  /** Whether the measurement of the clock has started but has no limits yet. False if further samples cannot result in limits. */
  get isBeingMeasured(): boolean {
    return this.#pending > 0 && this.limits === undefined && !this.#isUnusable
  }

  get #isUnusable(): boolean {
    return Math.max(this.#behindMs, this.#aheadMs) > mostMs
  }

  /** Reserves the next sample. Call `add`, `fail`, or `cancel` to end the sample. Returns false if no sample is needed. */
  reserve(now: number): boolean {
    const isDue = this.#samples < samplesNeeded || now - this.#sampledAt > resampleAfterMs
    const most = Math.max(1, samplesNeeded - this.#samples)
    if (!isDue || this.#pending >= most || this.#failures + this.#pending >= mostFailures) return false
    this.#pending++
    return true
  }

  /** Adds a sample. The new answers of one request have these `times`. The service saved them between `from` and `to`, by its own clock. */
  add(times: readonly number[], from: number, to: number): void {
    this.#pending--
    this.#samples++
    this.#sampledAt = to
    for (const at of times) {
      this.#behindMs = Math.max(this.#behindMs, from - at)
      this.#aheadMs = Math.max(this.#aheadMs, at - to)
      this.#units = this.#units.filter((unit) => at % unit === 0)
    }
  }

  /** Ends a sample whose list did not contain the new answers. */
  fail(): void {
    this.#pending--
    this.#failures++
  }

  /** Ends a sample whose request was not accepted or whose answers could not be listed. */
  cancel(): void {
    this.#pending--
  }
}

/** Assumed maximum difference in ms between the clocks of the machines that serve one host name. */
export const skewMs = 2_000

/** Services round the times of answers to seconds. */
export const roundingMs = 1_000

/** If two requests are closer together than this time in ms, the time of a saved answer does not show which request saved it. */
export const confusableMs = 2 * skewMs + roundingMs

/** Measured clock limits by time zone. */
export type MeasuredClock = Readonly<Record<string, ClockLimits>>

/** The clock of the service. `now` is a lower limit of its time, from `Date` headers. */
export class ServiceClock {
  readonly #clock: Clock
  readonly #zones = new Map<string, ZoneClock>()
  #aheadMs: number | undefined
  #lastHeader: string | undefined
  #lastDate = Number.NaN
  /** Whether a list lacked answers that were just accepted. If so, a missing answer may appear in a later list. */
  listsLate = false
  /** Whether a list contained two answers to one question. If false, the service possibly lists only the latest answer to each question. */
  listsHistory = false
  /** False if `Date` headers contradict each other. In that case, `hasReached` returns false. */
  #isSteady = true

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isKnown(): boolean {
    return this.#aheadMs !== undefined
  }

  /** The clock as measured so far. Undefined until it is measured for at least one time zone. */
  get measured(): MeasuredClock | undefined {
    const zones = [...this.#zones].flatMap(([name, { limits }]) => (limits ? [[name, limits] as const] : []))
    return zones.length > 0 ? Object.fromEntries(zones) : undefined
  }

  recall(measured: MeasuredClock = {}): void {
    for (const [name, limits] of Object.entries(measured)) this.zone(name).recall(limits)
  }

  /** `tookMs` is the duration of the request. If it is omitted, an earlier date is accepted, because a cache may have responded. */
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

  /** Whether the clock of the service may have reached `at`, the time of an answer. This time can be `aheadMs` ahead of the clock. */
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

  /** The widest clock limits of the given time zones. Undefined if at least one time zone was not measured. */
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

  /** Minimum interval in ms between two requests, so that the time of a saved answer shows which request saved it. */
  confusableMs(zones: Iterable<string>): number {
    const limits = this.limitsOf(zones)
    return limits ? widthOf(limits) : Number.POSITIVE_INFINITY
  }
}

/** The distance between the two limits in ms. If less time than this is between two requests, their answers can have the same time. */
export function widthOf({ behindMs, aheadMs }: ClockLimits): number {
  return behindMs + aheadMs + roundingMs
}
