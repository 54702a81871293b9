import { backoffMs } from '../../base/clock.ts'

const failuresToOpen = 20
const backoff = { firstMs: 1_000, longestMs: 30_000 }

export type BreakerState = 'closed' | 'open' | 'trying'

/**
 * Circuit breaker. It opens after 20 failures in a row. While it is open, only test requests (GET) are sent. After a successful test
 * request, one normal request is sent. If this request succeeds, the breaker closes.
 */
export class Breaker {
  #failures = 0
  /** How often the breaker has opened since the last success. */
  rounds = 0
  #openedAt = 0
  state: BreakerState = 'closed'

  succeeded(): void {
    this.#failures = 0
    this.rounds = 0
    this.state = 'closed'
  }

  /** Records a failure. Returns true if it opens the breaker. */
  failed(now: number): boolean {
    if (this.state === 'open') return false
    this.#failures++
    if (this.state === 'closed' && this.#failures < failuresToOpen) return false
    if (this.rounds === 0) this.#openedAt = now
    this.state = 'open'
    this.rounds++
    return true
  }

  /** The wait in ms before test request number `probe`, starting at 0. `random` is in [0, 1). */
  waitMs(probe: number, random: number): number {
    return backoffMs(this.rounds + probe, { ...backoff, random })
  }

  /** Time in ms since the breaker first opened after the last successful request. 0 if the breaker is closed. */
  openForMs(now: number): number {
    return this.state === 'closed' ? 0 : now - this.#openedAt
  }

  probed(): void {
    this.state = 'trying'
  }
}
