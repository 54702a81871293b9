import { FacescanError, NetworkError } from '../../base/errors.ts'
import type { WireResponse } from '../../http/wire.ts'
import type { CheckpointRecord, IntentRecord } from '../journal/record.ts'
import type { PartialBatch } from '../journal/state.ts'
import { paceResult } from '../pace/pace.ts'
import type { Batch, Reason } from '../types.ts'
import { ClockSampler } from './clock-sampler.ts'
import { type Action, type AttemptResult, decide, describeOutcome, stopError } from './outcomes.ts'
import { Reconciler } from './reconciler.ts'
import { ResponseCheck } from './response-check.ts'
import { answersOf, type Part, zonesOf } from './row-recorder.ts'
import type { RunParts } from './run-parts.ts'
import { settleTimeMs } from './settle-time.ts'
import { split, type Task, withEvent } from './task.ts'
import type { UserQueue } from './user-queue.ts'
import { Latencies, WorkCounter } from './work-counter.ts'

/** Weight of a failure without a response. The weight is low, because a row rarely causes a lost connection. */
const strikeWithoutReply = 0.25

const notFound: Readonly<Record<'unknown' | 'exists', Reason>> = {
  unknown: { code: 'refused_404', message: 'user not found' },
  exists: {
    code: 'refused_404',
    message: 'the service did not find the user (404), although the user exists',
  },
}
type RefusedAction = Exclude<Action, { do: 'accept' }>

/** Sends the batches of a queue, one request at a time, until each row has a state. */
export class BatchSender {
  readonly #run: RunParts
  readonly #latencies = new Latencies()
  readonly #startedAt: number
  /** Settle time of the previous run: how long its requests may still be applied. */
  readonly #earlierSettleMs: number
  readonly #reconciler: Reconciler
  readonly #responses: ResponseCheck
  readonly #sampler: ClockSampler
  /** Number of users whose rows stay unsent. */
  usersNotLookedUp = 0
  readonly work: WorkCounter

  constructor(run: RunParts, hasBothIds: boolean) {
    const { checkpoint } = run.journal.state
    this.#run = run
    this.work = new WorkCounter(run)
    this.#startedAt = run.clock.monotonic()
    this.#earlierSettleMs = checkpoint?.settleMs ?? 0
    this.#reconciler = new Reconciler(run)
    this.#responses = new ResponseCheck(hasBothIds)
    this.#sampler = new ClockSampler(run, this.#reconciler)
  }

  /** Time in ms within which a request with an unknown outcome may still be applied. */
  get settleMs(): number {
    return settleTimeMs(this.#run.timeoutMs, this.#latencies.p99())
  }

  /** Reasons for waits, for the progress line. */
  get waits() {
    const { checks, limits } = this.#reconciler
    return { checking: checks.state, limited: limits.state }
  }

  get known(): Pick<CheckpointRecord, 'settleMs' | 'clock' | 'listsLate' | 'work'> {
    const { measured: clock, listsLate } = this.#run.serviceClock
    return { settleMs: this.settleMs, clock, listsLate: listsLate || undefined, work: this.work.total }
  }

  /** Sends rows of a batch. `earlier` is the state of the batch after an earlier run. */
  async send(queue: UserQueue, batch: Batch, rows: readonly number[], earlier?: PartialBatch): Promise<void> {
    const whole: Task = { batch, rows, tries: 0, strikes: 0, isRemainder: false, isSent: false, history: [] }
    const { open, unconfirmed } = earlier ?? {}
    const todo = open ? await this.#takeOver(queue, { ...whole, unconfirmed }, open) : [whole]
    for (let task = todo.shift(); task !== undefined; task = todo.shift()) {
      if (queue.refusal !== undefined) this.#refuse(task, queue.refusal)
      else if (task.rows.length > 0) todo.unshift(...(await this.#attempt(queue, task)))
    }
  }

  /** Checks rows that an earlier process may have sent. The settle time starts when that process is known to have ended. */
  async #takeOver(queue: UserQueue, whole: Task, open: IntentRecord): Promise<Task[]> {
    const sent = new Set(open.part ?? whole.batch.rows.keys())
    const event = `sent at ${new Date(open.at).toISOString()} by an earlier run`
    const rows = whole.rows.filter((at) => sent.has(at))
    const others = { ...whole, unconfirmed: undefined, rows: whole.rows.filter((at) => !sent.has(at)) }
    if (rows.length === 0) {
      this.#run.recorder.acknowledge(whole, [])
      return [others]
    }
    const settledAt = this.#startedAt + Math.max(this.settleMs, this.#earlierSettleMs)
    const leftMs = Math.max(0, settledAt - this.#run.clock.monotonic())
    const task = withEvent({ ...whole, rows, tries: 1 }, event)
    return [...(await this.#reconciler.reconcile(queue, task, open, leftMs)), others]
  }

  /** Sends one request. Returns the remaining tasks in order. */
  async #attempt(queue: UserQueue, task: Task): Promise<Task[]> {
    const { clock, serviceClock } = this.#run
    const sample = await this.#sampler.begin(queue, task)
    const intent = await this.#intend(queue, task)
    if (!task.isSent) this.work.rowsSent += task.rows.length
    task.isSent = true
    const startedAt = clock.now()
    const from = serviceClock.now()
    const outcome = await this.#send(task)
    const to = serviceClock.now()
    const action = decide(outcome, task.rows.length, clock.now())
    const unconfirmed =
      action.do === 'accept' ? this.#responses.problemIn(action.reply, queue, answersOf(task)) : undefined
    if (action.do === 'accept' && unconfirmed === undefined) {
      this.#accept(queue, task, intent)
      if (sample) await this.#sampler.end(sample, queue, task, { from, to })
      if (sample) this.#saveClock()
      return []
    }
    if (sample) await this.#sampler.end(sample, queue, task)
    if (action.do === 'accept') return this.#doubt(queue, { ...task, unconfirmed }, intent, action.reply)
    const event = `sent at ${new Date(startedAt).toISOString()}: ${describeOutcome(outcome)} after ${clock.now() - startedAt} ms`
    return this.#act(queue, withEvent({ ...task, tries: task.tries + 1 }, event), intent, action)
  }

  #saveClock(): void {
    const { journal, serviceClock } = this.#run
    if (serviceClock.measured || serviceClock.listsLate) journal.checkpoint(serviceClock.now(), this.known)
  }

  /** Waits until the request may start and its intent (the record of the planned request) is on disk. */
  async #intend(queue: UserQueue, task: Task): Promise<IntentRecord> {
    const { recorder, lock, engine, serviceClock } = this.#run
    const { pace } = engine
    const isRetry = task.tries > 0
    // The intent is written while the request waits for its turn. If the request is not sent, the list of the user's answers shows that.
    const early = queue.hidden === undefined
    if (!early) await pace.enter(isRetry)
    lock.ensureHeld()
    const { intent, durable } = recorder.intend(
      task,
      queue.chainAt(serviceClock.now(), task.batch.id, 2 * serviceClock.confusableMs(zonesOf(task))),
    )
    const allowed = early ? durable.then(() => pace.enter(isRetry)) : durable
    try {
      await allowed
      if (engine.halt.aborted) pace.leave(isRetry, { kind: 'canceled' })
      engine.halt.throwIfAborted()
      lock.ensureHeld()
    } catch (reason) {
      // The request was not sent, so its record is closed without applied rows.
      recorder.acknowledge(task, [])
      throw reason
    }
    return intent
  }

  async #send(task: Task): Promise<AttemptResult> {
    const { service, serviceClock, clock } = this.#run
    const { pace } = this.#run.engine
    const isRetry = task.tries > 0
    this.work.requests++
    if (isRetry) this.work.retried++
    const startedAt = clock.monotonic()
    try {
      const reply = await service.send(task.batch.user, answersOf(task))
      const latencyMs = clock.monotonic() - startedAt
      this.#latencies.add(latencyMs)
      serviceClock.observe(reply.headers['date'], latencyMs)
      pace.leave(isRetry, paceResult(reply, latencyMs, clock.now()))
      return reply
    } catch (error) {
      pace.leave(isRetry, { kind: error instanceof NetworkError ? 'failed' : 'canceled' })
      if (error instanceof NetworkError) return error
      if (error instanceof FacescanError && error.details.applied === 'no')
        this.#run.recorder.acknowledge(task, [])
      throw error
    }
  }

  /** Handles a response that does not confirm the answers. */
  async #doubt(queue: UserQueue, task: Task, intent: IntentRecord, reply: WireResponse): Promise<Task[]> {
    const { unconfirmed: why = '' } = task
    const { engine, recorder } = this.#run
    const reason = this.#responses.findStopReason(reply, why)
    // No further request may start while the record is written.
    if (reason !== undefined) engine.stop(reason)
    await recorder.doubt(task, why)
    const seen = withEvent(task, `${describeOutcome(reply)}: ${why}`)
    if (reason !== undefined) {
      this.#reconciler.reportOpen(seen)
      throw reason
    }
    return this.#reconciler.reconcile(queue, seen, intent, this.settleMs)
  }

  #accept(queue: UserQueue, task: Task, intent: IntentRecord): void {
    const { recorder, serviceClock } = this.#run
    this.#reconciler.answered()
    recorder.acknowledge(task, task.rows)
    queue.add(task.batch.id, intent, answersOf(task), serviceClock.now())
  }

  async #act(queue: UserQueue, task: Task, intent: IntentRecord, action: RefusedAction): Promise<Task[]> {
    const { engine, recorder } = this.#run
    const reconciler = this.#reconciler
    if (action.do === 'reconcile') {
      reconciler.failed(task.batch.id)
      const strikes = task.strikes + (action.failing ? 1 : strikeWithoutReply)
      return reconciler.reconcile(queue, { ...task, strikes }, intent, this.settleMs)
    }
    reconciler.answered()
    if (action.do === 'look up user') return this.#lookUpUser(queue, task)
    const isFirst = !task.isRemainder || task.rows.length === 1
    if (action.do === 'reject' && isFirst) return this.#rejectRows(task, action.rows)
    if (action.do === 'reject' || action.do === 'bisect') return reconciler.bisect(queue, task, intent)
    recorder.acknowledge(task, [])
    if (action.do === 'stop') throw action.error
    if (action.do === 'halve') return split(task)
    // Retry-After delays only this request. The pace decides whether other requests slow down.
    const { retryAfterMs } = action
    await engine.releaseSlotWhile(() => reconciler.delay(task.tries, retryAfterMs))
    return [task]
  }

  #rejectRows(task: Task, reasons: Map<number, Reason>): Task[] {
    const { recorder } = this.#run
    for (const [at, reason] of reasons)
      recorder.makeFinal('REJECT', { ...task, rows: task.rows.slice(at, at + 1) }, reason)
    recorder.acknowledge(task, [])
    return [{ ...task, rows: task.rows.filter((_, at) => !reasons.has(at)), isRemainder: true }]
  }

  async #lookUpUser(queue: UserQueue, task: Task): Promise<Task[]> {
    const { recorder, engine } = this.#run
    recorder.acknowledge(task, [])
    const found = await this.#reconciler.lookUp(queue)
    if (found === 'wrong address') throw stopError(404)
    // A service may find a new user only a moment later.
    if (found === 'exists' && !task.isSecondLook) {
      await engine.releaseSlotWhile(() => this.#reconciler.turns.backOff(task.tries))
      return [{ ...task, isSecondLook: true }]
    }
    queue.refusal = found
    if (found === 'refused') this.usersNotLookedUp++
    return [task]
  }

  /** Leaves the rows of a user unsent, because the lookup of the user was refused. */
  #refuse(part: Part, refusal: NonNullable<UserQueue['refusal']>): void {
    if (refusal !== 'refused') this.#run.recorder.makeFinal('REJECT', part, notFound[refusal])
  }
}
