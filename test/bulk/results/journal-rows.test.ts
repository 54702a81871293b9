import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/bulk/journal/record.ts'
import { JournalState } from '../../../src/bulk/journal/state.ts'
import { addJournalRows } from '../../../src/bulk/results/journal-rows.ts'
import type { ResultWriter } from '../../../src/bulk/results/result-file.ts'
import { header } from '../header.ts'
import { batchesOf } from '../send/fixture.ts'

const batches = batchesOf(['a x 1', 'a y 2', 'a z 3', 'b x 4', 'c x 5', 'd x 6'])
const intent = (batch: number, rows: number) => ({ type: 'INTENT', batch, rows, at: 0 }) as const
const ack = (batch: number, part: number[]) =>
  ({ type: 'ACK', batch, rows: part.length, part, at: 1 }) as const
const final = (type: 'REJECT' | 'UNKNOWN', batch: number, part: number[]) =>
  ({ type, batch, part, code: type.toLowerCase(), message: 'm' }) as const

/** Adds the rows of a journal to both result files. Returns the lines of both files, and how many batches were read from the input. */
async function rowsOf(records: readonly JournalRecord[], withUnknown = true) {
  const state = new JournalState()
  for (const record of [header, ...records]) expect(state.apply(record)).toBeUndefined()
  const lines: string[] = []
  const into = (name: string): Pick<ResultWriter, 'add'> => ({
    add: ({ line }, [reason], keys) =>
      void lines.push(`${name} ${line} ${keys?.join()} ${reason?.code}: ${reason?.message}`),
  })
  let read = 0
  function* reading() {
    for (const batch of batches) {
      read++
      yield batch
    }
  }
  await addJournalRows(state, reading(), {
    rejects: into('rejects'),
    unknown: withUnknown ? into('unknown') : undefined,
  })
  return { lines, read }
}

test('rejected and unknown rows are written in the order of their batches, and reading stops after the last of these rows', async () => {
  const records = [intent(2, 1), final('UNKNOWN', 2, [0]), ack(2, []), intent(0, 3), final('REJECT', 0, [2])]
  expect(await rowsOf([...records, ack(0, [0, 1])])).toEqual({
    lines: ['rejects 4 z reject: m', 'unknown 6 x unknown: m'],
    read: 3,
  })
})

test('if a request has no response, its rows are written as unknown, except rows that an earlier response rejected', async () => {
  const records = [intent(0, 3), final('REJECT', 0, [1]), intent(1, 1)]
  const { lines } = await rowsOf([
    ...records,
    { type: 'UNCONFIRMED', batch: 1, why: 'the response has no body' },
  ])
  const open = 'open: sent, but the outcome is unknown: the import stopped before it checked the outcome'
  expect(lines).toEqual([
    'rejects 3 y reject: m',
    `unknown 2 x ${open}; sent at 1970-01-01T00:00:00.000Z`,
    `unknown 4 z ${open}; sent at 1970-01-01T00:00:00.000Z`,
    `unknown 5 x ${open}; sent at 1970-01-01T00:00:00.000Z; the response has no body`,
  ])
})

test('if a journal has no rejected or unknown rows, the input is not read', async () => {
  expect(await rowsOf([intent(0, 3), ack(0, [0])])).toEqual({ lines: [], read: 0 })
})

test('if there is no file for unknown rows, only rejected rows are written', async () => {
  const records = [intent(1, 1), final('UNKNOWN', 1, [0]), ack(1, []), final('REJECT', 2, [0])]
  expect((await rowsOf(records, false)).lines).toEqual(['rejects 6 x reject: m'])
})
