import { backoffMs } from '../../base/clock.ts'
import type { CheckedInput } from '../check.ts'
import { Engine, type Pacing, type RunEnd } from '../engine/engine.ts'
import type { Acknowledged, JournalState, PartialBatch } from '../journal/state.ts'
import { patienceMs, serviceUnavailable } from '../pace/pace.ts'
import type { Batch } from '../types.ts'
import { BatchSender } from './batch-sender.ts'
import { notLookedUp } from './outcomes.ts'
import { unconfirmedCode } from './reconciler.ts'
import { type ResultFiles, RowRecorder } from './row-recorder.ts'
import type { RunParts } from './run-parts.ts'
import { UserQueue } from './user-queue.ts'

export interface RunOptions extends Omit<RunParts, 'recorder' | 'engine'>, Pacing {
  input: Pick<CheckedInput, 'batches' | 'hasBothIds'>
  results: ResultFiles
}

/** Number of users for each concurrent request. With several users, the records of planned requests are written together. */
const usersPerRequest = 8
const checkpointMs = 10_000

export class Run {
  readonly #options: RunOptions
  readonly #engine: Engine<Batch, UserQueue>
  readonly #recorder: RowRecorder
  readonly sender: BatchSender

  constructor(options: RunOptions) {
    this.#options = options
    const { journal, results, service, serviceClock } = options
    const { checkpoint } = journal.state
    serviceClock.recall(checkpoint?.clock)
    serviceClock.listsLate = checkpoint?.listsLate ?? false
    const engine = new Engine<Batch, UserQueue>({
      ...options,
      items: () => this.#unsent(),
      process: (queue, batch) => this.#send(queue, batch),
      queuesPerRequest: usersPerRequest,
      probe: () => service.probe(),
    })
    this.#engine = engine
    this.#recorder = new RowRecorder(journal, results, serviceClock)
    this.sender = new BatchSender({ ...options, recorder: this.#recorder, engine }, options.input.hasBothIds)
  }

  get pace(): Engine<Batch, UserQueue>['pace'] {
    return this.#engine.pace
  }

  /** Number of users whose rows wait for the outcome of an earlier request. */
  get waiting(): number {
    return this.#engine.waiting
  }

  /** Sends all unsent rows and closes the journal. */
  async execute(): Promise<RunEnd> {
    const { journal, serviceClock } = this.#options
    const checkpoints = setInterval(() => this.#checkpoint(), checkpointMs)
    const end = this.#check(await this.#engine.run())
    clearInterval(checkpoints)
    await journal.close(serviceClock.now(), this.sender.known, end.done ? 'finished' : 'stopped')
    return end
  }

  #check(end: RunEnd): RunEnd {
    const { usersNotLookedUp } = this.sender
    return end.done && usersNotLookedUp > 0 ? { done: false, error: notLookedUp(usersNotLookedUp) } : end
  }

  #checkpoint(): void {
    const { journal, serviceClock } = this.#options
    journal.checkpoint(serviceClock.now(), this.sender.known)
  }

  /** Reads the time of the service, which the record of each planned request contains. */
  async #learnTime(): Promise<void> {
    const { service, serviceClock, clock } = this.#options
    if (serviceClock.isKnown) return
    const startedAt = clock.monotonic()
    for (let tries = 1; !(await service.probe()); tries++) {
      if (clock.monotonic() - startedAt > patienceMs) throw serviceUnavailable()
      await clock.sleep(backoffMs(tries, { firstMs: 200, longestMs: 10_000 }), this.#engine.halt)
    }
  }

  /** Returns the unsent batches. The batches of a user are consecutive. */
  async *#unsent(): AsyncGenerator<{ queue: UserQueue; item: Batch }> {
    await this.#learnTime()
    this.#checkpoint()
    const { input, journal } = this.#options
    const { state } = journal
    const earlier = state.takeRecent()
    const replayed = batchesToReplay(state, earlier)
    let queue: UserQueue | undefined
    for await (const batch of input.batches()) {
      const isDone = state.done.has(batch.id)
      if (isDone && !replayed.has(batch.id)) continue
      const { kind, id } = batch.user
      if (queue?.user.id !== id || queue.user.kind !== kind)
        queue = new UserQueue(batch.user, input.hasBothIds)
      const known = earlier.get(batch.id)
      if (isDone) queue.add(batch.id, known?.intent, batch.rows, known?.ackAt)
      else yield { queue, item: batch }
    }
  }

  #send(queue: UserQueue, batch: Batch): Promise<void> | undefined {
    const partial = this.#options.journal.state.partial.get(batch.id)
    if (partial) this.#recall(queue, batch, partial)
    const rows = partial ? unfinishedRows(batch, partial) : [...batch.rows.keys()]
    if (rows.length === 0 && !partial?.open) return undefined
    return this.sender.send(queue, batch, rows, partial)
  }

  /** Adds the rejected and unknown rows of earlier runs to the result files, and the accepted rows to the queue of the user. */
  #recall(queue: UserQueue, batch: Batch, { finals, accepted, acked }: PartialBatch): void {
    const answersAt = (positions: readonly number[]) => positions.flatMap((at) => batch.rows[at] ?? [])
    for (const { type, part, code, message } of finals) {
      this.#recorder.report(type, { batch, rows: part }, { code, message })
      const until = code === unconfirmedCode ? Number.POSITIVE_INFINITY : this.#options.journal.state.lastAt
      if (type === 'UNKNOWN') queue.doubt(answersAt(part), until)
    }
    if (acked) queue.add(batch.id, acked.intent, answersAt(accepted), acked.ackAt)
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

export function unfinishedRows(batch: Batch, { accepted, finals }: PartialBatch): number[] {
  const finished = new Set([...accepted, ...finals.flatMap(({ part }) => part)])
  return [...batch.rows.keys()].filter((at) => !finished.has(at))
}
