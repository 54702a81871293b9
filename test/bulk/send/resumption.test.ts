import { expect, test } from 'vitest'
import type { IntentRecord } from '../../../src/bulk/journal/record.ts'
import type { Acknowledged, PartialBatch } from '../../../src/bulk/journal/state.ts'
import { batchesToReplay, unfinishedRows } from '../../../src/bulk/send/resumption.ts'
import { batchesOf } from './fixture.ts'

const intent = (batch: number, chain?: number): IntentRecord => ({
  type: 'INTENT',
  batch,
  rows: 1,
  at: 1,
  chain,
})
const acknowledged = (batch: number, chain?: number): Acknowledged => ({
  intent: intent(batch, chain),
  ackAt: 2,
})
const partial = (more: Partial<PartialBatch>): PartialBatch => ({ accepted: [], finals: [], ...more })

test.each([
  ['recent batches', new Map([[7, acknowledged(7)]]), [], [7]],
  [
    'the batches that were sent shortly before a recent batch',
    new Map([[7, acknowledged(7, 2)]]),
    [],
    [5, 6, 7],
  ],
  [
    'the batches that were sent shortly before an unfinished batch',
    new Map(),
    [partial({ open: intent(9, 3) })],
    [6, 7, 8],
  ],
  [
    'the batches that were sent shortly before a partly saved batch',
    new Map(),
    [partial({ acked: acknowledged(4, 1) })],
    [3],
  ],
  [
    'the batches that were sent shortly before each request of a batch that was sent twice',
    new Map(),
    [partial({ acked: acknowledged(4, 1), open: intent(4, 2) })],
    [2, 3],
  ],
  ['no batches that are finished', new Map(), [partial({ accepted: [0] })], []],
])('a resumed import reads these batches from the input again: %s', (_, recent, batches, ids) => {
  const state = { partial: new Map(batches.map((batch, id) => [id, batch])) }
  expect([...batchesToReplay(state, recent)].toSorted()).toEqual(ids)
})

test('the unfinished rows of a batch are the rows that are neither accepted nor rejected', () => {
  const [batch] = batchesOf(['u a 1', 'u b 2', 'u c 3', 'u d 4', 'u e 5'])
  const final = { type: 'REJECT', batch: 0, code: 'c', message: 'm' } as const
  const state = partial({
    accepted: [3],
    finals: [
      { ...final, part: [0] },
      { ...final, part: [4] },
    ],
  })
  expect(unfinishedRows(batch!, state)).toEqual([1, 2])
})
