import { setMaxListeners } from 'node:events'
import type { Clock } from '../../base/io.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalState, UnevenBatch } from '../journal/state.ts'
import { Pace } from '../pace/pace.ts'
import type { Batch, CheckedInput } from '../types.ts'
import { AddressCheck } from './address-check.ts'
import { Delivery } from './delivery.ts'
import type { OnAmbiguous } from './inquiry.ts'
import { Lane } from './lane.ts'
import { Ledger, type ResultFiles } from './ledger.ts'
import { serviceAway } from './outcomes.ts'
import { unfinishedRows, withTheirChains } from './resumption.ts'
import type { AnswerService } from './service.ts'
import type { ServiceClock } from './service-clock.ts'

export interface RunOptions {
  input: Pick<CheckedInput, 'batches' | 'hasBothIds'>
  results: ResultFiles
  journal: Journal
  state: JournalState
  service: AnswerService
  serviceClock: ServiceClock
  clock: Clock
  random(): number
  timeoutMs: number
  maxConcurrency: number
  rate?: number | undefined
  onAmbiguous: OnAmbiguous
  settles?: boolean
  patienceMs?: number
  /** The first request to stop: nothing new is sent, what is in flight is waited for. */
  drain: AbortSignal
}

/** Why a run ended: nothing is left to do, or the error that says why not. */
export type RunEnd = { done: true } | { done: false; error: unknown }

/** Users at work for each request in flight: those ahead have their intents made durable meanwhile, many at a time. */
const usersPerRequest = 4
const queuedBatchesOfOneUser = 100
const lanesSetAside = 10_000
const defaultPatienceMs = 10 * 60_000

/** Sends every batch that is not done yet: one request a user at a time, as many users as the pace allows. */
export class Run {
  readonly #options: RunOptions
  readonly #halt = new AbortController()
  readonly #address: AddressCheck
  readonly ledger: Ledger
  readonly pace: Pace
  readonly delivery: Delivery
  #lane: Lane | undefined
  #running = 0
  #active = 0
  #aside = 0
  #reading = true
  #allRows: readonly number[] = []
  #wake: (() => void) | undefined

  constructor(options: RunOptions) {
    this.#options = options
    const { journal, state, results, service, serviceClock, clock, random } = options
    // Every lane that waits listens for the halt.
    setMaxListeners(0, this.#halt.signal)
    this.#address = new AddressCheck(state.totals.accepted > 0)
    this.ledger = new Ledger({ journal, state, results, now: () => serviceClock.now() })
    const { patienceMs = defaultPatienceMs } = options
    this.pace = new Pace({
      ...options,
      probe: () => service.probe(),
      patienceMs,
      giveUp: () => this.#stop(serviceAway()),
      signal: this.#halt.signal,
    })
    this.delivery = new Delivery({
      service,
      serviceClock,
      ledger: this.ledger,
      pace: this.pace,
      address: this.#address,
      clock,
      random,
      timeoutMs: options.timeoutMs,
      onAmbiguous: options.onAmbiguous,
      settles: options.settles ?? true,
      patienceMs,
      earlierSettleMs: state.checkpoint?.settleMs ?? 0,
      halt: this.#halt.signal,
      aside: (wait) => this.#setAside(wait),
    })
  }

  /** Users of whom something is to be found out before they may go on. */
  get waiting(): number {
    return this.#aside
  }

  /** Resolves once nothing is under way any more. */
  async finish(): Promise<RunEnd> {
    const { drain } = this.#options
    const stop = () => this.#stop(drain.reason)
    if (drain.aborted) stop()
    drain.addEventListener('abort', stop, { once: true })
    try {
      await this.#learnTime()
      this.ledger.checkpoint(this.delivery.settleMs)
      await this.#read()
    } catch (error) {
      this.#stop(error)
    }
    this.#reading = false
    this.#endAddressCheck()
    while (this.#running > 0) await this.#move()
    drain.removeEventListener('abort', stop)
    const { signal } = this.#halt
    return signal.aborted ? { done: false, error: signal.reason } : { done: true }
  }

  /** Intents carry the service's time, against which the answers that it lists are compared. */
  async #learnTime(): Promise<void> {
    const { service, serviceClock, clock, patienceMs = defaultPatienceMs } = this.#options
    if (serviceClock.isKnown) return
    const startedAt = clock.monotonic()
    for (let waitMs = 200; !(await service.probe()); waitMs = Math.min(10_000, waitMs * 2)) {
      if (clock.monotonic() - startedAt > patienceMs) throw serviceAway()
      await clock.sleep(waitMs, this.#halt.signal)
    }
  }

  async #read(): Promise<void> {
    const { input, state } = this.#options
    const earlier = state.takeRecent()
    const lookedAt = withTheirChains(state, earlier)
    for await (const batch of input.batches((id) => state.done.has(id) && !lookedAt.has(id))) {
      const lane = this.#laneOf(batch)
      if (state.done.has(batch.id)) {
        const known = earlier.get(batch.id)
        lane.add(batch.id, known?.intent, batch.rows, known?.ackAt)
        continue
      }
      lane.queue.push(batch)
      if (!lane.isRunning) this.#start(lane)
      while (!this.#halt.signal.aborted && this.#isFull(lane)) await this.#move()
      if (this.#halt.signal.aborted) return
    }
  }

  #isFull(lane: Lane): boolean {
    return (
      this.#active >= this.#options.maxConcurrency * usersPerRequest ||
      this.#aside >= lanesSetAside ||
      // The verdict may have to come from the users after this one.
      (lane.queue.length >= queuedBatchesOfOneUser && !lane.awaitsVerdict)
    )
  }

  /** A user's batches follow one another, so that only the last lane can be continued. */
  #laneOf({ user }: Batch): Lane {
    const last = this.#lane
    if (last !== undefined && last.user.id === user.id && last.user.kind === user.kind) return last
    this.#lane = new Lane(user, this.#options.input.hasBothIds)
    return this.#lane
  }

  #start(lane: Lane): void {
    lane.isRunning = true
    this.#running++
    this.#active++
    void this.#drainLane(lane)
  }

  async #drainLane(lane: Lane): Promise<void> {
    try {
      for (let batch = lane.queue[0]; batch !== undefined; batch = lane.queue[0]) {
        this.#halt.signal.throwIfAborted()
        await this.#deliver(lane, batch)
        lane.queue.shift()
        this.#moved()
      }
    } catch (error) {
      this.#stop(error)
    }
    // In the same turn in which the queue was seen empty: what is queued later starts the lane anew.
    lane.isRunning = false
    this.#running--
    this.#active--
    this.#moved()
  }

  #deliver(lane: Lane, batch: Batch): Promise<void> | undefined {
    const uneven = this.#options.state.uneven.get(batch.id)
    if (uneven) this.#recall(lane, batch, uneven)
    const rows = uneven ? unfinishedRows(batch, uneven) : this.#positions(batch.rows.length)
    if (rows.length === 0 && !uneven?.open) return undefined
    return this.delivery.deliver(lane, batch, rows, uneven?.open)
  }

  /** Of all rows of a batch: most batches have as many as the one before. */
  #positions(count: number): readonly number[] {
    if (this.#allRows.length !== count) this.#allRows = Array.from({ length: count }, (_, at) => at)
    return this.#allRows
  }

  /** What an earlier run made of a batch: into the result files with it. */
  #recall(lane: Lane, batch: Batch, { finals, accepted, acked }: UnevenBatch): void {
    for (const { type, part, code, message } of finals) {
      this.ledger.report(type, { batch, rows: part }, { code, message })
    }
    const answers = accepted.flatMap((at) => batch.rows[at] ?? [])
    if (acked) lane.add(batch.id, acked.intent, answers, acked.ackAt)
  }

  async #setAside<T>(wait: () => Promise<T>): Promise<T> {
    this.#active--
    this.#aside++
    const waited = wait()
    this.#endAddressCheck()
    this.#moved()
    try {
      return await waited
    } finally {
      this.#aside--
      this.#active++
    }
  }

  /** When nobody is left who could prove the address, unknown users are just that. */
  #endAddressCheck(): void {
    if (!this.#reading && this.#address.waiting === this.#running) this.#address.prove()
  }

  /** Resolves when anything has moved. */
  #move(): Promise<void> {
    return new Promise((go) => (this.#wake = go))
  }

  #moved(): void {
    this.#endAddressCheck()
    this.#wake?.()
    this.#wake = undefined
  }

  #stop(reason: unknown): void {
    // The first reason is the one that counts; what fails afterwards fails because of it.
    if (!this.#halt.signal.aborted) this.#halt.abort(reason)
    this.#address.prove()
    this.#moved()
  }
}
