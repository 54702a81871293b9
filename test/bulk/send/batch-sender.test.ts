import { expect, test } from 'vitest'
import type { CheckpointRecord, JournalRecord } from '../../../src/bulk/journal/record.ts'
import { SettleTime } from '../../../src/bulk/send/settle-time.ts'
import { reply } from '../../helpers/hostile-server.ts'
import {
  batchesOf,
  confirmed,
  hurriedClock,
  journalWith,
  obedient,
  type SendOptions,
  sendTo,
} from './fixture.ts'

const p99Of = (all: readonly number[]) => {
  const settleTime = new SettleTime(0)
  for (const ms of all) settleTime.add(ms)
  return settleTime.ms / 2
}
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test.each([
  ['none', [], 0],
  ['one', [5], 5],
  ['a hundred', upTo(100).toReversed(), 99],
  ['a thousand', upTo(1_000), 990],
])('the 99th percentile is calculated for this number of latencies: %s', (_, all, p99) => {
  expect(p99Of(all)).toBe(p99)
})

test('the 99th percentile is calculated from the last thousand latencies', () => {
  const slow = Array.from({ length: 500 }, () => 60_000)
  expect(p99Of([...slow, ...upTo(989)])).toBe(60_000)
  expect(p99Of([...slow, ...upTo(1_000)])).toBe(990)
})

const batches = batchesOf(['a height 1', 'b height 2'])

/** Sends batches. Returns the result of `sendTo` and the checkpoints of the run. */
async function withCheckpoints(
  script: Parameters<typeof sendTo>[0],
  count: number,
  options: SendOptions = {},
) {
  const checkpoints: CheckpointRecord[] = []
  const onRecord = (record: JournalRecord) => {
    if (record.type === 'CHECKPOINT') checkpoints.push(record)
  }
  return { ...(await sendTo(script, batches.slice(0, count), { ...options, onRecord })), checkpoints }
}

test('the last checkpoint contains the settle time of the run, and the requests, retries, and seconds of all runs', async () => {
  const clock = hurriedClock()
  let posts = 0
  const script = obedient((request) => {
    if (request.method !== 'POST') return undefined
    if (++posts === 1) return reply(429, {}, { 'retry-after': '40' })
    return clock.sleep(3_000).then(() => confirmed(request))
  })
  const first = await withCheckpoints(script, 1, { clock })
  expect(first.run.sender.rowsSent).toBe(1)
  expect(first.checkpoints.at(-1)).toMatchObject({
    work: { requests: 2, retried: 1, seconds: 43 },
    settleMs: 6_000,
  })
  const second = await withCheckpoints(script, 2, { clock, folder: first.folder })
  expect(second.posts).toEqual(['b: height=2'])
  expect(second.run.sender.rowsSent).toBe(1)
  expect(second.checkpoints.at(-1)).toMatchObject({ work: { requests: 3, retried: 1, seconds: 46 } })
})

test.each([
  [true, true],
  [false, true],
  [true, false],
  [false, false],
])(
  'a resumed import keeps the recorded values of listsLate (%s) and listsHistory (%s)',
  async (late, history) => {
    const lists = { listsLate: late || undefined, listsHistory: history || undefined }
    const isKnown = { isMeasured: false, listsHistory: false }
    const first = await withCheckpoints(
      obedient(() => undefined),
      1,
      isKnown,
    )
    const checkpoint = { ...(first.checkpoints[0] as CheckpointRecord), ...lists }
    const folder = await journalWith([checkpoint])
    const second = await withCheckpoints(
      obedient(() => undefined),
      1,
      { ...isKnown, folder },
    )
    expect(second.checkpoints[0]).toEqual({ ...checkpoint, at: expect.any(Number) })
  },
)

test('if an import is killed while a request waits for --rate, the request counts as unsent, and a resumed import sends it', async () => {
  const rows = batchesOf(['a height 1', 'b height 2'], { kind: 'user_id' })
  const obey = () => obedient(() => undefined)
  const clock = { ...hurriedClock(), sleep: () => new Promise<void>(() => undefined) }
  const first = await sendTo(obey(), rows, { clock, rate: 0.1, killAt: 1 })
  expect(first.posts).toEqual(['a: height=1'])
  const second = await sendTo(obey(), rows, { folder: first.folder })
  expect(second.posts).toEqual(['b: height=2'])
  expect(second.totals).toEqual([1, 0, 1, 0])
})

test.each([
  [0, [], true],
  [3, [200, 400, 800], true],
  [Number.POSITIVE_INFINITY, [200, 400, 800, 1_600, 3_200, 6_400, 10_000], false],
])(
  'if the time of the service is unknown, an import first sends test requests, of which %d fail',
  async (failures, waits, isDone) => {
    let probes = 0
    const script = obedient(({ target }) =>
      target.startsWith('/v2/questions/all') && ++probes <= failures ? reply(503) : undefined,
    )
    const { end, totals, sleeps, server } = await sendTo(script, batches.slice(0, 1), {
      isTimeKnown: false,
      isMeasured: false,
      maxConcurrency: 1,
    })
    expect(end.done).toBe(isDone)
    expect(totals).toEqual(isDone ? [1, 0, 0, 0] : [0, 0, 0, 0])
    expect(sleeps.slice(0, waits.length)).toEqual(waits)
    const first = server.requests.slice(0, waits.length + 1).map(({ target }) => target)
    expect(new Set(first)).toEqual(new Set(['/v2/questions/all']))
    if (isDone) expect(probes).toBe(failures + 1)
    else expect(end).toMatchObject({ error: { message: expect.stringContaining('unavailable') } })
  },
)
