import type { IntentRecord } from '../journal/record.ts'
import type { Answer, Batch, UserRef } from '../types.ts'
import type { Cause } from './causes.ts'
import { skewMs } from './service-clock.ts'

/** Batches whose acknowledgement is younger than this cannot be told from the next one of their user by time alone. */
export const recentMs = 2 * skewMs

/** Everything that is known of one user while their batches, which follow one another, are being sent. */
export class Lane {
  readonly user: UserRef
  readonly queue: Batch[] = []
  isRunning = false
  /** Set once the service says that there is no such user. */
  gone: Cause | undefined
  /** Answers that are certainly applied and recent enough to be mistaken for the next batch. */
  #accepted: Answer[] = []
  #since: number | undefined
  #batches = new Set<number>()
  #lastAt = 0

  constructor(user: UserRef) {
    this.user = user
  }

  get accepted(): readonly Answer[] {
    return this.#accepted
  }

  /** What an intent written at `now` has to say about the batches before it. */
  chainAt(now: number, batch: number): Pick<IntentRecord, 'chain' | 'since'> {
    if (now - this.#lastAt > recentMs) {
      this.#accepted = []
      this.#batches.clear()
      this.#since = undefined
    }
    const earlier = [...this.#batches].filter((id) => id !== batch).length
    return this.#since === undefined ? {} : { chain: earlier, since: this.#since }
  }

  /** Answers of a batch are applied; what is not known of its sending comes with a later batch of the same chain. */
  applied(batch: number, intent: IntentRecord | undefined, answers: readonly Answer[], at = 0): void {
    this.#accepted.push(...answers)
    this.#since ??= intent?.since ?? intent?.at
    this.#batches.add(batch)
    this.#lastAt = Math.max(this.#lastAt, at)
  }
}
