import type { Acknowledged, JournalState, UnevenBatch } from '../journal/state.ts'
import type { Batch } from '../types.ts'

/** Accepted batches that have to be looked at again, since a batch after them cannot be told from them by time. */
export function withTheirChains(
  { uneven }: Pick<JournalState, 'uneven'>,
  recent: ReadonlyMap<number, Acknowledged>,
): Set<number> {
  const ids = new Set(recent.keys())
  const intents = [...recent.values()].map(({ intent }) => intent)
  for (const { open, acked } of uneven.values()) {
    if (open) intents.push(open)
    if (acked) intents.push(acked.intent)
  }
  for (const { batch, chain = 0 } of intents) {
    for (let id = batch - chain; id < batch; id++) ids.add(id)
  }
  return ids
}

/** Positions of the rows that an earlier run left without a final state. */
export function unfinishedRows(batch: Batch, { accepted, finals }: UnevenBatch): number[] {
  const finished = new Set([...accepted, ...finals.flatMap(({ part }) => part)])
  return [...batch.rows.keys()].filter((at) => !finished.has(at))
}
