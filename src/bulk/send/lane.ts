import type { IntentRecord } from '../journal/record.ts'
import type { Answer, Batch, UserRef } from '../types.ts'
import type { Cause } from './causes.ts'
import { skewMs } from './service-clock.ts'
import { Tally } from './tally.ts'

/** Batches whose acknowledgement is younger than this cannot be told from the next one of their user by time alone. */
export const recentMs = 2 * skewMs

/** A run of batches of one user, each too close to the one before to be told from it by time. */
interface Chain {
  firstBatch: number
  /** When the first of them was announced; unknown until a batch that knows it is added. */
  since: number | undefined
  /** Without those of the latest batch. */
  applied: Tally | undefined
  /** Most users have but one batch, and nobody asks for its sums. */
  latest: readonly Answer[] | undefined
  lastAt: number
}

/** Everything that is known of one user while their batches, which follow one another, are being sent. */
export class Lane {
  readonly user: UserRef
  /** Why nobody can look up what was saved for this user; undefined where the service tells. */
  readonly hidden: string | undefined
  readonly queue: Batch[] = []
  isRunning = false
  /** While it is not known whether the user or the address is unknown. */
  awaitsVerdict = false
  /** Set once the service says that there is no such user. */
  gone: Cause | undefined
  #chain: Chain | undefined

  /** `hasBothIds`: whether the same person may be named by another id in the same file. */
  constructor(user: UserRef, hasBothIds = false) {
    this.user = user
    this.hidden = whyHidden(user, hasBothIds)
  }

  /** Answers that are certainly applied and recent enough to be mistaken for the next batch. */
  get applied(): Tally {
    return this.#chain ? countLatest(this.#chain) : new Tally()
  }

  /** What an intent written at `now` has to say about the batches before it. */
  chainAt(now: number, batch: number): Pick<IntentRecord, 'chain' | 'since'> {
    if (this.#chain && now - this.#chain.lastAt > recentMs) this.#chain = undefined
    if (this.#chain?.since === undefined) return {}
    return { chain: batch - this.#chain.firstBatch, since: this.#chain.since }
  }

  /** Answers of a batch are applied; what is not known of its sending comes with a later batch of the same chain. */
  add(batch: number, intent: IntentRecord | undefined, answers: readonly Answer[], at = 0): void {
    this.#chain ??= { firstBatch: batch, since: undefined, applied: undefined, latest: undefined, lastAt: 0 }
    this.#chain.since ??= intent?.since ?? intent?.at
    this.#chain.lastAt = Math.max(this.#chain.lastAt, at)
    if (this.#chain.latest) countLatest(this.#chain)
    this.#chain.latest = answers
  }
}

function whyHidden({ kind }: UserRef, hasBothIds: boolean): string | undefined {
  if (kind !== 'external_user_id') return 'answers can be listed by external_user_id only'
  return hasBothIds ? 'the file may name the same person by a user_id too' : undefined
}

function countLatest(chain: Chain): Tally {
  chain.applied ??= new Tally()
  for (const answer of chain.latest ?? []) chain.applied.add(answer)
  chain.latest = undefined
  return chain.applied
}
