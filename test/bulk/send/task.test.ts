import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { journalPath, openJournalFile } from '../../../src/bulk/journal/file.ts'
import { Journal } from '../../../src/bulk/journal/journal.ts'
import {
  answersOf,
  closeIntent,
  type Part,
  recordFinal,
  recordIntent,
  recordUnknown,
  split,
  type Task,
  withEvent,
  zonesOf,
} from '../../../src/bulk/send/task.ts'
import { ServiceClock } from '../../../src/bulk/service-clock.ts'
import type { Batch } from '../../../src/bulk/types.ts'
import { fakeClock } from '../../helpers/clock.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { header } from '../header.ts'
import { batchesOf } from './fixture.ts'

const batch = batchesOf(['u a 1', 'u b 2', 'u c 3', 'u d 4', 'u e 5'])[0] as Batch
const taskOf = (rows: readonly number[]): Task => ({
  batch,
  rows,
  tries: 2,
  strikes: 1,
  isRemainder: true,
  isSent: true,
  history: ['sent'],
})

test.each([
  [
    [0, 1, 2, 3, 4],
    [
      [0, 1, 2],
      [3, 4],
    ],
  ],
  [
    [1, 4],
    [[1], [4]],
  ],
  [[2], [[2], []]],
])('the rows %j of a batch are split into %j', (rows, halves) => {
  const parts = split(taskOf(rows))
  expect(parts.map((part) => part.rows)).toEqual(halves)
  expect(parts[0]).toEqual({ ...taskOf(halves[0] ?? []), isRemainder: false })
})

test('the history of a batch contains its latest ten events', () => {
  let task = taskOf([0])
  for (let n = 1; n <= 12; n++) task = withEvent(task, `event ${n}`)
  expect(task.history).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `event ${n}`))
})

test('a part of a batch has the answers and the time zones of its rows', () => {
  const zones = ['UTC', 'Asia/Tokyo', 'UTC', 'Europe/Paris', 'UTC']
  const mixed = { ...batch, rows: batch.rows.map((row, at) => ({ ...row, timezone: zones[at] ?? '' })) }
  const keysOf = (part: Part) => answersOf(part).map(({ lookup_key }) => lookup_key)
  expect(keysOf({ batch: mixed, rows: [3, 1] })).toEqual(['d', 'b'])
  expect(keysOf({ batch: mixed, rows: [0, 1, 2, 3, 4] })).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect([...zonesOf({ batch: mixed, rows: [0, 1, 2] })]).toEqual(['UTC', 'Asia/Tokyo'])
})

describe('the journal of an import', () => {
  /** The records that `act` writes to the journal, without their checksums. */
  async function recordsOf(act: (run: { journal: Journal; serviceClock: ServiceClock }) => void) {
    const folder = temporaryFolder()
    const journal = new Journal(await openJournalFile(folder, 0))
    journal.append(header)
    const run = { journal, serviceClock: new ServiceClock(fakeClock(1_000)) }
    // Only sent rows can have a final state, so the request is recorded first.
    await recordIntent(run, { batch, rows: [0, 1, 2, 3, 4] }, {}).durable
    act(run)
    journal.checkpoint(1_000, { settleMs: 1 }, 'done')
    await journal.close()
    const lines = readFileSync(journalPath(folder), 'utf8').trimEnd().split('\n')
    return lines.slice(1, -1).map((line) => {
      const { crc: _, at: __, ...record } = JSON.parse(line)
      return record
    })
  }

  const whole = { type: 'INTENT', batch: 0, rows: 5 }

  test('the journal records row positions for a part of a batch, but not for a complete batch', async () => {
    const records = await recordsOf((run) => {
      closeIntent(run, { batch, rows: [0, 1, 2, 3, 4] }, [])
      void recordIntent(run, { batch, rows: [1, 2] }, { chain: 3, since: 9 })
    })
    expect(records).toEqual([
      whole,
      { type: 'ACK', batch: 0, rows: 0, part: [] },
      { type: 'INTENT', batch: 0, rows: 2, part: [1, 2], chain: 3, since: 9 },
    ])
  })

  test.each([
    ['all rows of a batch', [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], { rows: 5 }],
    ['all rows of a part', [1, 2], [1, 2], { rows: 2, part: [1, 2] }],
    ['some rows of a batch', [0, 1, 2, 3, 4], [4], { rows: 1, part: [4] }],
    ['no rows', [0, 1, 2, 3, 4], [], { rows: 0, part: [] }],
  ])('the journal records an acknowledgment of %s', async (_, rows, applied, fields) => {
    const records = await recordsOf((run) => closeIntent(run, { batch, rows }, applied))
    expect(records).toEqual([whole, { type: 'ACK', batch: 0, ...fields }])
  })

  test('the journal records the reason and the history of an unknown row, and ignores an empty part of a batch', async () => {
    const records = await recordsOf((run) => {
      recordFinal(run, 'REJECT', { batch, rows: [] }, { code: 'x', message: 'y' })
      recordFinal(run, 'REJECT', { batch, rows: [4] }, { code: 'x', message: 'y' })
      recordUnknown(run, taskOf([3]), { code: 'lost', message: 'no response' })
    })
    expect(records).toEqual([
      whole,
      { type: 'REJECT', batch: 0, part: [4], code: 'x', message: 'y' },
      { type: 'UNKNOWN', batch: 0, part: [3], code: 'lost', message: 'no response; sent' },
    ])
  })
})
