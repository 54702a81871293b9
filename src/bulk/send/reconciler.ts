import { NetworkError } from '../../base/errors.ts'
import type { Clock } from '../../base/io.ts'
import { parseRetryAfter } from '../../http/retry-after.ts'
import type { IntentRecord } from '../journal/record.ts'
import { type Pace, type PaceResult, patienceMs } from '../pace/pace.ts'
import type { WriterRegister } from '../writers/register.ts'
import { findRival } from '../writers/rivals.ts'
import { judge, type Verdict } from './judge.ts'
import type { Lane } from './lane.ts'
import { answersOf, type Ledger } from './ledger.ts'
import { describeOutcome, isTransient, serviceUnavailable } from './outcomes.ts'
import type { AnswerService, Listing, Reply } from './service.ts'
import type { ServiceClock } from './service-clock.ts'
import {
  explainUnknown,
  failingCause,
  split,
  supersededCause,
  type Task,
  unprovenCause,
  withEvent,
} from './task.ts'

/** Next step for rows with an unknown outcome. */
export type OnAmbiguous = 'hold' | 'resend' | 'skip'

export interface ReconcilerOptions {
  service: AnswerService
  serviceClock: ServiceClock
  /** Other commands on this machine that save answers. */
  register: Pick<WriterRegister, 'others'>
  ledger: Ledger
  clock: Clock
  random(): number
  pace: Pace
  onAmbiguous: OnAmbiguous
  /** Aborted when nothing new may be sent. */
  halt: AbortSignal
  /** Waits while another lane takes the place of this one. */
  setAside<T>(wait: () => Promise<T>): Promise<T>
}

const strikesToGiveUp = 3
/** If more batches fail and none succeeds, the service is the cause. */
const fewFailing = 2
const firstBackoffMs = 200
const longestBackoffMs = 10_000
const mostNotedLists = 20

/** Determines which rows of an ambiguous request were applied. */
export class Reconciler {
  readonly #options: ReconcilerOptions
  /** Batches that failed since the last successful request. */
  readonly #failing = new Set<number>()

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  failed(batch: number): void {
    this.#failing.add(batch)
  }

  answered(): void {
    this.#failing.clear()
  }

  /** Whether the service does not know the user. */
  isUnknown(lane: Lane): Promise<boolean> {
    const { service, setAside } = this.#options
    return setAside(() => service.isUnknown(lane.user, (ask) => this.#askInTurn(ask, [])))
  }

  /** For a final reply. No time to settle is needed, but some rows may have been applied. */
  async bisect(lane: Lane, task: Task, intent: IntentRecord): Promise<Task[]> {
    if (lane.hidden !== undefined) {
      this.#options.ledger.acknowledge(task, [])
      return split(task)
    }
    const left = await this.reconcile(lane, { ...task, strikes: 0 }, intent, 0)
    return left.flatMap((rest) => (rest.rows.length > 1 ? split({ ...rest, strikes: 0 }) : [rest]))
  }

  async reconcile(lane: Lane, task: Task, intent: IntentRecord, settleMs: number): Promise<Task[]> {
    const { clock, serviceClock, setAside, register } = this.#options
    const startedAt = clock.now()
    const outcomes: string[] = []
    const listing = await setAside(() => this.#look(lane, settleMs, outcomes))
    const event = `listed after ${clock.now() - startedAt} ms: ${outcomes.join(', ')}`
    const looked = outcomes.length > 0 ? withEvent(task, event) : task
    const answers = answersOf(task)
    const { at, since = at } = intent
    // After the list, because a command that starts later cannot have changed it.
    const ageMs = serviceClock.now() - since
    const rival = listing.usable ? await findRival(register, clock, lane.user, ageMs) : undefined
    const sent = { answers, at, since, saved: lane.savedSince(intent), doubtful: lane.doubtfulAt(at), rival }
    return this.#record(lane, looked, intent, judge(sent, listing, serviceClock))
  }

  /** Records the verdict. Returns the rows that must be sent again. */
  #record(lane: Lane, task: Task, intent: IntentRecord, verdict: Verdict): Task[] {
    const { ledger, serviceClock, onAmbiguous } = this.#options
    const partOf = (positions: readonly number[]) => ({
      ...task,
      rows: positions.flatMap((at) => task.rows[at] ?? []),
    })
    const isResent = onAmbiguous === 'resend'
    const doubted = [{ rows: verdict.superseded, cause: supersededCause }]
    for (const { rows, why } of isResent ? [] : verdict.unproven)
      doubted.push({ rows, cause: unprovenCause(why) })
    for (const { rows, cause } of doubted) {
      ledger.finish('UNKNOWN', partOf(rows), explainUnknown(cause, task))
      lane.doubt(answersOf(partOf(rows)), serviceClock.now())
    }
    const applied = partOf(verdict.applied)
    ledger.acknowledge(task, applied.rows)
    if (applied.rows.length > 0) lane.add(task.batch.id, intent, answersOf(applied), serviceClock.now())
    const resent = isResent ? verdict.unproven.flatMap(({ rows }) => rows) : []
    const left = partOf([...verdict.missing, ...resent].sort((a, b) => a - b))
    return left.rows.length === 0 ? [] : this.#again(left, left.rows.length === task.rows.length)
  }

  /** Sends rows again, unless only they fail repeatedly. */
  #again(task: Task, noneApplied: boolean): Task[] {
    const strikes = noneApplied && this.#failing.size <= fewFailing ? task.strikes : 0
    if (strikes < strikesToGiveUp) return [{ ...task, strikes }]
    if (task.rows.length > 1) return split({ ...task, strikes: strikesToGiveUp - 1 })
    this.#options.ledger.finish('UNKNOWN', task, explainUnknown(failingCause, task))
    return []
  }

  /** Waits until no request for this user can still be applied, then lists the answers. */
  async #look(lane: Lane, settleMs: number, outcomes: string[]): Promise<Listing> {
    const { clock, halt, service, serviceClock } = this.#options
    if (lane.hidden !== undefined) return { usable: false, why: lane.hidden }
    if (settleMs > 0) await clock.sleep(settleMs, halt)
    if (!serviceClock.isKnown) return { usable: false, why: 'the service sends no Date header' }
    const listing = await service.list(lane.user, (ask) => this.#askInTurn(ask, outcomes))
    if (listing !== 'unavailable') return listing
    if (!(await service.probe())) throw serviceUnavailable()
    return { usable: false, why: 'the service did not return the list of answers despite retries' }
  }

  async #askInTurn(
    ask: () => Promise<Reply | NetworkError>,
    outcomes: string[],
  ): Promise<Reply | NetworkError> {
    const { clock, pace, halt } = this.#options
    let triedMs = 0
    for (let tries = 1; ; tries++) {
      await pace.enter(true)
      // Excludes the wait for its turn.
      const startedAt = clock.monotonic()
      let result: PaceResult = { kind: 'canceled' }
      let retryAfterMs: number | undefined
      try {
        const outcome = await ask()
        if (outcomes.length < mostNotedLists) outcomes.push(describeOutcome(outcome))
        result = listingResult(outcome, clock.monotonic() - startedAt, clock.now())
        if (!isTransient(outcome) || triedMs > patienceMs) return outcome
        retryAfterMs = result.kind === 'refused' ? result.retryAfterMs : undefined
      } finally {
        pace.leave(true, result)
      }
      if (retryAfterMs === undefined) await this.backOff(tries)
      triedMs += clock.monotonic() - startedAt
      // The service asked for this wait, so it does not count as no response.
      if (retryAfterMs !== undefined) await clock.sleep(retryAfterMs, halt)
    }
  }

  async backOff(tries: number): Promise<void> {
    const { clock, random, halt } = this.#options
    const longest = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1))
    await clock.sleep(longest * (0.5 + random() / 2), halt)
  }
}

/** The latency of a list is not comparable with the latency of a save, and a failed list shows nothing about saves. */
function listingResult(outcome: Reply | NetworkError, latencyMs: number, now: number): PaceResult {
  if (outcome instanceof NetworkError || outcome.status >= 500) return { kind: 'canceled' }
  if (outcome.status !== 429) return { kind: 'listed', latencyMs }
  return { kind: 'refused', latencyMs, retryAfterMs: parseRetryAfter(outcome.headers, now) }
}
