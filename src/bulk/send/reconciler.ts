import type { IntentRecord } from '../journal/record.ts'
import { keptRequests } from '../journal/state.ts'
import { serviceUnavailable } from '../pace/pace.ts'
import { Waits } from '../progress-line.ts'
import type { Reason } from '../types.ts'
import { type AttemptResult, inTurnOf, type TurnOptions } from './attempt.ts'
import { describeOutcome } from './outcomes.ts'
import { type Evidence, type Listing, reconcile } from './reconcile.ts'
import { hashId, type ResponseCheck } from './response-check.ts'
import type { SettleTime } from './settle-time.ts'
import {
  answersOf,
  closeIntent,
  type Part,
  type RunParts,
  recordUnknown,
  type Task,
  unconfirmedCode,
  withEvent,
  zonesOf,
} from './task.ts'
import { Multiset, type UserQueue } from './user-queue.ts'

const mostNotedLists = 20
const pollMs = 200
const longestWaitMs = 30_000

const supersededMessage =
  'sent, but the outcome is unknown: a later answer to the same question replaced this answer'

/** An accepted request. `at` is the monotonic time of its response in ms, or 0 for a request of an earlier run. */
export interface Accepted {
  queue: UserQueue
  part: Part
  intent: IntentRecord
  at: number
}

export interface SentSoFar {
  /** Monotonic time in ms after which no request of earlier runs can be applied. */
  readonly earlierSettledAt: number
  readonly settleTime: Pick<SettleTime, 'ms'>
  readonly responses: ResponseCheck
  readonly recent: readonly Accepted[]
  checkpoint(): void
}

/** Determines which rows of a request with an unknown outcome were applied. */
export class Reconciler {
  readonly #run: RunParts
  readonly #turns: TurnOptions
  readonly #sent: SentSoFar
  readonly checks: Waits
  /** The latest accepted request whose answers were checked, with the result of the check. */
  #listed: { request: Accepted; done: Promise<unknown> } | undefined
  #enough: Promise<void> | undefined

  constructor(run: RunParts, turns: TurnOptions, sent: SentSoFar) {
    this.#run = run
    this.#turns = turns
    this.#sent = sent
    this.checks = new Waits(run.clock)
  }

  /** Determines the outcome of a request. Returns the rows that must be sent again. */
  async reconcile(
    queue: UserQueue,
    task: Task,
    intent: IntentRecord,
    settleMs: number,
    isRefused = false,
  ): Promise<Task> {
    const { clock, serviceClock, engine, writers } = this.#run
    const startedAt = clock.now()
    const outcomes: string[] = []
    const zones = zonesOf(task)
    const look = async () => {
      const found = await this.#look(queue, settleMs, outcomes)
      // Requests for other users may still measure the clock of the service.
      const isOpen = () => serviceClock.limitsOf(zones) === undefined
      const isIdle = () => ![...zones].some((name) => serviceClock.zone(name).isBeingMeasured)
      if (found.usable) await this.#waitWhile(isOpen, isIdle)
      return found
    }
    const listing = await engine.releaseSlotWhile(() => this.checks.during(settleMs, look))
    const event = `requested the answer list for ${clock.now() - startedAt} ms: ${outcomes.join(', ')}`
    const looked = outcomes.length > 0 ? withEvent(task, event) : task
    const { at, since = at } = intent
    // Reads the list of answers before the records of other commands: a command that starts later cannot have changed the list.
    const ageMs = serviceClock.now() - since
    const confusableMs = serviceClock.confusableMs(zones)
    const concurrentWriter = listing.usable
      ? await writers.findConcurrentWriter(queue.user, ageMs, confusableMs)
      : undefined
    const unknown = queue.unknownSince(since, confusableMs)
    const sent = {
      answers: answersOf(task),
      at,
      since,
      saved: queue.savedSince(intent),
      unknown,
      doubt: concurrentWriter,
    }
    const evidenceFor = (more: Partial<typeof sent>) => reconcile({ ...sent, ...more }, listing, serviceClock)
    const { applied, missing } = evidenceFor({})
    if (missing.length > 0) await engine.releaseSlotWhile(() => this.#checkLists())
    const doubt = applied.length > 0 ? await this.#findDoubt(queue) : concurrentWriter
    return this.#record(queue, looked, intent, evidenceFor({ doubt }), isRefused)
  }

  /** Checks that the latest accepted answers are listed. If the service lists answers late, a missing answer may have been saved. */
  async #checkLists(): Promise<void> {
    const { recent } = this.#sent
    // Waits for more requests, because a few may not show that the service lists answers late. Requests of earlier runs (`at` is 0) do not
    // count, because their answers may be listed by now.
    this.#enough ??= this.#waitWhile(() => recent.filter(({ at }) => at > 0).length < keptRequests)
    await this.#enough
    const latest = recent.at(-1)
    if (latest !== undefined && latest !== this.#listed?.request) {
      // The first check covers the answers of several requests, because the service may list only some of the new answers late.
      const due = this.#listed ? [latest] : recent
      this.#listed = { request: latest, done: Promise.all(due.map((request) => this.#checkList(request))) }
    }
    await this.#listed?.done
  }

  /** Sets `listsLate` if the answers of an accepted request are missing after the settle time, or have a wrong time. */
  async #checkList({ queue, part, intent, at }: Accepted): Promise<void> {
    const { clock, serviceClock } = this.#run
    const isListed = async (waitMs: number) => {
      const listing = await this.#look(queue, waitMs, [])
      if (!listing.usable) return true
      const { behindMs = Number.POSITIVE_INFINITY } = serviceClock.limitsOf(zonesOf(part)) ?? {}
      const recent = listing.answers.filter(({ at }) => at >= intent.at - behindMs)
      const equal = new Multiset(recent)
      const questions = equal.questions()
      return answersOf(part).every((answer) =>
        serviceClock.listsHistory ? equal.take(answer) : questions.has({ ...answer, value: 0 }),
      )
    }
    if (serviceClock.listsLate || (await isListed(0))) return
    if (await isListed(at + this.#sent.settleTime.ms - clock.monotonic())) return
    serviceClock.listsLate = true
    this.#sent.checkpoint()
  }

  /** Reason why the listed answers may be from another queue: the external user IDs of both queues belong to the same user. */
  async #findDoubt(queue: UserQueue): Promise<string | undefined> {
    if (queue.ownHash !== undefined) return undefined
    const { engine, service } = this.#run
    const id = await engine.releaseSlotWhile(() => service.identify(queue.user, inTurnOf(this.#turns)))
    // If the user cannot be read, the listed answers still prove that the row was saved.
    return id === undefined || this.#sent.responses.claim(hashId(id), queue)
      ? undefined
      : 'another external user ID in the file belongs to the same user'
  }

  #record(
    queue: UserQueue,
    task: Task,
    intent: IntentRecord,
    { applied: listed, superseded, missing, unproven }: Evidence,
    isRefused: boolean,
  ): Task {
    const { serviceClock, onAmbiguous } = this.#run
    const partOf = (positions: readonly number[]) => ({
      ...task,
      rows: positions.flatMap((at) => task.rows[at] ?? []),
    })
    const doubt = (rows: readonly number[], reason: Reason) => {
      recordUnknown(this.#run, partOf(rows), reason)
      // An unconfirmed answer may still be saved later, so listed answers with any later time are also compared.
      const until = task.unconfirmed === undefined ? serviceClock.now() : Number.POSITIVE_INFINITY
      queue.addUnknown(answersOf(partOf(rows)), until)
    }
    const applied = partOf(listed)
    const own = new Set(answersOf(applied).map(({ lookup_key }) => lookup_key))
    // A refused request saved this row only if it also saved a later answer to the same question.
    const isSentAgain = (at: number) =>
      isRefused && !own.has(task.batch.rows[task.rows[at] as number]?.lookup_key ?? '')
    const resent = superseded.filter(isSentAgain)
    const replaced = superseded.filter((at) => !isSentAgain(at))
    doubt(replaced, { code: 'superseded', message: supersededMessage })
    const { unconfirmed } = task
    if (unconfirmed !== undefined) {
      const message = `sent, but the outcome is unknown: ${unconfirmed}, and the answer list does not contain the answer`
      doubt(missing.splice(0), { code: unconfirmedCode, message })
    }
    for (const { rows, why } of unproven) {
      if ((isRefused || onAmbiguous === 'resend') && unconfirmed === undefined) resent.push(...rows)
      else doubt(rows, { code: 'unproven', message: `sent, but the outcome is unknown: ${why}` })
    }
    closeIntent(this.#run, task, applied.rows, queue.ownHash)
    if (applied.rows.length > 0) queue.add(task.batch.id, intent, answersOf(applied), serviceClock.now())
    return partOf([...missing, ...resent].sort((a, b) => a - b))
  }

  /** Waits until earlier requests for this user can no longer be applied. Then lists the answers. */
  async #look(queue: UserQueue, settleMs: number, outcomes: string[]): Promise<Listing> {
    const { clock, engine, service, serviceClock } = this.#run
    if (queue.hidden !== undefined) return { usable: false, why: queue.hidden }
    if (settleMs > 0) await clock.sleep(settleMs, engine.halt)
    if (!serviceClock.isKnown) return { usable: false, why: 'the service does not send a Date header' }
    const note = (outcome: AttemptResult) => {
      if (outcomes.length < mostNotedLists) outcomes.push(describeOutcome(outcome))
    }
    const listing = await service.list(queue.user, inTurnOf(this.#turns, note))
    if (listing !== 'unavailable') return listing
    if (!(await service.probe())) throw serviceUnavailable()
    return { usable: false, why: 'the service did not return the answer list, even after retries' }
  }

  /** Waits while `isOpen` returns true, at most `longestWaitMs`. Time in which `isCounted` returns false does not count. */
  async #waitWhile(isOpen: () => boolean, isCounted = () => true): Promise<void> {
    const { clock, engine } = this.#run
    for (let waitedMs = 0; waitedMs < longestWaitMs && isOpen() && !engine.isStalled; ) {
      await clock.sleep(pollMs, engine.halt)
      if (isCounted()) waitedMs += pollMs
    }
  }
}
