import { setMaxListeners } from 'node:events'
import { Pace, type PaceOptions } from '../pace/pace.ts'

/** Items that are processed one after another, such as all requests for one user. */
export interface Lane<Item> {
  /** The first item is being processed. */
  readonly queue: Item[]
}

/** What limits the requests of a run. */
export interface Pacing extends Omit<PaceOptions, 'giveUp' | 'signal' | 'probe'> {
  /** Aborted by the first Ctrl-C. Then no request starts, and the engine waits for the current requests. */
  drain: AbortSignal
}

export interface EngineOptions<Item, L extends Lane<Item>> extends Pacing {
  /** In start order of the lanes. */
  items(): AsyncIterable<{ lane: L; item: Item }>
  process(lane: L, item: Item): Promise<void> | undefined
  /** Lanes at work for each concurrent request, not counting lanes that wait in `setAside`. */
  lanesPerRequest: number
  /** A GET. Returns true if the service responds. */
  probe(): Promise<boolean>
}

export type EngineEnd = { done: true } | { done: false; error: unknown }

const maxQueued = 100
const maxSetAside = 10_000

/** Processes work items: many lanes at once, and the items of each lane in order. */
export class Engine<Item, L extends Lane<Item>> {
  readonly #options: EngineOptions<Item, L>
  readonly #halt = new AbortController()
  readonly #end = new AbortController()
  #wake: () => void = () => undefined
  #running = 0
  #setAside = 0
  /** Whether all items were read. */
  #isRead = false
  readonly pace: Pace

  constructor(options: EngineOptions<Item, L>) {
    this.#options = options
    // Every waiting lane listens for the halt.
    setMaxListeners(0, this.#halt.signal)
    this.pace = new Pace({
      ...options,
      giveUp: (reason) => this.stop(reason),
      signal: AbortSignal.any([this.halt, this.#end.signal]),
    })
  }

  /** Aborted when no new request may start. */
  get halt(): AbortSignal {
    return this.#halt.signal
  }

  get waiting(): number {
    return this.#setAside
  }

  /** Whether every lane waits in `setAside`, and no other lane can start. */
  get isStalled(): boolean {
    return this.#isRead && this.#setAside >= this.#running
  }

  /** Processes all items; resolves once nothing is in flight. */
  async run(): Promise<EngineEnd> {
    const { drain } = this.#options
    const stop = () => this.stop(drain.reason)
    if (drain.aborted) stop()
    drain.addEventListener('abort', stop, { once: true })
    try {
      this.#halt.signal.throwIfAborted()
      await this.#read()
      this.#isRead = true
    } catch (error) {
      this.stop(error)
    }
    while (this.#running > 0) await this.#nextChange()
    drain.removeEventListener('abort', stop)
    this.#end.abort()
    const { signal } = this.#halt
    return signal.aborted ? { done: false, error: signal.reason } : { done: true }
  }

  /** Starts nothing new. Only the first reason counts, because later failures follow from it. */
  stop(reason: unknown): void {
    if (!this.#halt.signal.aborted) this.#halt.abort(reason)
    this.#wake()
  }

  /** Waits for a lane. Another lane takes its place in the meantime. */
  async setAside<T>(wait: () => Promise<T>): Promise<T> {
    this.#setAside++
    const waited = wait()
    this.#wake()
    try {
      return await waited
    } finally {
      this.#setAside--
    }
  }

  async #read(): Promise<void> {
    for await (const { lane, item } of this.#options.items()) {
      lane.queue.push(item)
      if (lane.queue.length === 1) void this.#process(lane)
      while (!this.#halt.signal.aborted && this.#isFull(lane)) await this.#nextChange()
      if (this.#halt.signal.aborted) return
    }
  }

  #isFull(lane: L): boolean {
    const { maxConcurrency, lanesPerRequest } = this.#options
    return (
      this.#running - this.#setAside >= maxConcurrency * lanesPerRequest ||
      this.#setAside >= maxSetAside ||
      lane.queue.length >= maxQueued
    )
  }

  async #process(lane: L): Promise<void> {
    this.#running++
    try {
      for (let item = lane.queue[0]; item !== undefined; item = lane.queue[0]) {
        this.#halt.signal.throwIfAborted()
        await this.#options.process(lane, item)
        lane.queue.shift()
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
