type Pair = { lookup_key: string; value: number }

/** A multiset of pairs (lookup key, value). Its size depends on the number of different pairs. */
export class Multiset {
  readonly #counts = new Map<string, number>()

  constructor(pairs: Iterable<Pair> = []) {
    for (const pair of pairs) this.add(pair)
  }

  add({ lookup_key, value }: Pair): void {
    const pair = `${value} ${lookup_key}`
    this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1)
  }

  /** Removes one pair. Returns false if there is none. */
  take({ lookup_key, value }: Pair): boolean {
    const pair = `${value} ${lookup_key}`
    const count = this.#counts.get(pair) ?? 0
    if (count === 0) return false
    this.#counts.set(pair, count - 1)
    return true
  }

  has({ lookup_key, value }: Pair): boolean {
    return (this.#counts.get(`${value} ${lookup_key}`) ?? 0) > 0
  }

  /** The same pairs with the value 0, so that only lookup keys are compared. */
  questions(): Multiset {
    const questions = new Multiset()
    for (const [pair, count] of this.#counts) {
      const question = `0${pair.slice(pair.indexOf(' '))}`
      questions.#counts.set(question, (questions.#counts.get(question) ?? 0) + count)
    }
    return questions
  }

  /** Whether this multiset contains each pair at least as often as `other`. */
  covers(other: Multiset): boolean {
    return [...other.#counts].every(([pair, count]) => (this.#counts.get(pair) ?? 0) >= count)
  }

  subtract(other: Multiset): void {
    for (const [pair, count] of other.#counts) {
      this.#counts.set(pair, Math.max(0, (this.#counts.get(pair) ?? 0) - count))
    }
  }
}
