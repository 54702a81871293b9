import type { IntentRecord } from '../journal/record.ts'
import type { Acknowledged, JournalState, PartialBatch } from '../journal/state.ts'
import type { Batch } from '../types.ts'
import { unconfirmedCode } from './task.ts'
import type { UserQueue } from './user-queue.ts'

/** The batches that earlier runs of an import have sent. */
export class Resumption {
  readonly #state: JournalState
  readonly #recent: ReadonlyMap<number, Acknowledged>
  readonly #replayed: ReadonlySet<number>

  constructor(state: JournalState, recent: ReadonlyMap<number, Acknowledged>) {
    this.#state = state
    this.#recent = recent
    this.#replayed = batchesToReplay(state, recent)
  }

  /** Adds the answers of a batch if a later batch depends on them. Returns the intent of a batch that was accepted recently. */
  replay(queue: UserQueue, { id, rows }: Batch): IntentRecord | undefined {
    const known = this.#recent.get(id)
    if (this.#replayed.has(id)) queue.add(id, known?.intent, rows, known?.ackAt)
    return known?.intent
  }

  /** Adds the unknown and the accepted rows of a batch to the user's queue. Returns the rows without a final state. */
  recall(queue: UserQueue, batch: Batch, partial: PartialBatch): number[] {
    const { finals, accepted, acked } = partial
    const answersAt = (positions: readonly number[]) => positions.flatMap((at) => batch.rows[at] ?? [])
    for (const { type, part, code } of finals) {
      const until = code === unconfirmedCode ? Number.POSITIVE_INFINITY : this.#state.lastAt
      if (type === 'UNKNOWN') queue.addUnknown(answersAt(part), until)
    }
    if (acked) queue.add(batch.id, acked.intent, answersAt(accepted), acked.ackAt)
    return unfinishedRows(batch, partial)
  }
}

/** Accepted batches whose answers are needed to determine the outcome of a later batch. */
export function batchesToReplay(
  state: Pick<JournalState, 'partial' | 'isConfusable'>,
  recent: ReadonlyMap<number, Acknowledged>,
): Set<number> {
  const intents = [...recent.values()]
    .filter((acked) => state.isConfusable(acked))
    .map(({ intent }) => intent)
  const ids = new Set(intents.map(({ batch }) => batch))
  for (const { open, acked } of state.partial.values()) {
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
