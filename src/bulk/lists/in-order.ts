import { EventEmitter, once } from 'node:events'

/** Emits results in the order of their places. They can arrive in any order. */
export class InOrder<Result> {
  readonly #emit: (result: Result) => Promise<void> | undefined
  readonly #maxAhead: number
  readonly #waiting = new Map<number, Result>()
  readonly #changes = new EventEmitter()
  #nextPlace = 0
  #nextOut = 0
  #emitting: Promise<void> | undefined
  #isEmitting = false
  #failure: { error: unknown } | undefined

  /** `emit` is called for one result at a time. */
  constructor(emit: (result: Result) => Promise<void> | undefined, maxAhead: number) {
    this.#emit = emit
    this.#maxAhead = maxAhead
  }

  /** The place of the next item. */
  next(): number {
    return this.#nextPlace++
  }

  /** Whether `maxAhead` results wait, or a result could not be passed on. */
  get isFull(): boolean {
    return this.#failure !== undefined || this.#nextPlace - this.#nextOut >= this.#maxAhead
  }

  /** Resolves once fewer than `maxAhead` results wait. Rejects if a result could not be passed on. */
  async hasSpace(): Promise<void> {
    while (this.isFull && !this.#failure) {
      await once(this.#changes, 'change')
    }
    if (this.#failure) throw this.#failure.error
  }

  put(place: number, result: Result): void {
    this.#waiting.set(place, result)
    if (!this.#isEmitting) this.#emitting = this.#emitAll()
  }

  /** Resolves when everything before the first missing result has been passed on. */
  async finish(): Promise<void> {
    await this.#emitting
    if (this.#failure) throw this.#failure.error
  }

  async #emitAll(): Promise<void> {
    this.#isEmitting = true
    try {
      for (;;) {
        const result = this.#waiting.get(this.#nextOut)
        if (result === undefined || this.#failure) break
        this.#waiting.delete(this.#nextOut)
        const emitted = this.#emit(result)
        if (emitted) await emitted
        this.#nextOut++
        this.#changes.emit('change')
      }
    } catch (error) {
      this.#failure = { error }
      this.#changes.emit('change')
    } finally {
      this.#isEmitting = false
    }
  }
}
