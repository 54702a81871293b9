/** How far the times of answers can differ from the time of the service. */
export interface ClockLimits {
  behindMs: number
  aheadMs: number
}

export const samplesNeeded = 5
/** Number of failed samples after which the clock is not measured. A sample can fail because some services list new answers late. */
const mostFailures = 10
const resampleAfterMs = 5 * 60_000
/** Maximum difference in ms. Times that differ more are in another time zone or wrong. */
const mostMs = 5 * 60_000
/** Margin in ms, because samples may not show the largest difference. */
const marginMs = 2_000
const marginShare = 1.5

const units = [1_000, 5_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 300_000]

/** Measures the times that a service assigns to answers in one time zone. */
export class ZoneClock {
  #recalled: ClockLimits | undefined
  #samples = 0
  #pending = 0
  #failures = 0
  #behindMs = 0
  #aheadMs = 0
  /** Greatest common divisor of all times. It shows how the service rounds times, such as to seconds. */
  #divisor = 0
  #sampledAt = Number.NEGATIVE_INFINITY

  recall(limits: ClockLimits): void {
    this.#recalled = limits
  }

  /** The widest limits of this run and of earlier runs. Undefined if the clock is not measured. */
  get limits(): ClockLimits | undefined {
    const own = this.#own()
    if (own === 'unusable') return undefined
    const earlier = this.#recalled
    if (own === undefined || earlier === undefined) return own ?? earlier
    const [behindMs, aheadMs] = [
      Math.max(own.behindMs, earlier.behindMs),
      Math.max(own.aheadMs, earlier.aheadMs),
    ]
    return { behindMs, aheadMs }
  }

  /** Whether samples are in progress whose results can determine the limits. */
  get isBeingMeasured(): boolean {
    return this.#pending > 0 && this.#own() === undefined && this.#recalled === undefined
  }

  /** Reserves the next sample, which ends with `add`, `fail`, or `cancel`. False if no sample is needed. */
  reserve(now: number): boolean {
    const isDue = this.#samples < samplesNeeded || now - this.#sampledAt > resampleAfterMs
    const most = Math.max(1, samplesNeeded - this.#samples)
    if (!isDue || this.#pending >= most || this.#failures + this.#pending >= mostFailures) return false
    this.#pending++
    return true
  }

  /** Adds a sample: new answers of one request have these times and were saved between `from` and `to`, by the clock of the service. */
  add(times: readonly number[], from: number, to: number): void {
    this.#pending--
    this.#samples++
    this.#sampledAt = to
    for (const at of times) {
      this.#behindMs = Math.max(this.#behindMs, from - at)
      this.#aheadMs = Math.max(this.#aheadMs, at - to)
      this.#divisor = greatestDivisor(this.#divisor, at)
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

  #own(): ClockLimits | 'unusable' | undefined {
    if (Math.max(this.#behindMs, this.#aheadMs) > mostMs) return 'unusable'
    if (this.#samples < samplesNeeded) return undefined
    const unitMs = units.findLast((unit) => this.#divisor % unit === 0) ?? 0
    return {
      behindMs: marginMs + marginShare * this.#behindMs + unitMs,
      aheadMs: marginMs + marginShare * this.#aheadMs + (this.#aheadMs > 0 ? unitMs : 0),
    }
  }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
