import { FacescanError, NetworkError, systemCode } from '../../base/errors.ts'
import type { WireResponse } from '../../http/wire.ts'
import type { IntentRecord } from '../journal/record.ts'
import { patienceMs } from '../pace/pace.ts'
import { Waits } from '../progress-line.ts'
import type { Reason } from '../types.ts'
import { type AttemptResult, backOff, type InTurn, inTurnOf, stopError } from './attempt.ts'
import { type Action, decide, describeOutcome, notLookedUp, reasonToKeep } from './outcomes.ts'
import { Reconciler, type SentSoFar } from './reconciler.ts'
import {
  answersOf,
  closeIntent,
  type Part,
  type RunParts,
  recordFinal,
  recordUnknown,
  split,
  type Task,
  userNotFound,
  withEvent,
} from './task.ts'
import type { UserQueue } from './user-queue.ts'

/** At this number of strikes, a batch is split, or its only row becomes unknown. */
const strikesToGiveUp = 3
/** Number of strikes to count for a failure that is rarely caused by a row, such as a lost connection. A 5xx counts as one strike. */
const strikeWithoutReply = 0.25
/** Wait before the second attempt for a user whom this command has created and the service does not find. */
const newUserMs = 10_000
/** If more batches than this number fail and no batch succeeds, the service is the cause. */
const fewFailing = 2

const failsRepeatedly: Reason = {
  code: 'fails_repeatedly',
  message: 'the service repeatedly failed to save this answer; the answer is not saved',
}

const notFound: Readonly<Record<'unknown' | 'exists' | 'rejected', Reason>> = {
  unknown: userNotFound,
  exists: {
    code: 'refused_404',
    message: 'the service did not find the user (404), although the user exists',
  },
  rejected: {
    code: 'refused_404',
    message: 'the service did not find the user (404), and rejected the lookup of the user',
  },
}

/** A sent request. `startedAt` is the time of day in ms. */
interface SentTask {
  task: Task
  intent: IntentRecord
  startedAt: number
  tookMs: number
}

/** Handles requests whose response did not confirm the answers. Returns the next tasks, some without rows. */
export class OutcomeHandler {
  readonly #run: RunParts
  readonly #times: SentSoFar
  readonly #inTurn: InTurn
  readonly #reconciler: Reconciler
  /** Requests that wait because of Retry-After. */
  readonly #limits: Waits
  /** Batches that failed since the last response without a failure. */
  readonly #failing = new Set<number>()
  /** Number of requests that received no response within the timeout. */
  timeouts = 0
  #usersNotLookedUp = 0

  constructor(run: RunParts, times: SentSoFar) {
    this.#run = run
    this.#times = times
    const turns = { ...run, patienceMs, runSaves: true }
    this.#inTurn = inTurnOf(turns)
    this.#reconciler = new Reconciler(run, turns, times)
    this.#limits = new Waits(run.clock)
  }

  get waits() {
    return { checking: this.#reconciler.checks.state, limited: this.#limits.state }
  }

  /** Error for users whose lookup failed. Thrown after all other rows were sent. */
  get problem(): FacescanError | undefined {
    return this.#usersNotLookedUp > 0 ? notLookedUp(this.#usersNotLookedUp) : undefined
  }

  /** Records a response that is not a failure. The service works for some batches, so the count of failing batches starts again at 0. */
  answered(): void {
    this.#failing.clear()
  }

  /** Continues a batch if an earlier run sent the batch but did not record its outcome. */
  async takeOver(queue: UserQueue, whole: Task, open: IntentRecord): Promise<Task[]> {
    const sent = new Set(open.part ?? whole.batch.rows.keys())
    const rows = whole.rows.filter((at) => sent.has(at))
    const others = { ...whole, unconfirmed: undefined, rows: whole.rows.filter((at) => !sent.has(at)) }
    if (rows.length === 0) {
      closeIntent(this.#run, whole, [])
      return [others]
    }
    const event = `sent at ${new Date(open.at).toISOString()} by an earlier run`
    const leftMs = Math.max(0, this.#times.earlierSettledAt - this.#run.clock.monotonic())
    const task = withEvent({ ...whole, rows, tries: 1 }, event)
    return [...(await this.#reconcile(queue, task, open, leftMs)), others]
  }

  /** Handles a response that does not confirm the answers. If `reason` is set, the run stops. */
  async afterUnconfirmed(
    queue: UserQueue,
    { task, intent }: SentTask,
    reply: WireResponse,
    why: string,
    reason: FacescanError | undefined,
  ): Promise<Task[]> {
    const doubted = { ...task, unconfirmed: why }
    await this.#run.journal.commit({ type: 'UNCONFIRMED', batch: task.batch.id, why })
    if (reason !== undefined) throw reason
    const seen = withEvent(doubted, `${describeOutcome(reply)}: ${why}`)
    return this.#reconcile(queue, seen, intent, this.#times.settleTime.ms)
  }

  after(
    queue: UserQueue,
    { task, intent, startedAt, tookMs }: SentTask,
    outcome: AttemptResult,
  ): Promise<Task[]> {
    if (outcome instanceof NetworkError && systemCode(outcome.cause) === 'FACESCAN_TIMEOUT') this.timeouts++
    const action = decide(outcome, task.rows.length, this.#run.clock.now())
    const event = `sent at ${new Date(startedAt).toISOString()}: ${describeOutcome(outcome)} after ${tookMs} ms`
    return this.#act(queue, withEvent({ ...task, tries: task.tries + 1 }, event), intent, action)
  }

  /** Rejects the rows of a user after a 404. If the lookup of the user was refused, the rows stay unsent. */
  refuse(part: Part, refusal: NonNullable<UserQueue['refusal']>): void {
    if (refusal !== 'refused') this.#reject(part, notFound[refusal])
  }

  async #act(queue: UserQueue, task: Task, intent: IntentRecord, action: Action): Promise<Task[]> {
    const { clock, engine } = this.#run
    if (action.do === 'reconcile') {
      this.#failing.add(task.batch.id)
      const strikes = task.strikes + (action.failing ? 1 : strikeWithoutReply)
      return this.#reconcile(queue, { ...task, strikes }, intent, this.#times.settleTime.ms)
    }
    this.answered()
    if (action.do === 'look up user') return this.#lookUpUser(queue, task)
    const isFirst = !task.isRemainder || task.rows.length === 1
    if (action.do === 'reject' && isFirst) return this.#rejectRows(queue, task, intent, action.rows)
    if (action.do === 'reject' || action.do === 'bisect') return this.#bisect(queue, task, intent)
    // After a 303, the intent stays open and the next run lists the answers, because the service may have saved them.
    if (action.do !== 'stop' || action.error.details.status !== 303) closeIntent(this.#run, task, [])
    if (action.do === 'stop') throw action.error
    if (action.do === 'halve') return split(task)
    // Retry-After delays only this request. Other requests slow down only if many responses are 429 (see `pace`).
    const { retryAfterMs } = action
    await engine.releaseSlotWhile(() =>
      retryAfterMs === undefined
        ? backOff(this.#run, task.tries)
        : this.#limits.during(retryAfterMs, () => clock.sleep(retryAfterMs, engine.halt)),
    )
    return [task]
  }

  /** Rejects the rows that a response names. The other rows are sent again, unless the user's answer list contains them. */
  async #rejectRows(
    queue: UserQueue,
    task: Task,
    intent: IntentRecord,
    reasons: Map<number, Reason>,
  ): Promise<Task[]> {
    for (const [at, reason] of reasons)
      this.#reject({ batch: task.batch, rows: task.rows.slice(at, at + 1) }, reason)
    const left = { ...task, rows: task.rows.filter((_, at) => !reasons.has(at)), isRemainder: true }
    try {
      if (left.rows.length > 0 && queue.hidden === undefined)
        return [await this.#reconciler.reconcile(queue, left, intent, 0, true)]
    } catch (error) {
      // Some API keys can save answers but not list them. In that case, all rows that the response does not name are sent again.
      if (!(error instanceof FacescanError) || !['unauthenticated', 'forbidden'].includes(error.code))
        throw error
    }
    closeIntent(this.#run, task, [])
    return [left]
  }

  #reject(part: Part, reason: Reason): void {
    recordFinal(this.#run, 'REJECT', part, reasonToKeep(reason, part.batch.user, answersOf(part)))
  }

  async #lookUpUser(queue: UserQueue, task: Task): Promise<Task[]> {
    const { clock, engine, service, usersAreNew } = this.#run
    closeIntent(this.#run, task, [])
    const found = await engine.releaseSlotWhile(() => service.lookUp(queue.user, this.#inTurn))
    if (found === 'wrong address') throw stopError(404)
    // A service may find a new user only after a moment, so the request is sent a second time.
    const isNew = usersAreNew && (found === 'unknown' || found === 'rejected')
    if ((found === 'exists' || isNew) && !task.isSecondLook) {
      await engine.releaseSlotWhile(() =>
        isNew ? clock.sleep(newUserMs, engine.halt) : backOff(this.#run, task.tries),
      )
      return [{ ...task, isSecondLook: true }]
    }
    queue.refusal = found
    if (found === 'refused') this.#usersNotLookedUp++
    return [task]
  }

  /** Splits a batch if a response rejects a row without naming it. Some rows may be applied. The request has ended, so no wait follows. */
  async #bisect(queue: UserQueue, task: Task, intent: IntentRecord): Promise<Task[]> {
    if (queue.hidden !== undefined) {
      closeIntent(this.#run, task, [])
      return split(task)
    }
    const left = await this.#reconcile(queue, { ...task, strikes: 0 }, intent, 0)
    return left.flatMap((rest) => (rest.rows.length > 1 ? split({ ...rest, strikes: 0 }) : [rest]))
  }

  /** Returns the rows to send again. A batch that fails repeatedly is split. A single row that fails repeatedly becomes unknown. */
  async #reconcile(queue: UserQueue, task: Task, intent: IntentRecord, settleMs: number): Promise<Task[]> {
    const left = await this.#reconciler.reconcile(queue, task, intent, settleMs)
    const noneApplied = left.rows.length === task.rows.length
    const strikes = noneApplied && this.#failing.size <= fewFailing ? task.strikes : 0
    if (strikes < strikesToGiveUp) return [{ ...left, strikes }]
    if (left.rows.length > 1) return split({ ...left, strikes: strikesToGiveUp - 1 })
    recordUnknown(this.#run, left, failsRepeatedly)
    return []
  }
}
