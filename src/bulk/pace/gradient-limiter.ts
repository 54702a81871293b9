const startLimit = 4
/** Latency may grow by this factor before the limit falls. */
const tolerance = 1.5
/** Requests that may queue in the service before that counts as congestion. */
const queueAllowance = 4
/** Differences below this latency come from this process, not from the service. */
const leastMs = 10
const smoothing = 0.2
const longWindow = 600
const warmUp = 10

/**
 * Gradient2, an adaptive concurrency limit. Limits the requests in flight by comparing each latency with the long-term average. The limit rises while they
 * agree and falls when requests queue. Overload reduces the limit at most once per round trip.
 */
export class GradientLimiter {
  readonly #max: number
  #limit: number
  /** The long-term average latency; 0 before the first response. */
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

  /** `inFlight` includes the observed request. */
  observe(latencyMs: number, inFlight: number): void {
    const shortMs = Math.max(latencyMs, leastMs)
    this.#samples = Math.min(this.#samples + 1, longWindow)
    // The average rises more slowly than it falls, so that queues caused by this program do not become normal.
    const weight = shortMs > this.#longMs && this.#samples > warmUp ? 0.1 : 1
    this.#longMs += (shortMs - this.#longMs) * Math.max(1 / this.#samples, 2 / (longWindow + 1)) * weight
    if (this.#longMs / shortMs > 2) this.#longMs *= 0.95
    // A limit that is not reached is not tested.
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
