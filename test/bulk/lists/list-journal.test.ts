import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ListJournal, ListState, readState, writeState } from '../../../src/bulk/lists/list-journal.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

type Record = Parameters<ListJournal['append']>[0]

/** The state of a list after these records were written to its journal and read again. */
function stateAfter(...records: Record[]): ListState {
  const path = join(temporaryFolder(), 'journal.ndjson')
  writeState(path, Object.assign(new ListState(), { key: 'k' }))
  const journal = new ListJournal(path)
  for (const record of records) journal.append(record)
  journal.close()
  return readState(path) ?? expect.unreachable()
}

test('a list without a journal has no state', () => {
  expect(readState(join(temporaryFolder(), 'journal.ndjson'))).toBeUndefined()
})

test.each<[name: string, isNew: boolean, record: Record]>([
  ['no row', true, { rows: 0 }],
  ['a request that may have been sent', false, { announced: [[0, '']] }],
  [
    'a request that was certainly not applied',
    true,
    {
      announced: [
        [0, ''],
        [0, null],
      ],
    },
  ],
  ['a finished row', false, { written: [{ row: 0, bytes: 0 }] }],
  ['data', false, { data: { bytes: 1, crc: 0 } }],
])('if the journal of a list contains %s, the list counts as new: %s', (_, isNew, record) => {
  expect(stateAfter(record).isNew).toBe(isNew)
})

test('the journal of a list counts finished rows by status and counts failed rows', () => {
  const state = stateAfter({
    written: [
      { row: 0, bytes: 1, status: 'created' },
      { row: 1, bytes: 1 },
      { row: 2, line: 4, offset: 9, code: 'rejected', message: 'no' },
      { row: 3, bytes: 1, status: 'created' },
    ],
  })
  expect(state).toMatchObject({ rows: 4, done: 3, failed: 1 })
  expect(state.statuses).toEqual({ created: 2 })
})

test('the journal of a list contains the earliest expiry of a token or link', () => {
  const written = [7, undefined, 5, 9].map((expiresAt, row) => ({ row, bytes: 1, expiresAt }))
  expect(stateAfter({ written }).expiresAt).toBe(5)
  expect(stateAfter({ written: [{ row: 0, bytes: 1 }] }).expiresAt).toBeUndefined()
})

test('the journal of a list contains the ID of a changed user that has several rows', () => {
  const state = stateAfter({
    written: [
      { row: 0, bytes: 1, changed: [2, 'a'] },
      { row: 1, bytes: 1 },
    ],
  })
  expect(state.changed).toEqual(new Map([[2, 'a']]))
})
