import { setMaxListeners } from 'node:events'
import { Pace, type PaceOptions } from '../pace/pace.ts'

/** A queue of items that are processed one after another, such as all requests for one user. */
export interface Queue<Item> {
  /** The remaining items. The first one is being processed. */
  readonly items: Item[]
}

export interface Pacing extends Omit<PaceOptions, 'giveUp' | 'signal' | 'probe'> {
  /** Aborted by the first Ctrl-C. The engine then starts no request and waits for active requests. */
  drain: AbortSignal
}

export interface EngineOptions<Item, L extends Queue<Item>> extends Pacing {
  /** Each item with its queue. Queues start in the order of their first items. The items are read when the engine runs. */
  items: AsyncIterable<{ queue: L; item: Item }>
  process(queue: L, item: Item): Promise<void> | undefined
  /** Number of active queues per concurrent request. Queues that wait in `releaseSlotWhile` do not count. */
  queuesPerRequest: number
  /** Sends a test request (GET). Returns true if the service responds. */
  probe(): Promise<boolean>
}

export type RunEnd = { done: true } | { done: false; error: unknown }

const maxQueued = 100
const maxReleased = 10_000

/** Processes items: several queues at the same time, and the items of each queue in order. */
export class Engine<Item, L extends Queue<Item>> {
  readonly #options: EngineOptions<Item, L>
  readonly #halt = new AbortController()
  /** Aborted if the engine stops before all items were processed. The abort reason is the reason for the stop. */
  readonly halt = this.#halt.signal
  readonly #end = new AbortController()
  #wake: () => void = () => undefined
  #running = 0
  waiting = 0
  #isRead = false
  readonly pace: Pace

  constructor(options: EngineOptions<Item, L>) {
    this.#options = options
    // Each waiting queue adds a listener. Node would print a warning for many listeners, so the limit is removed.
    setMaxListeners(0, this.halt)
    this.pace = new Pace({
      ...options,
      giveUp: (reason) => this.stop(reason),
      signal: AbortSignal.any([this.halt, this.#end.signal]),
    })
  }

  /** Whether all running queues wait in `releaseSlotWhile` and no further queue can start. */
  get isStalled(): boolean {
    return this.#isRead && this.waiting >= this.#running
  }

  async run(): Promise<RunEnd> {
    const { drain } = this.#options
    const stop = () => this.stop(drain.reason)
    if (drain.aborted) stop()
    drain.addEventListener('abort', stop, { once: true })
    try {
      this.halt.throwIfAborted()
      await this.#read()
      this.#isRead = true
    } catch (error) {
      this.stop(error)
    }
    while (this.#running > 0) await this.#nextChange()
    drain.removeEventListener('abort', stop)
    this.#end.abort()
    return this.halt.aborted ? { done: false, error: this.halt.reason } : { done: true }
  }

  /** Stops the engine: no further item starts. Only the first reason is kept, because it causes the later failures. */
  stop(reason: unknown): void {
    if (!this.halt.aborted) this.#halt.abort(reason)
    this.#wake()
  }

  /** Calls `wait` for a queue. While `wait` runs, another queue can use the slot of this queue. */
  async releaseSlotWhile<T>(wait: () => Promise<T>): Promise<T> {
    this.waiting++
    const waited = wait()
    this.#wake()
    try {
      return await waited
    } finally {
      this.waiting--
    }
  }

  async #read(): Promise<void> {
    for await (const { queue, item } of this.#options.items) {
      queue.items.push(item)
      if (queue.items.length === 1) void this.#process(queue)
      while (!this.halt.aborted && this.#isFull(queue)) await this.#nextChange()
      if (this.halt.aborted) return
    }
  }

  #isFull(queue: L): boolean {
    const { maxConcurrency, queuesPerRequest } = this.#options
    return (
      this.#running - this.waiting >= maxConcurrency * queuesPerRequest ||
      this.waiting >= maxReleased ||
      queue.items.length >= maxQueued
    )
  }

  async #process(queue: L): Promise<void> {
    this.#running++
    try {
      for (let item = queue.items[0]; item !== undefined; item = queue.items[0]) {
        this.halt.throwIfAborted()
        await this.#options.process(queue, item)
        queue.items.shift()
        this.#wake()
      }
    } catch (error) {
      this.stop(error)
    }
    this.#running--
    this.#wake()
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
