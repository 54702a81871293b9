import { FacescanError, NetworkError } from '../../base/errors.ts'
import type { IntentRecord, Work } from '../journal/record.ts'
import { keptRequests, type PartialBatch } from '../journal/state.ts'
import { paceResult } from '../pace/pace.ts'
import type { Batch } from '../types.ts'
import type { AttemptResult } from './attempt.ts'
import { ClockSampler } from './clock-sampler.ts'
import type { OutcomeHandler } from './outcome-handler.ts'
import type { Accepted } from './reconciler.ts'
import { ResponseCheck } from './response-check.ts'
import { SettleTime } from './settle-time.ts'
import { answersOf, closeIntent, type RunParts, recordIntent, type Task, zonesOf } from './task.ts'
import type { UserQueue } from './user-queue.ts'

/** Sends the batches of a queue, one request at a time, until each row has a final state. */
export class BatchSender {
  readonly #run: RunParts
  readonly settleTime: SettleTime
  readonly #startedAt: number
  /** Settle time of the previous run: how long its requests may still be applied. */
  readonly #earlierSettleMs: number
  readonly responses: ResponseCheck
  readonly #sampler: ClockSampler
  readonly #earlierSeconds: number
  requests: number
  /** Number of requests that repeated rows of an earlier request, in all runs. */
  retried: number
  /** Number of rows that this process has sent. A row that was sent again counts once. */
  rowsSent = 0
  /** The latest accepted requests whose answers can be listed with the API key. */
  readonly recent: Accepted[] = []
  /** Loaded at the first checkpoint, or after the first response that does not confirm the sent answers. */
  outcomes: OutcomeHandler | undefined

  constructor(run: RunParts, hasBothIds: boolean) {
    const { checkpoint, work } = run.journal.state
    this.#run = run
    this.#earlierSeconds = work.seconds
    this.requests = work.requests
    this.retried = work.retried
    this.settleTime = new SettleTime(run.timeoutMs)
    this.#startedAt = run.clock.monotonic()
    this.#earlierSettleMs = checkpoint?.settleMs ?? 0
    this.responses = new ResponseCheck(hasBothIds)
    this.#sampler = new ClockSampler(run)
  }

  /** Monotonic time in ms after which requests of earlier runs can no longer be applied: the start of this run plus the settle time. */
  get earlierSettledAt(): number {
    return this.#startedAt + Math.max(this.settleTime.ms, this.#earlierSettleMs)
  }

  get work(): Work {
    const ms = 1000 * this.#earlierSeconds + this.#run.clock.monotonic() - this.#startedAt
    return { requests: this.requests, retried: this.retried, seconds: Math.round(ms) / 1000 }
  }

  /** Records the number of rows in each state, and the facts that a resumed run needs. */
  checkpoint(ended?: 'finished' | 'stopped'): void {
    const { journal, serviceClock } = this.#run
    const { measured: clock, listsLate, listsHistory } = serviceClock
    const lists = { listsLate: listsLate || undefined, listsHistory: listsHistory || undefined }
    const known = { settleMs: this.settleTime.ms, clock, ...lists, work: this.work }
    journal.checkpoint(serviceClock.now(), known, ended)
  }

  /** Sends rows of a batch. `earlier` is the state of the batch after an earlier run. */
  async send(queue: UserQueue, batch: Batch, rows: readonly number[], earlier?: PartialBatch): Promise<void> {
    const whole: Task = { batch, rows, tries: 0, strikes: 0, isRemainder: false, isSent: false, history: [] }
    const { open, unconfirmed } = earlier ?? {}
    const todo = open
      ? await (await this.loadOutcomes()).takeOver(queue, { ...whole, unconfirmed }, open)
      : [whole]
    for (let task = todo.shift(); task !== undefined; task = todo.shift()) {
      if (queue.refusal !== undefined) this.outcomes?.refuse(task, queue.refusal)
      else if (task.rows.length > 0) todo.unshift(...(await this.#attempt(queue, task)))
    }
  }

  async loadOutcomes(): Promise<OutcomeHandler> {
    const { OutcomeHandler } = await import('./outcome-handler.ts')
    this.outcomes ??= new OutcomeHandler(this.#run, this)
    return this.outcomes
  }

  async #attempt(queue: UserQueue, task: Task): Promise<Task[]> {
    const { clock, serviceClock, engine } = this.#run
    const sample = await this.#sampler.begin(queue, task)
    const intent = await this.#intend(queue, task)
    if (!task.isSent) this.rowsSent += task.rows.length
    task.isSent = true
    const startedAt = clock.now()
    const from = serviceClock.now()
    const outcome = await this.#send(task)
    const to = serviceClock.now()
    const isSuccess = !(outcome instanceof NetworkError) && outcome.status < 300
    const reply = isSuccess ? outcome : undefined
    const problem = reply && this.responses.problemIn(reply, queue, answersOf(task))
    if (reply && problem === undefined) {
      this.outcomes?.answered()
      closeIntent(this.#run, task, task.rows, queue.ownHash)
      queue.add(task.batch.id, intent, answersOf(task), serviceClock.now())
      this.remember({ queue, part: task, intent, at: clock.monotonic() })
      if (sample) await this.#sampler.end(sample, queue, task, { from, to })
      if (sample && (serviceClock.measured || serviceClock.listsLate)) this.checkpoint()
      return []
    }
    if (sample) await this.#sampler.end(sample, queue, task)
    const sent = { task, intent, startedAt, tookMs: clock.now() - startedAt }
    if (reply === undefined || problem === undefined)
      return (await this.loadOutcomes()).after(queue, sent, outcome)
    const reason = this.responses.noteProblem(reply, problem)
    // The engine stops first, so that no further request starts while the unconfirmed response is recorded.
    if (reason !== undefined) engine.stop(reason)
    return (await this.loadOutcomes()).afterUnconfirmed(queue, sent, reply, problem, reason)
  }

  /** Waits until the request may start and its intent (the record of the planned request) is on disk. */
  async #intend(queue: UserQueue, task: Task): Promise<IntentRecord> {
    const { lock, engine, serviceClock } = this.#run
    const { pace } = engine
    const isRetry = task.tries > 0
    // The intent is written before the request waits for the rate limit. After a crash, the list of answers shows whether the request was
    // sent. If the answers cannot be listed, the intent is written after the wait.
    const early = queue.hidden === undefined
    if (!early) await pace.enter(isRetry)
    lock.ensureHeld()
    const { intent, durable } = recordIntent(
      this.#run,
      task,
      queue.chainAt(serviceClock.now(), task.batch.id, 2 * serviceClock.confusableMs(zonesOf(task))),
    )
    try {
      await durable
      if (early) await pace.enter(isRetry)
      if (engine.halt.aborted) pace.leave(isRetry, { kind: 'canceled' })
      engine.halt.throwIfAborted()
      lock.ensureHeld()
    } catch (reason) {
      // The request was not sent, so its intent is closed without applied rows.
      closeIntent(this.#run, task, [])
      throw reason
    }
    return intent
  }

  async #send(task: Task): Promise<AttemptResult> {
    const { service, serviceClock, clock, engine } = this.#run
    const { pace } = engine
    const isRetry = task.tries > 0
    this.requests++
    if (isRetry) this.retried++
    const startedAt = clock.monotonic()
    try {
      const outcome = await service.send(task.batch.user, answersOf(task))
      const latencyMs = clock.monotonic() - startedAt
      if (!(outcome instanceof NetworkError)) {
        this.settleTime.add(latencyMs)
        serviceClock.observe(outcome.headers['date'], latencyMs)
      }
      pace.leave(isRetry, paceResult(outcome, latencyMs, clock.now()))
      return outcome
    } catch (error) {
      pace.leave(isRetry, { kind: 'canceled' })
      if (error instanceof FacescanError && error.details.applied === 'no') closeIntent(this.#run, task, [])
      throw error
    }
  }

  remember(request: Accepted): void {
    if (request.queue.hidden !== undefined) return
    this.recent.push(request)
    if (this.recent.length > keptRequests) this.recent.shift()
  }
}
