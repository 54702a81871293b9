import type { JournalState, UnevenBatch } from '../journal/state.ts'
import type { Batch } from '../types.ts'

/** Accepted batches that have to be looked at again, since a batch after them cannot be told from them by time. */
export function withTheirChains(state: JournalState): Set<number> {
  const ids = new Set(state.recent.keys())
  const intents = [...state.recent.values()].map(({ intent }) => intent)
  for (const { open, acked } of state.uneven.values()) {
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
