import { NetworkError } from '../../base/errors.ts'
import type { Clock } from '../../base/io.ts'
import { parseRetryAfter } from '../../http/retry-after.ts'
import type { IntentRecord } from '../journal/record.ts'
import type { Pace, PaceResult } from '../pace/pace.ts'
import type { Lane } from './lane.ts'
import { answersOf, type Ledger } from './ledger.ts'
import { isPassing, serviceAway } from './outcomes.ts'
import { compare } from './reconcile.ts'
import type { AnswerService, Listing, Reply } from './service.ts'
import { type ServiceClock, skewMs } from './service-clock.ts'
import { Tally } from './tally.ts'
import { blamedCause, split, type Task, unprovableCause, unprovenCause } from './task.ts'

/** What happens to rows of which nobody can tell whether they were saved. */
export type OnAmbiguous = 'hold' | 'resend' | 'skip'

export interface InquiryOptions {
  service: AnswerService
  serviceClock: ServiceClock
  ledger: Ledger
  clock: Clock
  random(): number
  pace: Pace
  /** For a service that does not answer, and for a list that does not come while it does. */
  patienceMs: number
  onAmbiguous: OnAmbiguous
  /** Only ever false in a test, to show that settling is what prevents duplicates. */
  settles: boolean
  /** Aborted when nothing new may be sent. */
  halt: AbortSignal
  /** Does `wait` while the lane gives its place to others. */
  aside<T>(wait: () => Promise<T>): Promise<T>
}

const unsteady = 'the service tells times that cannot all be right'
const incomplete = 'the list of answers lacks others that were saved'
const strikesToBlame = 3
/** When more batches than this fail and none goes through, it is the service, not a batch. */
const fewFailing = 2
const firstBackoffMs = 200
const longestBackoffMs = 10_000

/** Finds out which rows of an ambiguous request were applied, and says what is left to do. */
export class Inquiry {
  readonly #options: InquiryOptions
  /** Batches that failed since the service last answered anything. */
  readonly #failing = new Set<number>()

  constructor(options: InquiryOptions) {
    this.#options = options
  }

  failed(batch: number): void {
    this.#failing.add(batch)
  }

  answered(): void {
    this.#failing.clear()
  }

  /** The reply was final, so nothing has to settle; but part of the batch may have been applied. */
  async bisect(lane: Lane, task: Task, intent: IntentRecord): Promise<Task[]> {
    if (lane.hidden !== undefined) {
      this.#options.ledger.acknowledge(task, [])
      return split(task)
    }
    const left = await this.reconcile(lane, { ...task, strikes: 0 }, intent, 0)
    return left.flatMap((rest) => (rest.rows.length > 1 ? split({ ...rest, strikes: 0 }) : [rest]))
  }

  async reconcile(lane: Lane, task: Task, intent: IntentRecord, settleMs: number): Promise<Task[]> {
    const { ledger, serviceClock, aside, onAmbiguous } = this.#options
    const listing = await aside(() => this.#look(lane, settleMs))
    if (!listing.usable) return this.#giveUpKnowing(task, listing.why)
    const { at, since = at } = intent
    // A time that is yet to come shows a clock that went back, or local times with the offset of another zone.
    const latest = listing.answers.reduce(
      (latest, answer) => Math.max(latest, answer.at),
      Math.max(at, since),
    )
    if (!serviceClock.hasReached(latest)) return this.#giveUpKnowing(task, unsteady)
    const sent = answersOf(task)
    // Whoever wrote an intent without a chain had nothing before it that could be mistaken for it.
    const earlier = intent.since === undefined ? new Tally() : lane.applied
    const { applied, missing, unprovable, isWhole } = compare(sent, listing.answers, since - skewMs, earlier)
    const rowsAt = (positions: number[]) => positions.flatMap((at) => task.rows[at] ?? [])
    ledger.finish('UNKNOWN', { ...task, rows: rowsAt(unprovable) }, unprovableCause)
    if (!isWhole && onAmbiguous !== 'resend') {
      ledger.finish('UNKNOWN', { ...task, rows: rowsAt(missing.splice(0)) }, unprovenCause(incomplete))
    }
    ledger.acknowledge(task, rowsAt(applied))
    if (applied.length > 0) {
      const answers = answersOf({ ...task, rows: rowsAt(applied) })
      lane.add(task.batch.id, intent, answers, serviceClock.now())
    }
    if (missing.length === 0) return []
    return this.#again({ ...task, rows: rowsAt(missing) }, missing.length === sent.length)
  }

  /** Sends rows again that are not applied, unless they alone fail time after time. */
  #again(task: Task, noneApplied: boolean): Task[] {
    const strikes = noneApplied && this.#failing.size <= fewFailing ? task.strikes + 1 : 0
    if (strikes < strikesToBlame) return [{ ...task, strikes }]
    if (task.rows.length > 1) return split({ ...task, strikes: strikesToBlame - 1 })
    this.#options.ledger.finish('UNKNOWN', task, blamedCause)
    return []
  }

  /** Waits until nothing of this user can be under way any more, then lists their answers. */
  async #look(lane: Lane, settleMs: number): Promise<Listing> {
    const { clock, halt, service, serviceClock, settles } = this.#options
    if (lane.hidden !== undefined) return { usable: false, why: lane.hidden }
    if (settles && settleMs > 0) await clock.sleep(settleMs, halt)
    if (!serviceClock.isKnown) return { usable: false, why: 'the service does not tell its time' }
    const listing = await service.list(lane.user, (ask) => this.#askInTurn(ask))
    if (listing !== 'unavailable') return listing
    if (!(await service.probe())) throw serviceAway()
    return { usable: false, why: 'the list of answers did not come, however often it was asked for' }
  }

  async #askInTurn(ask: () => Promise<Reply | NetworkError>): Promise<Reply | NetworkError> {
    const { clock, pace, patienceMs } = this.#options
    let triedMs = 0
    for (let tries = 1; ; tries++) {
      await pace.enter(true)
      // Only from here: a turn that is long in coming says nothing of the list.
      const startedAt = clock.monotonic()
      let result: PaceResult = { kind: 'cancelled' }
      try {
        const outcome = await ask()
        result = listingResult(outcome, clock.now())
        if (!isPassing(outcome) || triedMs > patienceMs) return outcome
      } finally {
        pace.leave(true, result)
      }
      await this.backOff(tries)
      triedMs += clock.monotonic() - startedAt
    }
  }

  #giveUpKnowing(task: Task, why: string): Task[] {
    const { ledger, onAmbiguous } = this.#options
    if (onAmbiguous !== 'resend') ledger.finish('UNKNOWN', task, unprovenCause(why))
    ledger.acknowledge(task, [])
    return onAmbiguous === 'resend' ? this.#again(task, true) : []
  }

  async backOff(tries: number): Promise<void> {
    const { clock, random, halt } = this.#options
    const longest = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1))
    await clock.sleep(longest * (0.5 + random() / 2), halt)
  }
}

/** A list takes another time than a save, and one that fails says nothing of the others. */
function listingResult(outcome: Reply | NetworkError, now: number): PaceResult {
  if (outcome instanceof NetworkError || outcome.status >= 500) return { kind: 'cancelled' }
  if (outcome.status !== 429) return { kind: 'listed' }
  return { kind: 'refused', retryAfterMs: parseRetryAfter(outcome.headers, now) }
}
