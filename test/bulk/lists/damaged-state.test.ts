import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppendedFile } from '../../../src/bulk/lists/appended-file.ts'
import { findEarlier, partialPath, writeCheckpoint } from '../../../src/bulk/lists/checkpoint.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

/** Creates the files of an interrupted list command with two rows in its output. */
function interrupt() {
  const folder = temporaryFolder()
  const out = join(folder, 'users.csv')
  const data = new AppendedFile(partialPath(out), 0)
  data.write('a,1\nb,2\n')
  const bytes = data.close()
  const counts = { key: 'k', rows: 2, done: 2, failed: 0, bytes, failureBytes: 0, dataCrc: data.crc }
  writeCheckpoint(folder, counts)
  return { folder, out, bytes, crc: data.crc }
}

test('an interrupted list of users is resumed after its last checkpoint', () => {
  const { folder, out, bytes, crc } = interrupt()
  expect(findEarlier(out, folder, 'k', 0)).toMatchObject({ state: 'resumable', checkpoint: { rows: 2 } })
  const file = new AppendedFile(partialPath(out), bytes, { crc })
  file.write('c,3\n')
  file.close()
  expect(readFileSync(partialPath(out), 'utf8')).toBe('a,1\nb,2\nc,3\n')
})

test.each([
  ['a changed counter', (text: string) => text.replace('\\"rows\\":2', '\\"rows\\":9')],
  ['only the first half of its text', (text: string) => text.slice(0, text.length / 2)],
  ['nothing', () => ''],
])('a list command refuses a checkpoint file with %s', (_, change) => {
  const { folder, out } = interrupt()
  const path = join(folder, 'checkpoint.json')
  const text = readFileSync(path, 'utf8')
  expect(change(text)).not.toBe(text)
  writeFileSync(path, change(text))
  expect(() => findEarlier(out, folder, 'k', 0)).toThrow(/checkpoint.json was changed or is damaged/)
})

test('a list command resumes from a checkpoint that an older version wrote', () => {
  const { folder, out, bytes } = interrupt()
  const counts = { key: 'k', rows: 2, done: 2, failed: 0, bytes, failureBytes: 0 }
  writeFileSync(join(folder, 'checkpoint.json'), JSON.stringify(counts))
  expect(findEarlier(out, folder, 'k', 0)).toMatchObject({ state: 'resumable' })
})

test('a list command refuses to resume if its partial file was changed after the checkpoint', () => {
  const { out, bytes, crc } = interrupt()
  writeFileSync(partialPath(out), 'a,1\nx,2\n')
  expect(() => new AppendedFile(partialPath(out), bytes, { crc })).toThrow(
    /partial was changed or is damaged/,
  )
})
