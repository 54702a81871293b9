const kept = 1000

/** The latest latencies, for the settle time. */
export class Latencies {
  readonly #ring: number[] = []
  #next = 0

  add(ms: number): void {
    this.#ring[this.#next] = ms
    this.#next = (this.#next + 1) % kept
  }

  /** The latency that 99 of 100 requests stay below, in ms; 0 before the first. */
  p99(): number {
    const sorted = this.#ring.toSorted((a, b) => a - b)
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
  }
}
