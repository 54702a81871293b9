import type { CheckedInput } from '../check.ts'
import { Engine, type Pacing, type RunEnd } from '../engine/engine.ts'
import { patienceMs, serviceUnavailable } from '../pace/pace.ts'
import type { Batch } from '../types.ts'
import { backOff } from './attempt.ts'
import { BatchSender } from './batch-sender.ts'
import type { Resumption } from './resumption.ts'
import type { RunParts } from './task.ts'
import { UserQueue } from './user-queue.ts'

export interface RunOptions extends Omit<RunParts, 'engine'>, Pacing {
  input: Pick<CheckedInput, 'batches' | 'hasBothIds'>
}

/** Number of users to read ahead per concurrent request. The intents of these users are then written together. */
const usersPerRequest = 8
const checkpointMs = 10_000

export class Run {
  readonly #options: RunOptions
  readonly engine: Engine<Batch, UserQueue>
  /** The batches of earlier runs. Undefined if no batch was sent. */
  #resumption: Resumption | undefined
  readonly sender: BatchSender

  constructor(options: RunOptions) {
    this.#options = options
    const { journal, service, serviceClock } = options
    const { checkpoint } = journal.state
    serviceClock.recall(checkpoint?.clock)
    serviceClock.listsLate = checkpoint?.listsLate ?? false
    serviceClock.listsHistory ||= checkpoint?.listsHistory ?? false
    this.engine = new Engine<Batch, UserQueue>({
      ...options,
      items: this.#unsent(),
      process: (queue, batch) => {
        const partial = journal.state.partial.get(batch.id)
        const rows = (partial && this.#resumption?.recall(queue, batch, partial)) ?? [...batch.rows.keys()]
        if (rows.length === 0 && !partial?.open) return undefined
        return this.sender.send(queue, batch, rows, partial)
      },
      queuesPerRequest: usersPerRequest,
      probe: () => service.probe(),
    })
    this.sender = new BatchSender({ ...options, engine: this.engine }, options.input.hasBothIds)
  }

  async execute(): Promise<RunEnd> {
    const { journal } = this.#options
    const checkpoints = setInterval(() => {
      this.sender.checkpoint()
      // Loads the code for outcomes early, because an upgrade may replace the files of this program during a long import.
      void this.sender.loadOutcomes().catch(() => undefined)
    }, checkpointMs)
    const sent = await this.engine.run()
    clearInterval(checkpoints)
    const error = this.sender.outcomes?.problem
    const end: RunEnd = sent.done && error ? { done: false, error } : sent
    this.sender.checkpoint(end.done ? 'finished' : 'stopped')
    await journal.close()
    return end
  }

  /** Sends test requests until the time of the service is known, because each intent contains this time. */
  async #learnTime(): Promise<void> {
    const { service, serviceClock, clock } = this.#options
    if (serviceClock.isKnown) return
    const startedAt = clock.monotonic()
    for (let tries = 1; !(await service.probe()); tries++) {
      if (clock.monotonic() - startedAt > patienceMs) throw serviceUnavailable()
      await backOff({ ...this.#options, engine: this.engine }, tries)
    }
  }

  /** Yields the unsent batches. The batches of a user are consecutive. */
  async *#unsent(): AsyncGenerator<{ queue: UserQueue; item: Batch }> {
    await this.#learnTime()
    this.sender.checkpoint()
    const { input, journal } = this.#options
    const { recent, users } = journal.state.takeEarlier()
    if (recent.size > 0 || journal.state.partial.size > 0) {
      const { Resumption } = await import('./resumption.ts')
      this.#resumption = new Resumption(journal.state, recent)
    }
    this.sender.responses.recall(users)
    let queue: UserQueue | undefined
    for await (const batch of input.batches()) {
      const { kind, id } = batch.user
      if (queue?.user.id !== id || queue.user.kind !== kind)
        queue = new UserQueue(batch.user, input.hasBothIds)
      queue.userHash ??= users[batch.id] || undefined
      const isDone = journal.state.done.has(batch.id)
      if (!isDone) yield { queue, item: batch }
      const intent = isDone ? this.#resumption?.replay(queue, batch) : undefined
      if (intent !== undefined)
        this.sender.remember({ queue, part: { batch, rows: [...batch.rows.keys()] }, intent, at: 0 })
    }
  }
}
