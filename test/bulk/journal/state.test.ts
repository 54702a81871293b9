import { describe, expect, test } from 'vitest'
import type { HeaderRecord, IntentRecord, JournalRecord } from '../../../src/bulk/journal/record.ts'
import { JournalState } from '../../../src/bulk/journal/state.ts'
import { confusableMs } from '../../../src/bulk/service-clock.ts'

const header = { type: 'HEADER', version: 1, at: 99 } as HeaderRecord
const intent = (batch: number, more: Partial<IntentRecord> = {}): IntentRecord => ({
  type: 'INTENT',
  batch,
  rows: 3,
  at: 10,
  ...more,
})
const ack = (batch: number, rows = 3, at = 20, part?: number[]): JournalRecord => ({
  type: 'ACK',
  batch,
  rows,
  at,
  ...(part && { part }),
})
const reject = (batch: number, ...part: number[]): JournalRecord => ({
  type: 'REJECT',
  batch,
  part,
  code: 'c',
  message: 'm',
})

/** The state of a journal that contains a header and these records. */
function stateOf(records: readonly JournalRecord[]): JournalState {
  const state = new JournalState()
  for (const record of [header, ...records]) expect(state.apply(record)).toBeUndefined()
  return state
}

test.each([
  ['a record before the header', [], intent(0), 'the journal does not begin with a header'],
  ['a header with an unknown version', [], { ...header, version: 2 } as unknown as HeaderRecord, 'version 2'],
  ['a second header', [header], header, 'the journal has a second header'],
  ['a response without a request', [header], ack(7), 'batch 7 has a response but no request'],
  [
    'a second response to a request',
    [header, intent(7), ack(7, 1)],
    ack(7),
    'batch 7 has a response but no request',
  ],
  [
    'a second response after a response that accepted a part of the batch',
    [header, intent(7), ack(7, 1, 20, [0])],
    ack(7),
    'batch 7 has a response but no request',
  ],
  ['a request for a finished batch', [header, intent(7), ack(7)], intent(7), 'batch 7 was sent again after'],
  [
    'a rejection for a finished batch',
    [header, intent(7), ack(7)],
    reject(7, 0),
    'batch 7 is recorded as accepted',
  ],
])('a journal is invalid if it contains %s', (_, before, record, problem) => {
  const state = new JournalState()
  for (const one of before) state.apply(one)
  expect(state.apply(record)).toContain(problem)
})

test.each([['accepted'], ['rejected'], ['unknown']])(
  'a journal is invalid if a checkpoint contains a wrong number of %s rows',
  (name) => {
    const sums = { accepted: 3, rejected: 1, unknown: 1 }
    const unknown = { ...reject(1, 1), type: 'UNKNOWN' } as JournalRecord
    const before = [intent(0), ack(0), reject(1, 0), unknown]
    const checkpoint = { type: 'CHECKPOINT', at: 30, settleMs: 1, ...sums } as const
    expect(stateOf([...before, checkpoint]).checkpoint).toEqual(checkpoint)
    expect(stateOf(before).apply({ ...checkpoint, [name]: 0 })).toBe('the totals do not match the records')
  },
)

test('the requests after the last checkpoint are added to the number of requests in the checkpoint', () => {
  const none = { accepted: 0, rejected: 0, unknown: 0 }
  const work = { requests: 10, retried: 2, seconds: 1.5 }
  const checkpoint = { type: 'CHECKPOINT', at: 30, settleMs: 1, ...none, work } as const
  expect(stateOf([intent(0), intent(1), checkpoint]).work).toEqual(work)
  expect(stateOf([checkpoint, intent(0), intent(1)]).work).toEqual({ ...work, requests: 12 })
})

describe('the rows of a batch in the journal', () => {
  test('the rows of a batch are counted as unfinished until the journal contains the response', () => {
    expect(stateOf([intent(5)]).totals).toEqual({ accepted: 0, rejected: 0, unknown: 0, open: 3 })
    expect(stateOf([intent(5), intent(5, { rows: 2, part: [0, 1] })]).totals.open).toBe(2)
    const done = stateOf([intent(5), ack(5)])
    expect(done.totals).toEqual({ accepted: 3, rejected: 0, unknown: 0, open: 0 })
    expect([done.done.has(5), done.partial.has(5)]).toEqual([true, false])
  })

  test.each([
    ['only a part of the batch was saved', [intent(5), ack(5, 1, 20, [2])], [2]],
    [
      'only a part of the batch was sent',
      [intent(5, { rows: 2, part: [0, 1] }), ack(5, 2, 20, [0, 1])],
      [0, 1],
    ],
    ['one row was rejected', [intent(5), reject(5, 0), ack(5, 2, 20, [1, 2])], [1, 2]],
    ['no row was saved', [intent(5), ack(5, 0)], []],
  ])('the journal records which rows of a batch were accepted if %s', (_, records, accepted) => {
    const { done, partial, totals } = stateOf(records)
    expect(done.has(5)).toBe(false)
    expect(partial.get(5)).toMatchObject({ accepted, open: undefined })
    expect(totals).toMatchObject({ accepted: accepted.length, open: 0 })
  })

  test('the journal records the state of each row if one row of the batch was rejected', () => {
    const { done, partial } = stateOf([reject(5, 0), intent(5, { part: undefined }), ack(5, 3)])
    expect([done.has(5), partial.get(5)?.finals.length]).toEqual([false, 1])
    const parted = stateOf([intent(6, { part: [0, 1, 2] }), ack(6)])
    expect(parted.done.has(6)).toBe(false)
  })

  test('if a batch was sent twice, the journal keeps the last response, and the first request that saved rows', () => {
    const first = intent(5)
    const second = intent(5, { rows: 2, part: [1, 2], at: 30 })
    const none = [first, ack(5, 0), second, ack(5, 1, 40, [1])]
    expect(stateOf(none).partial.get(5)?.acked).toEqual({ intent: second, ackAt: 40 })
    const both = [first, ack(5, 1, 20, [0]), second, ack(5, 1, 40, [1])]
    expect(stateOf(both).partial.get(5)?.acked).toEqual({ intent: first, ackAt: 40 })
  })

  test('rejected and unknown rows in the journal do not count as unfinished', () => {
    const unknown = { ...reject(5, 2), type: 'UNKNOWN' } as JournalRecord
    const { totals, partial } = stateOf([intent(5), reject(5, 0, 1), unknown])
    expect(totals).toEqual({ accepted: 0, rejected: 2, unknown: 1, open: 0 })
    expect(partial.get(5)?.finals).toEqual([reject(5, 0, 1), unknown])
    expect(stateOf([reject(5, 0, 1)]).totals).toMatchObject({ rejected: 2, open: 0 })
  })
})

test('the journal returns the hashes of user IDs once, and 0 for each batch without a user ID', () => {
  const users = new Map([0, 1_023, 1_024, 5_000].map((batch) => [batch, batch + 7]))
  const records = [...users].flatMap(([batch, user]) => [intent(batch), { ...ack(batch), user }])
  const state = stateOf([...records, intent(9), ack(9)])
  const taken = state.takeEarlier().users
  for (const [batch, user] of users) expect(taken[batch]).toBe(user)
  expect([taken[9], state.takeEarlier().users.length]).toEqual([0, 0])
})

test('the journal reports a batch as accepted if, and only if, it was accepted, for batch numbers up to 100001', () => {
  const numbers = [0, 1, 7, 8, 63, 8_191, 8_192, 100_000, 100_001]
  const { done } = stateOf(numbers.flatMap((batch) => [intent(batch), ack(batch)]))
  for (const number of numbers) expect(done.has(number)).toBe(true)
  for (const number of [2, 9, 64, 8_190, 8_193, 99_999, 1_000_000]) expect(done.has(number)).toBe(false)
})

/** Records of 20 batches that were all accepted at the time `at`. */
const laterBatches = (at: number) =>
  Array.from({ length: 20 }, (_, n) => [intent(100 + n), ack(100 + n, 3, at)]).flat()

test('a batch is no longer recent after 20 batches were accepted long after it', () => {
  const records = [intent(0), ack(0, 3, 100), intent(1), ack(1, 3, 150)]
  const recentAt = (at: number) => {
    const recent = stateOf([...records, ...laterBatches(at)]).takeEarlier().recent
    expect(recent.size).toBeGreaterThanOrEqual(20)
    return [...recent.keys()].filter((batch) => batch < 2)
  }
  expect(recentAt(100 + confusableMs)).toEqual([0, 1])
  expect(recentAt(101 + confusableMs)).toEqual([1])
  expect(recentAt(151 + confusableMs)).toEqual([])
  expect(stateOf(records).takeEarlier().recent.get(1)).toEqual({ intent: intent(1), ackAt: 150 })
})

test('the 20 batches that were accepted last count as recent, even if a request is sent much later', () => {
  const records = [intent(0), ack(0, 3, 100), ...laterBatches(100)]
  const recent = stateOf([...records, intent(200, { at: 101 + confusableMs })]).takeEarlier().recent
  expect([recent.size, recent.has(0), recent.has(100)]).toEqual([20, false, true])
})

test('the journal returns each recent batch only once', () => {
  const state = stateOf([intent(0), ack(0)])
  expect(state.takeEarlier().recent.size).toBe(1)
  for (const record of [intent(1), ack(1)]) expect(state.apply(record)).toBeUndefined()
  expect(state.takeEarlier().recent.size).toBe(0)
})

test('the latest time in a journal is the largest time of all requests and responses', () => {
  expect(stateOf([]).lastAt).toBe(0)
  expect(stateOf([intent(0, { at: 50 }), ack(0, 3, 20)]).lastAt).toBe(50)
})

test('the journal returns the positions of the rejected rows in each batch, but not of the unknown rows', () => {
  const unknown = { ...reject(2, 1), type: 'UNKNOWN' } as JournalRecord
  const { rejected } = stateOf([
    reject(1, 0),
    reject(1, 2),
    unknown,
    reject(3, 1),
    { ...unknown, batch: 3 } as JournalRecord,
  ])
  expect(rejected).toEqual([
    [1, [0, 2]],
    [3, [1]],
  ])
})

describe('a response that does not confirm the answers', () => {
  const unconfirmed = (batch: number) => ({ type: 'UNCONFIRMED', batch, why: 'no body' }) as const

  test('if a response does not confirm the answers, the journal keeps the reason for this until the next request', () => {
    const { partial } = stateOf([intent(5), unconfirmed(5)])
    expect(partial.get(5)).toMatchObject({ open: intent(5), unconfirmed: 'no body' })
    expect(stateOf([intent(5), unconfirmed(5), intent(5)]).partial.get(5)?.unconfirmed).toBeUndefined()
  })

  test.each([
    ['but contains no request', []],
    ['after an acknowledgment of the request', [intent(5), ack(5, 1, 20, [0])]],
  ])('a journal is invalid if it contains an unconfirmed response %s', (_, records) => {
    expect(stateOf(records).apply(unconfirmed(5))).toBe('batch 5 has a response but no request')
  })
})

const checkpoint = (more: object = {}): JournalRecord => ({
  type: 'CHECKPOINT',
  at: 0,
  accepted: 3,
  rejected: 0,
  unknown: 0,
  settleMs: 1,
  ...more,
})

test('the less exactly the clock is measured, the longer an accepted batch counts as recent', () => {
  const isRecentAt = (at: number, clock: object) =>
    stateOf([intent(0), ack(0, 3, 100), checkpoint({ clock }), ...laterBatches(at)])
      .takeEarlier()
      .recent.has(0)
  const clock = { UTC: { behindMs: 60_000, aheadMs: 2_000 } }
  expect(isRecentAt(100 + 63_000, clock)).toBe(true)
  expect(isRecentAt(101 + 63_000, clock)).toBe(false)
  expect(isRecentAt(100 + confusableMs, { UTC: { behindMs: 1, aheadMs: 1 } })).toBe(true)
})

test('requests before a checkpoint are not counted again if the checkpoint contains their number', () => {
  const work = { requests: 7, retried: 1, seconds: 2 }
  expect(stateOf([intent(0), ack(0), checkpoint({ work })]).work).toEqual(work)
  // The checkpoints of version 0.1 do not contain the number of requests, so the requests in the journal are counted.
  expect(stateOf([intent(0), ack(0), checkpoint()]).work).toMatchObject({ requests: 1, retried: 0 })
})
