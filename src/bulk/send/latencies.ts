const keptLatencies = 1000

export class Latencies {
  readonly #ring: number[] = []
  #next = 0

  add(ms: number): void {
    this.#ring[this.#next] = ms
    this.#next = (this.#next + 1) % keptLatencies
  }

  /** The 99th percentile in ms. 0 without latencies. */
  p99(): number {
    const sorted = this.#ring.toSorted((a, b) => a - b)
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
  }
}
