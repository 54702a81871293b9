import { FacescanError, NetworkError } from '../../errors.ts'
import type { Clock } from '../../io.ts'
import { parseRetryAfter } from '../../retry-after.ts'
import type { IntentRecord } from '../journal/record.ts'
import type { Pace, PaceResult } from '../pace/pace.ts'
import type { Batch } from '../types.ts'
import type { AddressCheck } from './address-check.ts'
import type { Cause } from './causes.ts'
import type { Lane } from './lane.ts'
import { Latencies } from './latencies.ts'
import { answersOf, type Ledger } from './ledger.ts'
import { type Action, decide, stop } from './outcomes.ts'
import { compare } from './reconcile.ts'
import type { AnswerService, Listing, Reply } from './service.ts'
import type { ServiceClock } from './service-clock.ts'
import { skewMs } from './service-clock.ts'
import {
  blamedCause,
  split,
  type Task,
  triedOnceMore,
  unprovableCause,
  unprovenCause,
  wholeTask,
} from './task.ts'

/** What happens to rows of which nobody can tell whether they were saved. */
export type OnAmbiguous = 'hold' | 'resend' | 'skip'

export interface DeliveryOptions {
  service: AnswerService
  serviceClock: ServiceClock
  ledger: Ledger
  pace: Pace
  address: AddressCheck
  clock: Clock
  random(): number
  /** For one request. */
  timeoutMs: number
  onAmbiguous: OnAmbiguous
  /** Only ever false in a test, to show that settling is what prevents duplicates. */
  settles: boolean
  /** The settle time of the run before this one, whose requests may still be under way. */
  earlierSettleMs: number
  /** Aborted when nothing new may be sent. */
  halt: AbortSignal
  /** Does `wait` while the lane gives its place to others. */
  aside<T>(wait: () => Promise<T>): Promise<T>
}

const strikesToBlame = 3
/** When more batches than this fail and none goes through, it is the service, not a batch. */
const fewFailing = 2
const firstBackoffMs = 200
const longestBackoffMs = 10_000

/** Brings batches to the service, one lane at a time in order, until every row has its state. */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #latencies = new Latencies()
  readonly #startedAt: number
  /** Batches that failed since the service last answered anything. */
  readonly #failing = new Set<number>()
  /** Requests after the first for the same rows. */
  retried = 0
  requests = 0

  constructor(options: DeliveryOptions) {
    this.#options = options
    this.#startedAt = options.clock.now()
  }

  /** How long a request whose outcome is not known may still be applied, in ms. */
  get settleMs(): number {
    return Math.max(this.#options.timeoutMs, 2 * this.#latencies.p99())
  }

  /** Delivers rows of a batch; `open` is the intent that an earlier run left without an answer. */
  async deliver(lane: Lane, batch: Batch, rows: readonly number[], open?: IntentRecord): Promise<void> {
    const whole = wholeTask({ batch, rows })
    const todo = open ? await this.#takeOver(lane, whole, open) : [whole]
    for (let task = todo.shift(); task !== undefined; task = todo.shift()) {
      if (lane.gone) this.#options.ledger.finish('REJECT', task, lane.gone)
      else todo.unshift(...(await this.#attempt(lane, task)))
    }
  }

  /** What another process may have sent is settled from the moment that this one knows it to be gone. */
  async #takeOver(lane: Lane, whole: Task, open: IntentRecord): Promise<Task[]> {
    const sent = new Set(open.part ?? whole.batch.rows.keys())
    const under = { ...whole, rows: whole.rows.filter((at) => sent.has(at)), tries: 1 }
    const others = { ...whole, rows: whole.rows.filter((at) => !sent.has(at)) }
    const later = others.rows.length > 0 ? [others] : []
    if (under.rows.length === 0) {
      this.#options.ledger.acknowledge(under, [])
      return later
    }
    const { clock, earlierSettleMs } = this.#options
    const settledAt = this.#startedAt + Math.max(this.settleMs, earlierSettleMs)
    const left = await this.#reconcile(lane, under, open, Math.max(0, settledAt - clock.now()))
    return [...left, ...later]
  }

  /** One request; answers with what is left to do, in order. */
  async #attempt(lane: Lane, task: Task): Promise<Task[]> {
    const { ledger, pace, halt } = this.#options
    const isRetry = task.tries > 0
    // Where an intent without an answer can be looked up, it is made durable while the request waits for its turn.
    const early = lane.user.kind === 'external_user_id'
    if (!early) await pace.enter(isRetry)
    const intent = await this.#intend(lane, task)
    if (early) {
      await pace.enter(isRetry).catch((reason) => {
        ledger.acknowledge(task, [])
        throw reason
      })
    }
    if (halt.aborted) {
      pace.leave(isRetry, { kind: 'cancelled' })
      ledger.acknowledge(task, [])
      throw halt.reason
    }
    this.requests++
    if (isRetry) this.retried++
    const outcome = await this.#send(task, isRetry)
    return this.#act(lane, triedOnceMore(task), intent, decide(outcome, task.rows.length))
  }

  #intend(lane: Lane, task: Task): Promise<IntentRecord> {
    const { ledger, serviceClock } = this.#options
    return ledger.intend(task, lane.chainAt(serviceClock.now(), task.batch.id))
  }

  async #send(task: Task, isRetry: boolean): Promise<Reply | NetworkError> {
    const { service, serviceClock, pace, clock } = this.#options
    const startedAt = clock.now()
    try {
      const reply = await service.send(task.batch.user, answersOf(task))
      const latencyMs = clock.now() - startedAt
      this.#latencies.add(latencyMs)
      serviceClock.observe(reply.headers['date'])
      pace.leave(isRetry, paceResult(reply, latencyMs, clock.now()))
      return reply
    } catch (error) {
      pace.leave(isRetry, { kind: error instanceof NetworkError ? 'failed' : 'cancelled' })
      if (error instanceof NetworkError) return error
      throw error
    }
  }

  async #act(lane: Lane, task: Task, intent: IntentRecord, action: Action): Promise<Task[]> {
    const { ledger, address, serviceClock } = this.#options
    if (action.do !== 'reconcile') this.#failing.clear()
    else {
      this.#failing.add(task.batch.id)
      return this.#reconcile(lane, task, intent, this.settleMs)
    }
    if (action.do === 'accept') {
      address.prove()
      ledger.acknowledge(task, task.rows)
      lane.add(task.batch.id, intent, answersOf(task), serviceClock.now())
      return []
    }
    if (action.do === 'reject user') return this.#rejectUser(lane, task, action.cause)
    if (action.do !== 'stop' && action.do !== 'retry' && action.do !== 'slow down') address.prove()
    if (action.do === 'reject' && !task.isRemainder) return this.#rejectRows(task, action.rows)
    if (action.do === 'reject' && task.rows.length === 1) return this.#rejectRows(task, action.rows)
    if (action.do === 'reject' || action.do === 'bisect') return this.#bisect(lane, task, intent)
    ledger.acknowledge(task, [])
    if (action.do === 'stop') throw action.error
    if (action.do === 'halve') return this.#halve(task, action.cause)
    if (action.do === 'retry') await this.#backOff(task.tries)
    return [task]
  }

  #rejectRows(task: Task, causes: Map<number, Cause>): Task[] {
    const { ledger } = this.#options
    const left = task.rows.filter((_, at) => !causes.has(at))
    for (const [at, cause] of causes)
      ledger.finish('REJECT', { ...task, rows: task.rows.slice(at, at + 1) }, cause)
    ledger.acknowledge(task, [])
    return left.length === 0 ? [] : [{ ...task, rows: left, isRemainder: true }]
  }

  async #rejectUser(lane: Lane, task: Task, cause: Cause): Promise<Task[]> {
    const { ledger, address, aside, halt } = this.#options
    const isRight = await aside(() => address.missing())
    const blamed = isRight && !halt.aborted
    if (blamed) {
      lane.gone = cause
      ledger.finish('REJECT', task, cause)
    }
    ledger.acknowledge(task, [])
    if (blamed) return []
    halt.throwIfAborted()
    const { error } = stop(404)
    throw new FacescanError(error.code, 'the first 20 answers of the service were all 404', error.details)
  }

  #halve(task: Task, cause: Cause): Task[] {
    if (task.rows.length > 1) return split(task)
    this.#options.ledger.finish('REJECT', task, cause)
    return []
  }

  /** The reply was final, so nothing has to settle; but part of the batch may have been applied. */
  async #bisect(lane: Lane, task: Task, intent: IntentRecord): Promise<Task[]> {
    if (lane.user.kind !== 'external_user_id') {
      this.#options.ledger.acknowledge(task, [])
      return split(task)
    }
    const left = await this.#reconcile(lane, { ...task, strikes: 0 }, intent, 0)
    return left.flatMap((rest) => (rest.rows.length > 1 ? split({ ...rest, strikes: 0 }) : [rest]))
  }

  async #reconcile(lane: Lane, task: Task, intent: IntentRecord, settleMs: number): Promise<Task[]> {
    const { ledger, serviceClock, aside } = this.#options
    const listing = await aside(() => this.#look(lane, settleMs))
    if (!listing.usable) return this.#giveUpKnowing(task, listing.why)
    const sent = answersOf(task)
    const since = (intent.since ?? intent.at) - skewMs
    const { applied, missing, unprovable } = compare(sent, listing.answers, since, lane.applied)
    const rowsAt = (positions: number[]) => positions.flatMap((at) => task.rows[at] ?? [])
    ledger.finish('UNKNOWN', { ...task, rows: rowsAt(unprovable) }, unprovableCause)
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
    if (lane.user.kind !== 'external_user_id')
      return { usable: false, why: 'answers can be listed by external_user_id only' }
    if (settles && settleMs > 0) await clock.sleep(settleMs, halt)
    if (!serviceClock.isKnown) return { usable: false, why: 'the service does not tell its time' }
    for (let tries = 1; ; tries++) {
      halt.throwIfAborted()
      const listing = await service.list(lane.user)
      if (listing !== 'unavailable') return listing
      await this.#backOff(tries)
    }
  }

  #giveUpKnowing(task: Task, why: string): Task[] {
    const { ledger, onAmbiguous } = this.#options
    if (onAmbiguous !== 'resend') ledger.finish('UNKNOWN', task, unprovenCause(why))
    ledger.acknowledge(task, [])
    return onAmbiguous === 'resend' ? this.#again(task, true) : []
  }

  async #backOff(tries: number): Promise<void> {
    const { clock, random, halt } = this.#options
    const longest = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1))
    await clock.sleep(longest * (0.5 + random() / 2), halt)
  }
}

function paceResult({ status, headers }: Reply, latencyMs: number, now: number): PaceResult {
  if (status === 429) return { kind: 'refused', retryAfterMs: parseRetryAfter(headers, now) }
  return status >= 500 ? { kind: 'failed' } : { kind: 'answered', latencyMs }
}
