import { describe, expect, test } from 'vitest'
import type { IntentRecord } from '../../../src/bulk/journal/record.ts'
import { type Acknowledged, JournalState, type PartialBatch } from '../../../src/bulk/journal/state.ts'
import { batchesToReplay, Resumption, unfinishedRows } from '../../../src/bulk/send/resumption.ts'
import { unconfirmedCode } from '../../../src/bulk/send/task.ts'
import { UserQueue } from '../../../src/bulk/send/user-queue.ts'
import type { Batch } from '../../../src/bulk/types.ts'
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
  ['no batches that were accepted long ago', new Map([[7, { ...acknowledged(7, 2), ackAt: 0 }]]), [], []],
  ['no batches that are finished', new Map(), [partial({ accepted: [0] })], []],
])('a resumed import reads these batches from the input again: %s', (_, recent, batches, ids) => {
  const partialBatches = new Map(batches.map((batch, id) => [id, batch]))
  const state = { partial: partialBatches, isConfusable: ({ ackAt }: Acknowledged) => ackAt > 0 }
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

describe('batches of an earlier run', () => {
  const batch = { ...(batchesOf(['u a 1', 'u b 2', 'u c 3', 'u d 4', 'u e 5'])[0] as Batch), id: 7 }
  const final = { type: 'UNKNOWN', batch: 7, code: 'lost', message: 'm' } as const

  function resume(lastAt = 5_000) {
    const state = Object.assign(new JournalState(), { lastAt })
    const resumption = new Resumption(state, new Map([[7, acknowledged(7)]]))
    const queue = new UserQueue(batch.user)
    /** Lookup keys of the answers whose outcome still counts as unknown at this time. */
    const unknownAt = (at: number) =>
      batch.rows.filter((row) => queue.unknownSince(at, 1_000).has(row)).map(({ lookup_key }) => lookup_key)
    const savedKeys = () =>
      batch.rows.filter((row) => queue.savedSince({ since: 1 }).has(row)).map(({ lookup_key }) => lookup_key)
    return { resumption, queue, unknownAt, savedKeys }
  }

  test('the check of a batch includes the answers that an earlier run saved recently', () => {
    const { resumption, queue, savedKeys } = resume()
    expect(resumption.replay(new UserQueue(batch.user), { ...batch, id: 6 })).toBeUndefined()
    resumption.replay(queue, batch)
    expect(queue.chainAt(1_002, 9, 1_000)).toEqual({ chain: 2, since: 1 })
    expect(savedKeys()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('if a batch was accepted long ago, its check only shows whether the service lists answers late', () => {
    const { resumption, queue, savedKeys } = resume(60_000)
    expect(resumption.replay(queue, batch)).toEqual(intent(7))
    expect([queue.chainAt(1_002, 9, 1_000).chain, savedKeys()]).toEqual([undefined, []])
  })

  test('the check of a batch does not include the answers that an earlier run saved long ago', () => {
    const { resumption, queue } = resume()
    resumption.replay(queue, { ...batch, id: 6 })
    expect(queue.chainAt(2, 9, 1_000)).toEqual({})
  })

  test('the service can save an unknown row even shortly after the end of the run', () => {
    const { resumption, queue, unknownAt } = resume()
    const rejected = { ...final, type: 'REJECT' as const, part: [2] }
    const rows = resumption.recall(queue, batch, partial({ finals: [{ ...final, part: [0] }, rejected] }))
    expect(rows).toEqual([1, 3, 4])
    expect([unknownAt(6_000), unknownAt(6_001)]).toEqual([['a'], []])
  })

  test('the service may save an unconfirmed row of an earlier run at any later time', () => {
    const { resumption, queue, unknownAt } = resume()
    resumption.recall(queue, batch, partial({ finals: [{ ...final, code: unconfirmedCode, part: [1] }] }))
    expect(unknownAt(1_000_000_000)).toEqual(['b'])
  })

  test('the check of a partly accepted batch includes the rows that an earlier run accepted', () => {
    const { resumption, queue, savedKeys } = resume()
    const accepted = partial({ accepted: [3, 4], acked: acknowledged(7) })
    expect(resumption.recall(queue, batch, accepted)).toEqual([0, 1, 2])
    expect(queue.chainAt(2, 8, 1_000)).toEqual({ chain: 1, since: 1 })
    expect(savedKeys()).toEqual(['d', 'e'])
  })
})
