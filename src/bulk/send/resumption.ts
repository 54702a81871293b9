import type { Acknowledged, JournalState, PartialBatch } from '../journal/state.ts'
import type { Batch } from '../types.ts'

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
