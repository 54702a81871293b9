const keptLatencies = 1000

/** Time within which a request without a response may still be applied. */
export class SettleTime {
  readonly #timeoutMs: number
  readonly #latencies: number[] = []
  #next = 0

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  add(latencyMs: number): void {
    this.#latencies[this.#next] = latencyMs
    this.#next = (this.#next + 1) % keptLatencies
  }

  /** The timeout or twice the 99th percentile of the latest latencies, whichever is larger, in ms. */
  get ms(): number {
    const sorted = this.#latencies.toSorted((a, b) => a - b)
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
    return Math.max(this.#timeoutMs, 2 * p99)
  }
}
