import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppendedFile } from '../../../src/bulk/lists/appended-file.ts'
import { findEarlier, openPath, partialPath } from '../../../src/bulk/lists/earlier-run.ts'
import { ListJournal, ListState, readRows, writeState } from '../../../src/bulk/lists/list-journal.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

/** Creates the files of an interrupted command for a list of users: two rows in its output, and an active request for the third row. */
function interrupt() {
  const folder = temporaryFolder()
  const out = join(folder, 'users.csv')
  const path = openPath(folder)
  writeState(path, Object.assign(new ListState(), { key: 'k' }))
  const data = new AppendedFile(partialPath(out), 0)
  data.write('a,1\nb,2\n')
  const written = [0, 1].map((row) => ({ row, bytes: 4, status: 'created' }))
  const saved = { bytes: data.close(), crc: data.crc }
  const journal = new ListJournal(path)
  journal.append({ announced: [[0, 'x']] })
  journal.append({ announced: [[2, 'y']], written, data: saved })
  journal.close()
  const find = () => findEarlier(out, folder, 'k', 0)
  return { out, path, find, saved }
}

test('an interrupted command for a list of users is resumed after the last record in its journal', () => {
  const { out, path, find, saved } = interrupt()
  expect(find()).toMatchObject({
    state: 'resumable',
    list: { rows: 2, done: 2, statuses: { created: 2 }, sent: new Map([[2, 'y']]), data: saved },
  })
  const file = new AppendedFile(partialPath(out), saved.bytes, { crc: saved.crc })
  file.write('c,3\n')
  file.close()
  expect(readFileSync(partialPath(out), 'utf8')).toBe('a,1\nb,2\nc,3\n')
  const journal = new ListJournal(path)
  const failed = { row: 2, line: 4, offset: 9, code: 'rejected', message: 'no' }
  journal.append({ written: [failed] })
  journal.close()
  expect(find()).toMatchObject({ state: 'resumable', list: { rows: 3, done: 2, failed: 1, sent: new Map() } })
  expect([...readRows(path)].map(({ row }) => row)).toEqual([0, 1, 2])
})

test('an incomplete last record in the journal of a list is ignored and overwritten', () => {
  const { path, find, saved } = interrupt()
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, -9))
  expect(find()).toMatchObject({ list: { rows: 0, sent: new Map([[0, 'x']]) } })
  const journal = new ListJournal(path)
  journal.append({ written: [{ row: 0, bytes: 4 }], data: saved })
  journal.close()
  expect(find()).toMatchObject({ list: { rows: 1, done: 1, sent: new Map() } })
})

test.each([
  ['a changed row', (text: string) => text.replace('"row":1', '"row":9')],
  ['a changed counter', (text: string) => text.replace('"done":0', '"done":1')],
  ['a missing record', (text: string) => text.replace(/\n.*\n/, '\n')],
  ['only the first half of its first record', (text: string) => text.slice(0, text.indexOf('\n') / 2)],
  ['nothing', () => ''],
])('a command for a list of users refuses a journal with %s', (_, change) => {
  const { path, find } = interrupt()
  const text = readFileSync(path, 'utf8')
  expect(change(text)).not.toBe(text)
  writeFileSync(path, change(text))
  expect(find).toThrow(/journal.ndjson.partial was changed or is damaged/)
})

test('a command for a list of users is not resumed if its partial output file was changed', () => {
  const { out, saved } = interrupt()
  writeFileSync(partialPath(out), 'a,1\nx,2\n')
  expect(() => new AppendedFile(partialPath(out), saved.bytes, { crc: saved.crc })).toThrow(
    /partial was changed or is damaged/,
  )
})

test.each([
  [
    'restored from an older copy',
    'is shorter than after its last run',
    (text: string) => text.slice(0, text.indexOf('\n') + 1),
  ],
  ['removed', 'is missing', () => undefined],
])('a list is not resumed if its journal was %s', (_, problem, change) => {
  const { path, find } = interrupt()
  const journal = new ListJournal(path)
  journal.recordLength()
  journal.close()
  expect(find()).toMatchObject({ state: 'resumable' })
  const text = change(readFileSync(path, 'utf8'))
  rmSync(path)
  if (text !== undefined) writeFileSync(path, text)
  expect(find).toThrow(problem)
})
