const startLimit = 4
/** Factor by which the latency may grow before the limit for concurrent requests is reduced. */
const tolerance = 1.5
/** Requests in the queue of the service count as congestion only above this number. */
const queueAllowance = 4
/** Shorter latencies count as this number of ms, because they vary because of this process, not the service. */
const leastMs = 10
const smoothing = 0.2
const longWindow = 600
const warmUp = 10

/**
 * Limits concurrent requests with the Gradient2 algorithm, which compares each latency with the long-term average. The limit rises while
 * the latencies are similar to the average, and falls when requests must wait. Overload reduces the limit at most once per round trip.
 */
export class GradientLimiter {
  readonly #max: number
  #limit: number
  #longMs = 0
  #samples = 0
  #lastCutAt = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
    this.#limit = Math.min(startLimit, max)
  }

  get limit(): number {
    return Math.max(1, Math.floor(this.#limit))
  }

  /** Records a latency. `inFlight` includes the observed request. */
  observe(latencyMs: number, inFlight: number): void {
    const shortMs = Math.max(latencyMs, leastMs)
    this.#samples = Math.min(this.#samples + 1, longWindow)
    // The average rises more slowly than it falls. Otherwise, the latency of waiting requests would soon count as normal.
    const weight = shortMs > this.#longMs && this.#samples > warmUp ? 0.1 : 1
    this.#longMs += (shortMs - this.#longMs) * Math.max(1 / this.#samples, 2 / (longWindow + 1)) * weight
    if (this.#longMs / shortMs > 2) this.#longMs *= 0.95
    // If fewer than half of the allowed requests are active, the latency does not show whether the service can process more requests.
    if (inFlight < this.#limit / 2) return
    const gradient = Math.min(1, Math.max(0.5, (tolerance * this.#longMs) / shortMs))
    const target = this.#limit * gradient + queueAllowance
    this.#set(this.#limit * (1 - smoothing) + target * smoothing)
  }

  overload(now: number): void {
    if (now - this.#lastCutAt < this.#longMs) return
    this.#lastCutAt = now
    this.#set(this.#limit * 0.7)
  }

  #set(limit: number): void {
    this.#limit = Math.min(this.#max, Math.max(1, limit))
  }
}
