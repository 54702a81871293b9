import type { Clock } from '../../base/io.ts'
import { Breaker } from './breaker.ts'
import { LatencyBrake } from './latency-brake.ts'
import { RatePacer } from './rate-pacer.ts'
import { RetryBudget } from './retry-budget.ts'

export interface PaceOptions {
  clock: Clock
  random(): number
  maxConcurrency: number
  /** Requests a second at most. */
  rate?: number | undefined
  /** A harmless GET: true when the service answers. */
  probe(): Promise<boolean>
  /** Called once, when the service has been away for longer than `patienceMs`. */
  giveUp(): void
  patienceMs: number
  /** Nobody is let through any more. */
  signal: AbortSignal
}

/**
 * How a request ended, as far as pace goes. `refused` is a 429; `failed` a 5xx, or no answer; `listed` another request than
 * a save, which counts against the rate only; `cancelled` was none.
 */
export type PaceResult =
  | { kind: 'answered'; latencyMs: number }
  | { kind: 'refused'; retryAfterMs?: number | undefined }
  | { kind: 'failed' }
  | { kind: 'listed' }
  | { kind: 'cancelled' }

interface Waiter {
  retry: boolean
  go(): void
  drop(reason: unknown): void
}

/** The gate every request goes through: it decides when, never what. */
export class Pace {
  readonly #options: PaceOptions
  readonly #brake: LatencyBrake
  readonly #pacer: RatePacer
  readonly #budget = new RetryBudget()
  readonly breaker = new Breaker()
  #first: Waiter[] = []
  #retries: Waiter[] = []
  #inFlight = 0
  #retriesInFlight = 0
  #sleeping = false

  constructor(options: PaceOptions) {
    this.#options = options
    this.#brake = new LatencyBrake(options.maxConcurrency)
    this.#pacer = new RatePacer(options.rate)
    options.signal.addEventListener('abort', () => this.#dropAll(), { once: true })
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get isAway(): boolean {
    return this.breaker.state !== 'closed'
  }

  get heldMs(): number {
    return this.#pacer.heldMs(this.#options.clock.monotonic())
  }

  get limit(): number {
    return this.#brake.limit
  }

  /** Resolves when a request may go out; rejects with the signal's reason once that is aborted. */
  enter(retry: boolean): Promise<void> {
    const { signal } = this.#options
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise((go, drop) => {
      const queue = retry ? this.#retries : this.#first
      queue.push({ retry, go, drop })
      this.#pump()
    })
  }

  /** The request is over. Every `enter` that resolved is followed by one `leave`. */
  leave(retry: boolean, result: PaceResult): void {
    this.#learn(result)
    this.#inFlight--
    if (retry) this.#retriesInFlight--
    this.#pump()
  }

  #learn(result: PaceResult): void {
    const now = this.#options.clock.monotonic()
    if (result.kind === 'cancelled') return
    if (result.kind === 'listed') this.#pacer.accepted(now)
    else if (result.kind === 'answered') {
      this.#brake.observe(result.latencyMs, this.#inFlight)
      this.#pacer.accepted(now)
      this.#budget.succeeded()
      this.breaker.succeeded()
    } else {
      this.#brake.overload(now)
      this.#budget.failed()
      if (result.kind === 'refused') this.#pacer.refused(now, result.retryAfterMs)
      else if (this.breaker.failed(now)) void this.#recover()
    }
  }

  #pump(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const now = this.#options.clock.monotonic()
      const delayMs = this.#pacer.delayMs(now)
      if (delayMs > 0) return void this.#pumpAfter(delayMs)
      this.#pacer.spend(now)
      this.#inFlight++
      if (next.retry) this.#retriesInFlight++
      const queue = next.retry ? this.#retries : this.#first
      queue.shift()
      next.go()
    }
  }

  #next(): Waiter | undefined {
    const limit =
      this.breaker.state === 'closed' ? this.#brake.limit : this.breaker.state === 'trying' ? 1 : 0
    if (this.#inFlight >= limit) return undefined
    const room = this.#budget.isHealthy || this.#retriesInFlight < Math.max(1, limit / 10)
    return (room ? this.#retries[0] : undefined) ?? this.#first[0]
  }

  #dropAll(): void {
    const waiting = [...this.#first.splice(0), ...this.#retries.splice(0)]
    for (const { drop } of waiting) drop(this.#options.signal.reason)
  }

  async #pumpAfter(delayMs: number): Promise<void> {
    if (this.#sleeping) return
    this.#sleeping = true
    await this.#sleep(delayMs)
    this.#sleeping = false
    this.#pump()
  }

  async #recover(): Promise<void> {
    const { clock, random, probe, giveUp, patienceMs, signal } = this.#options
    for (let n = 0; this.breaker.state === 'open' && !signal.aborted; n++) {
      if (this.breaker.openForMs(clock.monotonic()) > patienceMs) return giveUp()
      await this.#sleep(this.breaker.waitMs(n, random()))
      if (!signal.aborted && (await probe())) this.breaker.probed()
    }
    this.#pump()
  }

  async #sleep(ms: number): Promise<void> {
    const { clock, signal } = this.#options
    await clock.sleep(ms, signal).catch(() => {})
  }
}
