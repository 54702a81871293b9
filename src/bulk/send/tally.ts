type Pair = { lookup_key: string; value: number }

/** How often each (lookup key, value) pair is there: as large as the pairs are many, not as the answers. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add({ lookup_key, value }: Pair): void {
    const pair = `${value} ${lookup_key}`
    this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1)
  }

  /** Takes one such pair out; false where there is none. */
  take({ lookup_key, value }: Pair): boolean {
    const pair = `${value} ${lookup_key}`
    const count = this.#counts.get(pair) ?? 0
    if (count === 0) return false
    this.#counts.set(pair, count - 1)
    return true
  }

  /** Whether each pair is here as often as in `other`. */
  covers(other: Tally): boolean {
    return [...other.#counts].every(([pair, count]) => (this.#counts.get(pair) ?? 0) >= count)
  }

  subtract(other: Tally): void {
    for (const [pair, count] of other.#counts) {
      this.#counts.set(pair, Math.max(0, (this.#counts.get(pair) ?? 0) - count))
    }
  }
}
