import type { Clock } from '../../base/io.ts'
import type { CheckedInput } from '../check.ts'
import { Engine, type EngineEnd } from '../engine/engine.ts'
import type { Journal } from '../journal/journal.ts'
import type { Acknowledged, JournalState, PartialBatch } from '../journal/state.ts'
import { Pace, patienceMs } from '../pace/pace.ts'
import type { Batch } from '../types.ts'
import type { WriterRegister } from '../writers/register.ts'
import { Delivery } from './delivery.ts'
import { Lane } from './lane.ts'
import { Ledger, type ResultFiles } from './ledger.ts'
import { serviceUnavailable } from './outcomes.ts'
import type { OnAmbiguous } from './reconciler.ts'
import type { AnswerService } from './service.ts'
import type { ServiceClock } from './service-clock.ts'

export interface RunOptions {
  input: Pick<CheckedInput, 'batches' | 'hasBothIds'>
  results: ResultFiles
  journal: Journal
  state: JournalState
  service: AnswerService
  serviceClock: ServiceClock
  register: Pick<WriterRegister, 'others'>
  clock: Clock
  random(): number
  timeoutMs: number
  maxConcurrency: number
  rate?: number | undefined
  onAmbiguous: OnAmbiguous
  drain: AbortSignal
}

/** Several users per request in flight, so that their intents become durable together. */
const usersPerRequest = 4

/** Sends all batches that are not done. */
export class Run {
  readonly #options: RunOptions
  readonly #engine: Engine<Batch, Lane>
  readonly ledger: Ledger
  readonly pace: Pace
  readonly delivery: Delivery

  constructor(options: RunOptions) {
    this.#options = options
    const { journal, state, results, service, serviceClock, maxConcurrency, drain } = options
    const engine = new Engine<Batch, Lane>({
      items: () => this.#unsent(),
      process: (lane, batch) => this.#deliver(lane, batch),
      maxActive: maxConcurrency * usersPerRequest,
      drain,
    })
    this.#engine = engine
    const { halt } = engine
    this.ledger = new Ledger({ journal, state, results, now: () => serviceClock.now() })
    this.pace = new Pace({
      ...options,
      probe: () => service.probe(),
      giveUp: () => engine.stop(serviceUnavailable()),
      signal: halt,
    })
    this.delivery = new Delivery({
      ...options,
      ledger: this.ledger,
      pace: this.pace,
      isAddressProven: state.totals.accepted > 0,
      earlierSettleMs: state.checkpoint?.settleMs ?? 0,
      halt,
      setAside: (wait) => engine.setAside(wait),
    })
  }

  get waiting(): number {
    return this.#engine.waiting
  }

  async finish(): Promise<EngineEnd> {
    const end = await this.#engine.run(async () => {
      await this.#learnTime()
      this.ledger.checkpoint(this.delivery.settleMs)
    })
    if (end.done) this.delivery.proveAddress()
    return end
  }

  /** Intents contain the service's time. */
  async #learnTime(): Promise<void> {
    const { service, serviceClock, clock } = this.#options
    if (serviceClock.isKnown) return
    const startedAt = clock.monotonic()
    for (let waitMs = 200; !(await service.probe()); waitMs = Math.min(10_000, waitMs * 2)) {
      if (clock.monotonic() - startedAt > patienceMs) throw serviceUnavailable()
      await clock.sleep(waitMs, this.#engine.halt)
    }
  }

  /** The batches of a user are consecutive. */
  async *#unsent(): AsyncGenerator<{ lane: Lane; item: Batch }> {
    const { input, state } = this.#options
    const earlier = state.takeRecent()
    const replayed = batchesToReplay(state, earlier)
    let lane: Lane | undefined
    for await (const batch of input.batches((id) => state.done.has(id) && !replayed.has(id))) {
      const { kind, id } = batch.user
      if (lane?.user.id !== id || lane.user.kind !== kind) lane = new Lane(batch.user, input.hasBothIds)
      const known = earlier.get(batch.id)
      if (state.done.has(batch.id)) lane.add(batch.id, known?.intent, batch.rows, known?.ackAt)
      else yield { lane, item: batch }
    }
  }

  #deliver(lane: Lane, batch: Batch): Promise<void> | undefined {
    const partial = this.#options.state.partial.get(batch.id)
    if (partial) this.#recall(lane, batch, partial)
    const rows = partial ? unfinishedRows(batch, partial) : [...batch.rows.keys()]
    if (rows.length === 0 && !partial?.open) return undefined
    return this.delivery.deliver(lane, batch, rows, partial?.open)
  }

  /** Repeats the results of earlier runs in the result files and the lane. */
  #recall(lane: Lane, batch: Batch, { finals, accepted, acked }: PartialBatch): void {
    const answersAt = (positions: readonly number[]) => positions.flatMap((at) => batch.rows[at] ?? [])
    for (const { type, part, code, message } of finals) {
      this.ledger.report(type, { batch, rows: part }, { code, message })
      if (type === 'UNKNOWN') lane.doubt(answersAt(part), this.#options.state.lastAt)
    }
    if (acked) lane.add(batch.id, acked.intent, answersAt(accepted), acked.ackAt)
  }
}

/** Accepted batches whose answers are needed to judge a later batch. */
export function batchesToReplay(
  { partial }: Pick<JournalState, 'partial'>,
  recent: ReadonlyMap<number, Acknowledged>,
): Set<number> {
  const ids = new Set(recent.keys())
  const intents = [...recent.values()].map(({ intent }) => intent)
  for (const { open, acked } of partial.values()) {
    if (open) intents.push(open)
    if (acked) intents.push(acked.intent)
  }
  for (const { batch, chain = 0 } of intents) {
    for (let id = batch - chain; id < batch; id++) ids.add(id)
  }
  return ids
}

/** Rows without a final state. */
export function unfinishedRows(batch: Batch, { accepted, finals }: PartialBatch): number[] {
  const finished = new Set([...accepted, ...finals.flatMap(({ part }) => part)])
  return [...batch.rows.keys()].filter((at) => !finished.has(at))
}
