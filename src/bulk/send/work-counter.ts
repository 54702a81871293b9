import type { Work } from '../journal/record.ts'
import { settleTimeMs } from './settle-time.ts'
import type { RunParts } from './task.ts'

const keptLatencies = 1000

export class Latencies {
  readonly #ring: number[] = []
  #next = 0

  add(ms: number): void {
    this.#ring[this.#next] = ms
    this.#next = (this.#next + 1) % keptLatencies
  }

  /** The 99th percentile in ms. 0 without latencies. */
  p99(): number {
    const sorted = this.#ring.toSorted((a, b) => a - b)
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
  }

  settleMs(timeoutMs: number): number {
    return settleTimeMs(timeoutMs, this.p99())
  }
}

/** Counts the requests and the time of a run and adds the totals of earlier runs. */
export class WorkCounter {
  readonly #earlier: Work
  readonly #startedAt: number
  readonly #clock: RunParts['clock']
  requests = 0
  /** Number of requests that repeat an earlier request for the same rows. */
  retried = 0
  /** Number of rows that this process has sent. A row that was sent again counts once. */
  rowsSent = 0

  constructor({ journal, clock }: Pick<RunParts, 'journal' | 'clock'>) {
    this.#earlier = { ...journal.state.work }
    this.#startedAt = clock.monotonic()
    this.#clock = clock
  }

  get total(): Work {
    const { requests, retried, seconds } = this.#earlier
    const ms = 1000 * seconds + this.#clock.monotonic() - this.#startedAt
    return {
      requests: requests + this.requests,
      retried: retried + this.retried,
      seconds: Math.round(ms) / 1000,
    }
  }
}
