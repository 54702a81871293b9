import { backoffMs } from '../../base/clock.ts'

const failuresToOpen = 20
const backoff = { firstMs: 1_000, longestMs: 30_000 }

export type BreakerState = 'closed' | 'open' | 'trying'

/**
 * Circuit breaker: stops sending after 20 failures in a row. While it is open, the owner probes the service with a GET,
 * never with a POST. After a successful probe one request is tried; its success closes the breaker.
 */
export class Breaker {
  #failures = 0
  /** Times that the breaker has opened since the last success. */
  rounds = 0
  #openedAt = 0
  state: BreakerState = 'closed'

  succeeded(): void {
    this.#failures = 0
    this.rounds = 0
    this.state = 'closed'
  }

  /** True when this failure opens the breaker. */
  failed(now: number): boolean {
    if (this.state === 'open') return false
    this.#failures++
    if (this.state === 'closed' && this.#failures < failuresToOpen) return false
    if (this.rounds === 0) this.#openedAt = now
    this.state = 'open'
    this.rounds++
    return true
  }

  /** Wait before the probe with this 0-based number. `random` is in [0, 1). */
  waitMs(probe: number, random: number): number {
    return backoffMs(this.rounds + probe, { ...backoff, random })
  }

  /** Time since the last response of the service, in ms. */
  openForMs(now: number): number {
    return this.state === 'closed' ? 0 : now - this.#openedAt
  }

  /** A probe was answered: one request may be sent. */
  probed(): void {
    this.state = 'trying'
  }
}
