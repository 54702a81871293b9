import type { Queue } from '../engine/engine.ts'
import type { IntentRecord } from '../journal/record.ts'
import type { Answer, Batch, UserRef } from '../types.ts'

type Pair = { lookup_key: string; value: number }

/** A multiset of pairs (lookup key, value). Its memory grows with the number of different pairs. */
export class Multiset {
  readonly #counts = new Map<string, number>()

  constructor(pairs: Iterable<Pair> = []) {
    for (const pair of pairs) this.add(pair)
  }

  add({ lookup_key, value }: Pair): void {
    const pair = `${value} ${lookup_key}`
    this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1)
  }

  take({ lookup_key, value }: Pair): boolean {
    const pair = `${value} ${lookup_key}`
    const count = this.#counts.get(pair) ?? 0
    if (count === 0) return false
    this.#counts.set(pair, count - 1)
    return true
  }

  has({ lookup_key, value }: Pair): boolean {
    return (this.#counts.get(`${value} ${lookup_key}`) ?? 0) > 0
  }

  /** A copy in which each value is 0, for comparing only the lookup keys. */
  questions(): Multiset {
    const questions = new Multiset()
    for (const [pair, count] of this.#counts) {
      const question = `0${pair.slice(pair.indexOf(' '))}`
      questions.#counts.set(question, (questions.#counts.get(question) ?? 0) + count)
    }
    return questions
  }

  covers(other: Multiset): boolean {
    return [...other.#counts].every(([pair, count]) => (this.#counts.get(pair) ?? 0) >= count)
  }

  subtract(other: Multiset): void {
    for (const [pair, count] of other.#counts) {
      this.#counts.set(pair, Math.max(0, (this.#counts.get(pair) ?? 0) - count))
    }
  }
}

/** Consecutive batches of a user within a short time. The time of an answer does not show which of these batches saved the answer. */
interface Chain {
  firstBatch: number
  since: number | undefined
  /** Saved answers from all batches in the chain except the latest batch. */
  saved: Multiset | undefined
  /** Answers from the latest batch. The next batch adds them to `saved`. Most users have only one batch, so this saves time. */
  latest: readonly Answer[] | undefined
  lastAt: number
}

export class UserQueue implements Queue<Batch> {
  readonly user: UserRef
  /** Reason why the user's answers cannot be listed. */
  readonly hidden: string | undefined
  readonly items: Batch[] = []
  /** Reason why the user's rows are not sent: the service does not find the user, or refuses the lookup. */
  refusal: 'unknown' | 'exists' | 'refused' | 'rejected' | undefined
  /** Hash of the user ID from the first response for this user, over all runs. */
  userHash: number | undefined
  /** Whether another queue has the same user ID. If so, a listed answer may belong to that queue. */
  isShared = false
  #chain: Chain | undefined
  #unknown: { answers: Multiset; at: number } | undefined

  /** If `hasBothIds` is true, the file contains both kinds of user ID, so two queues may belong to the same user. */
  constructor(user: UserRef, hasBothIds = false) {
    this.user = user
    if (user.kind !== 'external_user_id') this.hidden = 'answers can be listed only by external_user_id'
    else if (hasBothIds)
      this.hidden = 'the file may name the same user by external_user_id in one row and by user_id in another'
  }

  /** The hash of the user ID. Undefined if another queue has the same user ID. */
  get ownHash(): number | undefined {
    return this.isShared ? undefined : this.userHash
  }

  /** Answers that were saved by earlier batches in the chain of the intent. Empty if the intent is the first of its chain. */
  savedSince({ since }: Pick<IntentRecord, 'since'>): Multiset {
    return since !== undefined && this.#chain ? countLatest(this.#chain) : new Multiset()
  }

  /** Answers whose outcome is unknown and which may be listed with a time after `since`. */
  unknownSince(since: number, confusableMs: number): Multiset {
    return this.#unknown && since - this.#unknown.at <= confusableMs ? this.#unknown.answers : new Multiset()
  }

  /** The position of a new request in the chain. A new chain starts if the latest request is more than `confusableMs` ago. */
  chainAt(now: number, batch: number, confusableMs: number): Pick<IntentRecord, 'chain' | 'since'> {
    if (this.#chain && now - this.#chain.lastAt > confusableMs) this.#chain = undefined
    if (this.#chain?.since === undefined) return {}
    return { chain: batch - this.#chain.firstBatch, since: this.#chain.since }
  }

  /** Adds saved answers. `intent` can be omitted for a batch if a later batch in the chain has an intent. */
  add(batch: number, intent: IntentRecord | undefined, answers: readonly Answer[], at = 0): void {
    this.#chain ??= { firstBatch: batch, since: undefined, saved: undefined, latest: undefined, lastAt: 0 }
    this.#chain.since ??= intent?.since ?? intent?.at
    this.#chain.lastAt = Math.max(this.#chain.lastAt, at)
    if (this.#chain.latest) countLatest(this.#chain)
    this.#chain.latest = answers
  }

  /** Adds answers with an unknown outcome. They were saved before `at`, or not at all. */
  addUnknown(answers: readonly Answer[], at: number): void {
    if (answers.length === 0) return
    this.#unknown ??= { answers: new Multiset(), at }
    for (const answer of answers) this.#unknown.answers.add(answer)
    this.#unknown.at = Math.max(this.#unknown.at, at)
  }
}

function countLatest(chain: Chain): Multiset {
  chain.saved ??= new Multiset()
  for (const answer of chain.latest ?? []) chain.saved.add(answer)
  chain.latest = undefined
  return chain.saved
}
