import type { Clock } from '../../base/clock.ts'

/** Requests that wait for the same reason, and the time in ms until the last wait ends. */
export interface WaitState {
  count: number
  leftMs: number
}

/** Counts requests that wait for the same reason. */
export class Waits {
  readonly #clock: Clock
  #count = 0
  #until = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get state(): WaitState {
    return { count: this.#count, leftMs: Math.max(0, this.#until - this.#clock.monotonic()) }
  }

  async during<T>(ms: number, wait: () => Promise<T>): Promise<T> {
    this.#count++
    this.#until = Math.max(this.#until, this.#clock.monotonic() + ms)
    try {
      return await wait()
    } finally {
      this.#count--
    }
  }
}
