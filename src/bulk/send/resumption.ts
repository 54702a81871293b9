import type { Acknowledged, JournalState, PartialBatch } from '../journal/state.ts'
import type { Batch } from '../types.ts'
import { openMessage, type RowRecorder, unconfirmedCode } from './task.ts'
import type { UserQueue } from './user-queue.ts'

/** The batches that earlier runs of an import have sent. */
export class Resumption {
  readonly #state: JournalState
  readonly #recorder: RowRecorder
  readonly #recent: ReadonlyMap<number, Acknowledged>
  readonly #replayed: ReadonlySet<number>

  constructor(state: JournalState, recent: ReadonlyMap<number, Acknowledged>, recorder: RowRecorder) {
    this.#state = state
    this.#recorder = recorder
    this.#recent = recent
    this.#replayed = batchesToReplay(state, recent)
  }

  /** Whether the answers from this accepted batch are needed to determine the outcome of a later batch. */
  replays({ id }: Batch): boolean {
    return this.#replayed.has(id)
  }

  /** Adds the answers of an accepted batch to the queue of its user. */
  replay(queue: UserQueue, { id, rows }: Batch): void {
    const known = this.#recent.get(id)
    queue.add(id, known?.intent, rows, known?.ackAt)
  }

  /**
   * Adds the rejected and unknown rows of a batch to the result files, and the accepted rows to the queue of the user. Returns the rows
   * without a final state.
   */
  recall(queue: UserQueue, batch: Batch, partial: PartialBatch): number[] {
    const { finals, accepted, acked } = partial
    const answersAt = (positions: readonly number[]) => positions.flatMap((at) => batch.rows[at] ?? [])
    for (const { type, part, code, message } of finals) {
      this.#recorder.report(type, { batch, rows: part }, { code, message })
      const until = code === unconfirmedCode ? Number.POSITIVE_INFINITY : this.#state.lastAt
      if (type === 'UNKNOWN') queue.doubt(answersAt(part), until)
    }
    if (acked) queue.add(batch.id, acked.intent, answersAt(accepted), acked.ackAt)
    return unfinishedRows(batch, partial)
  }
}

/** Accepted batches whose answers are needed to determine the outcome of a later batch. */
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

/**
 * Adds rows to the result files that the journal contains and that this stopped run has not added: rows that earlier runs reported, and
 * rows of canceled requests. The result files replace the files of earlier runs. If the input cannot be read, these rows are missing in the
 * files until the import is resumed.
 */
export async function reportOtherRows(
  recorder: RowRecorder,
  { partial }: Pick<JournalState, 'partial'>,
  batches: AsyncIterable<Batch> | Iterable<Batch>,
): Promise<void> {
  const left = new Map(partial)
  if (left.size === 0) return
  try {
    for await (const batch of batches) {
      const known = left.get(batch.id)
      if (known && !recorder.reportedBatches.has(batch.id)) reportBatch(recorder, batch, known)
      left.delete(batch.id)
      if (left.size === 0) return
    }
  } catch {}
}

function reportBatch(recorder: RowRecorder, batch: Batch, { finals, open }: PartialBatch): void {
  for (const { type, part, code, message } of finals)
    recorder.report(type, { batch, rows: part }, { code, message })
  if (open === undefined) return
  const isFinal = new Set(finals.flatMap(({ part }) => part))
  const rows = (open.part ?? [...batch.rows.keys()]).filter((at) => !isFinal.has(at))
  const message = `${openMessage}; sent at ${new Date(open.at).toISOString()}`
  recorder.report('UNKNOWN', { batch, rows }, { code: 'open', message })
}
