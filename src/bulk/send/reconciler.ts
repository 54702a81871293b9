import type { IntentRecord } from '../journal/record.ts'
import { patienceMs, serviceUnavailable } from '../pace/pace.ts'
import { Waits } from '../progress-line.ts'
import type { Reason } from '../types.ts'
import type { AnswerService } from './api-service.ts'
import { type AttemptResult, Turns } from './attempt.ts'
import { describeOutcome } from './outcomes.ts'
import { type Evidence, type Listing, reconcile } from './reconcile.ts'
import { answersOf, type RunParts, split, type Task, unconfirmedCode, withEvent, zonesOf } from './task.ts'
import type { UserQueue } from './user-queue.ts'

const strikesToGiveUp = 3
/** If more batches than this number fail and no batch succeeds, the service counts as the cause. */
const fewFailing = 2
const mostNotedLists = 20
const clockWaitMs = 200
const longestClockWaitMs = 30_000

const supersededMessage = 'sent, but the outcome is unknown: a later answer to the same question replaced it'
const failingMessage = 'the service repeatedly failed to save this answer; the answer is not saved'

/** Determines which rows of a request with an unknown outcome were applied. A returned task may have no rows. */
export class Reconciler {
  readonly #run: RunParts
  readonly #failing = new Set<number>()
  readonly checks: Waits
  /** Requests that wait because of Retry-After. */
  readonly limits: Waits
  readonly turns: Turns

  constructor(run: RunParts) {
    this.#run = run
    this.turns = new Turns({ ...run, patienceMs, areExtra: true })
    this.checks = new Waits(run.clock)
    this.limits = new Waits(run.clock)
  }

  failed(batch: number): void {
    this.#failing.add(batch)
  }

  answered(): void {
    this.#failing.clear()
  }

  lookUp(queue: UserQueue): ReturnType<AnswerService['lookUp']> {
    const { service, engine } = this.#run
    return engine.releaseSlotWhile(() => service.lookUp(queue.user, (ask) => this.turns.repeat(ask)))
  }

  /** Splits a batch after a response that shows that the request has ended. No wait is needed, but some rows may have been applied. */
  async bisect(queue: UserQueue, task: Task, intent: IntentRecord): Promise<Task[]> {
    if (queue.hidden !== undefined) {
      this.#run.recorder.acknowledge(task, [])
      return split(task)
    }
    const left = await this.reconcile(queue, { ...task, strikes: 0 }, intent, 0)
    return left.flatMap((rest) => (rest.rows.length > 1 ? split({ ...rest, strikes: 0 }) : [rest]))
  }

  /** Determines the outcome of a request. Returns the rows that must be sent again. */
  async reconcile(queue: UserQueue, task: Task, intent: IntentRecord, settleMs: number): Promise<Task[]> {
    const { clock, serviceClock, engine, writers } = this.#run
    const startedAt = clock.now()
    const outcomes: string[] = []
    const listing = await engine.releaseSlotWhile(() =>
      this.checks.during(settleMs, () => this.#lookAndMeasure(queue, task, settleMs, outcomes)),
    )
    const event = `requested the answer list for ${clock.now() - startedAt} ms: ${outcomes.join(', ')}`
    const looked = outcomes.length > 0 ? withEvent(task, event) : task
    const { at, since = at } = intent
    // Other commands are looked up only after the list of answers was read. A command that starts later cannot have changed that list.
    const ageMs = serviceClock.now() - since
    const confusableMs = serviceClock.confusableMs(zonesOf(task))
    const concurrentWriter = listing.usable
      ? await writers.findConcurrentWriter(queue.user, ageMs, confusableMs)
      : undefined
    const doubtful = queue.doubtfulSince(since, confusableMs)
    const sent = {
      answers: answersOf(task),
      at,
      since,
      saved: queue.savedSince(intent),
      doubtful,
      concurrentWriter,
    }
    return this.#record(queue, looked, intent, reconcile(sent, listing, serviceClock))
  }

  async #lookAndMeasure(
    queue: UserQueue,
    task: Task,
    settleMs: number,
    outcomes: string[],
  ): Promise<Listing> {
    const found = await this.#look(queue, settleMs, outcomes)
    if (found.usable) await this.#awaitClock(task)
    return found
  }

  #record(queue: UserQueue, task: Task, intent: IntentRecord, evidence: Evidence): Task[] {
    const { recorder, serviceClock, onAmbiguous } = this.#run
    const partOf = (positions: readonly number[]) => ({
      ...task,
      rows: positions.flatMap((at) => task.rows[at] ?? []),
    })
    const doubt = (rows: readonly number[], reason: Reason) => {
      this.#giveUp(partOf(rows), reason)
      // The service may save unconfirmed answers at any time.
      const until = task.unconfirmed === undefined ? serviceClock.now() : Number.POSITIVE_INFINITY
      queue.doubt(answersOf(partOf(rows)), until)
    }
    doubt(evidence.superseded, { code: 'superseded', message: supersededMessage })
    const resent: number[] = []
    const { unconfirmed } = task
    if (unconfirmed !== undefined) {
      const message = `sent, but the outcome is unknown: ${unconfirmed}, and the answer list does not contain the answer`
      doubt(evidence.missing.splice(0), { code: unconfirmedCode, message })
    }
    for (const { rows, why } of evidence.unproven) {
      if (onAmbiguous === 'resend' && unconfirmed === undefined) resent.push(...rows)
      else doubt(rows, { code: 'unproven', message: `sent, but the outcome is unknown: ${why}` })
    }
    const applied = partOf(evidence.applied)
    recorder.acknowledge(task, applied.rows)
    if (applied.rows.length > 0) queue.add(task.batch.id, intent, answersOf(applied), serviceClock.now())
    const left = partOf([...evidence.missing, ...resent].sort((a, b) => a - b))
    return this.#again(left, left.rows.length === task.rows.length)
  }

  /** Sends rows again, unless only these rows fail repeatedly. */
  #again(task: Task, noneApplied: boolean): Task[] {
    const strikes = noneApplied && this.#failing.size <= fewFailing ? task.strikes : 0
    if (strikes < strikesToGiveUp) return [{ ...task, strikes }]
    if (task.rows.length > 1) return split({ ...task, strikes: strikesToGiveUp - 1 })
    this.#giveUp(task, { code: 'fails_repeatedly', message: failingMessage })
    return []
  }

  /** Records rows as unknown. The reason contains the outcomes of the earlier requests for the rows. */
  #giveUp(task: Task, { code, message }: Reason): void {
    this.#run.recorder.makeFinal('UNKNOWN', task, { code, message: [message, ...task.history].join('; ') })
  }

  /** Waits until no request for this user can still be applied, then lists the answers. */
  async #look(queue: UserQueue, settleMs: number, outcomes: string[]): Promise<Listing> {
    const { clock, engine, service, serviceClock } = this.#run
    if (queue.hidden !== undefined) return { usable: false, why: queue.hidden }
    if (settleMs > 0) await clock.sleep(settleMs, engine.halt)
    if (!serviceClock.isKnown) return { usable: false, why: 'the service does not send a Date header' }
    const note = (outcome: AttemptResult) => {
      if (outcomes.length < mostNotedLists) outcomes.push(describeOutcome(outcome))
    }
    const listing = await service.list(queue.user, (ask) => this.turns.repeat(ask, note))
    if (listing !== 'unavailable') return listing
    if (!(await service.probe())) throw serviceUnavailable()
    return { usable: false, why: 'the service did not return the answer list, even after retries' }
  }

  /** Waits until requests for other users have measured the clock of the service. */
  async #awaitClock(task: Task): Promise<void> {
    const { clock, engine, serviceClock } = this.#run
    const zones = zonesOf(task)
    const isOpen = () => serviceClock.limitsOf(zones) === undefined && !engine.isStalled
    for (let waitedMs = 0; waitedMs < longestClockWaitMs && isOpen(); ) {
      await clock.sleep(clockWaitMs, engine.halt)
      if (![...zones].some((name) => serviceClock.zone(name).isBeingMeasured)) waitedMs += clockWaitMs
    }
  }

  delay(tries: number, retryAfterMs: number | undefined): Promise<void> {
    const { clock, engine } = this.#run
    if (retryAfterMs === undefined) return this.turns.backOff(tries)
    return this.limits.during(retryAfterMs, () => clock.sleep(retryAfterMs, engine.halt))
  }
}
