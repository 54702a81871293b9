import { type Clock, span } from '../../base/clock.ts'
import { FacescanError, NetworkError } from '../../base/errors.ts'
import { factsOf, meaningOf, parseRetryAfter } from '../../http/meaning.ts'
import type { WireResponse } from '../../http/wire.ts'
import { Breaker } from './breaker.ts'
import { GradientLimiter } from './gradient-limiter.ts'
import { RateLimiter } from './rate-limiter.ts'

/** A run stops if the service has not responded for this time. */
export const patienceMs = 10 * 60_000

export interface PaceOptions {
  clock: Clock
  random(): number
  maxConcurrency: number
  rate?: number | undefined
  probe(): Promise<boolean>
  /** Maximum accepted Retry-After in ms. A longer Retry-After stops the run. */
  maxWaitMs: number
  /** The run stops after this number of requests that fail although the test request before them succeeded (default: no limit). */
  maxTrials?: number
  /** Called when the run must stop: after `patienceMs` or `maxTrials`, or because Retry-After is too long. */
  giveUp(reason: FacescanError): void
  /** Aborted when no further request may start. */
  signal: AbortSignal
}

export type PaceResult =
  | { kind: 'answered'; latencyMs: number }
  /** The service refused the request before processing it: 429 or a similar status. */
  | { kind: 'refused'; latencyMs: number; retryAfterMs?: number | undefined }
  /** A 5xx response, or no complete response. */
  | { kind: 'failed' }
  /** A successful request whose latency is not compared with the latency of other requests, such as a list of answers. */
  | { kind: 'listed'; latencyMs: number }
  | { kind: 'canceled' }

/** Converts an outcome to the result that `Pace` needs. `now` is the time of day, for a Retry-After that contains a date. */
export function paceResult(reply: WireResponse | NetworkError, latencyMs: number, now: number): PaceResult {
  if (reply instanceof NetworkError) return { kind: 'failed' }
  const { applied, isTransient } = meaningOf(factsOf(reply))
  if (!isTransient) return { kind: 'answered', latencyMs }
  if (applied === 'maybe') return { kind: 'failed' }
  return { kind: 'refused', latencyMs, retryAfterMs: parseRetryAfter(reply.headers, now) }
}

export function serviceUnavailable(): FacescanError {
  return new FacescanError('import_stopped', 'the service was unavailable for too long', {
    hint: 'When the service is available again, run the same command to resume.',
    retryable: true,
  })
}

/** Error for a service that answers test requests but fails for all other requests. Retries in this run do not help. */
export function failsForAll(cause = 'the service responds, but no request succeeds'): FacescanError {
  return new FacescanError('server', `the service fails for all users: ${cause}`, {
    hint: 'Run the same command again when the service works again.',
    retryable: true,
  })
}

function waitsTooLong(retryAfterMs: number): FacescanError {
  const wait = span(retryAfterMs / 1000)
  return new FacescanError('import_stopped', `the service requires a wait of ${wait} (429)`, {
    hint: 'Run the same command again after this time to resume, or allow a longer wait with --max-wait.',
    status: 429,
    retryAfter: Math.ceil(retryAfterMs / 1000),
    retryable: true,
  })
}

interface WaitingRequest {
  go(): void
  drop(reason: unknown): void
}

export class Pace {
  readonly #options: PaceOptions
  readonly #gradientLimiter: GradientLimiter
  readonly #rateLimiter: RateLimiter
  readonly #budget = new RetryBudget()
  readonly breaker = new Breaker()
  readonly #first: WaitingRequest[] = []
  readonly #retries: WaitingRequest[] = []
  inFlight = 0
  #retriesInFlight = 0
  #sleeping = false

  constructor(options: PaceOptions) {
    this.#options = options
    this.#gradientLimiter = new GradientLimiter(options.maxConcurrency)
    this.#rateLimiter = new RateLimiter(options.rate)
    const dropAll = () => {
      const waiting = [...this.#first.splice(0), ...this.#retries.splice(0)]
      for (const { drop } of waiting) drop(options.signal.reason)
    }
    options.signal.addEventListener('abort', dropAll, { once: true })
  }

  get isAway(): boolean {
    return this.breaker.state !== 'closed'
  }

  get heldMs(): number {
    return this.#rateLimiter.heldMs(this.#options.clock.monotonic())
  }

  get limit(): number {
    return this.#gradientLimiter.limit
  }

  /** Resolves when a request may start. Rejects when the signal is aborted. */
  enter(retry: boolean): Promise<void> {
    const { signal } = this.#options
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise((go, drop) => {
      const queue = retry ? this.#retries : this.#first
      queue.push({ go, drop })
      this.#pump()
    })
  }

  /** Records the end of a request. Call this method once for each `enter` that resolved. */
  leave(retry: boolean, result: PaceResult): void {
    this.#learn(result)
    this.inFlight--
    if (retry) this.#retriesInFlight--
    this.#pump()
  }

  #learn(result: PaceResult): void {
    const now = this.#options.clock.monotonic()
    if (result.kind === 'canceled') return
    if (result.kind === 'failed') {
      this.#gradientLimiter.overload(now)
      this.#budget.failed()
      if (this.breaker.failed(now)) void this.#recover()
      if (this.breaker.rounds > (this.#options.maxTrials ?? Number.POSITIVE_INFINITY))
        this.#options.giveUp(failsForAll())
    } else if (result.kind === 'refused') {
      this.#budget.failed()
      const { retryAfterMs = 0 } = result
      if (retryAfterMs > this.#options.maxWaitMs) this.#options.giveUp(waitsTooLong(retryAfterMs))
      const limitsRate = this.#rateLimiter.refused(now, now - result.latencyMs, result.retryAfterMs)
      if (limitsRate) this.#gradientLimiter.overload(now)
    } else {
      this.#rateLimiter.accepted(now, now - result.latencyMs)
      if (result.kind === 'listed') return
      this.#gradientLimiter.observe(result.latencyMs, this.inFlight)
      this.#budget.succeeded()
      this.breaker.succeeded()
    }
  }

  #pump(): void {
    for (let queue = this.#next(); queue !== undefined; queue = this.#next()) {
      const now = this.#options.clock.monotonic()
      const delayMs = this.#rateLimiter.delayMs(now)
      if (delayMs > 0) return void this.#pumpAfter(delayMs)
      this.#rateLimiter.spend(now)
      this.inFlight++
      if (queue === this.#retries) this.#retriesInFlight++
      queue.shift()?.go()
    }
  }

  #next(): WaitingRequest[] | undefined {
    if (this.breaker.state === 'open') return undefined
    const limit = this.breaker.state === 'trying' ? 1 : this.#gradientLimiter.limit
    if (this.inFlight >= limit) return undefined
    const room = this.#budget.isHealthy || this.#retriesInFlight < Math.max(1, limit / 10)
    if (room && this.#retries.length > 0) return this.#retries
    return this.#first.length > 0 ? this.#first : undefined
  }

  async #pumpAfter(delayMs: number): Promise<void> {
    if (this.#sleeping) return
    this.#sleeping = true
    await this.#sleep(delayMs)
    this.#sleeping = false
    this.#pump()
  }

  async #recover(): Promise<void> {
    const { clock, random, probe, giveUp, signal } = this.#options
    for (let n = 0; this.breaker.state === 'open' && !signal.aborted; n++) {
      if (this.breaker.openForMs(clock.monotonic()) > patienceMs) return giveUp(serviceUnavailable())
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

const maxTokens = 100
const tokensPerSuccess = 0.1

/** Limits retries as in gRPC A6: a failure costs one token, and a success adds a tenth of a token. */
export class RetryBudget {
  #tokens = maxTokens

  get isHealthy(): boolean {
    return this.#tokens > maxTokens / 2
  }

  succeeded(): void {
    this.#tokens = Math.min(maxTokens, this.#tokens + tokensPerSuccess)
  }

  failed(): void {
    this.#tokens = Math.max(0, this.#tokens - 1)
  }
}
