import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StagedFile } from '../../../src/bulk/results/staged-file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

function prepare() {
  const folder = temporaryFolder()
  const file = new StagedFile()
  file.add('a row')
  return { folder, file, path: join(folder, 'rejects.csv') }
}

test('saving a result file replaces the partial file of a killed run', () => {
  const { folder, file, path } = prepare()
  writeFileSync(`${path}.partial`, 'a r')
  file.saveAs(path)
  expect(readdirSync(folder)).toEqual(['rejects.csv'])
  expect(readFileSync(path, 'utf8')).toBe('a row')
})

test('a result file is saved even if an old partial file cannot be removed', () => {
  const { folder, file, path } = prepare()
  mkdirSync(`${path}.partial`)
  file.saveAs(path)
  expect(readdirSync(folder).toSorted()).toEqual(['rejects.csv', 'rejects.csv.partial'])
  expect(readFileSync(path, 'utf8')).toBe('a row')
})

test.each([
  ['removes the empty file that reserves its name', '', false],
  ['keeps the rows of an earlier run', 'earlier rows', true],
  ['creates no file', undefined, false],
])('a failed save of a result file %s', (_, earlier, isKept) => {
  const { folder, file, path } = prepare()
  if (earlier !== undefined) writeFileSync(path, earlier)
  // Simulates another program that removes the partial file before it is renamed.
  const failing = () => file.saveAs(path, () => rmSync(`${path}.partial`))
  expect(failing).toThrow(expect.objectContaining({ code: 'ENOENT', syscall: 'rename' }))
  expect(existsSync(path)).toBe(isKept)
  if (isKept) expect(readFileSync(path, 'utf8')).toBe(earlier)
  expect(readdirSync(folder)).toEqual(isKept ? ['rejects.csv'] : [])
})

/** Parts of 100 KB with different content. Three parts together are larger than the memory buffer. */
const parts = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(100_000))

test('an owner-only result file contains all parts in order, even if it exceeds the buffer', () => {
  const { file, path } = prepare()
  for (const part of parts) file.add(part)
  let announced: unknown
  file.saveAs(path, (version) => {
    announced = version
    expect(existsSync(path)).toBe(false)
  })
  expect(readFileSync(path, 'utf8')).toBe(['a row', ...parts].join(''))
  const { size, mtimeMs, mode } = statSync(path)
  expect([announced, mode & 0o777]).toEqual([{ bytes: size, modifiedMs: mtimeMs }, 0o600])
})

test("a part that was added to a result file stays unchanged if the part's buffer is reused", () => {
  const { file, path } = prepare()
  const bytes = Buffer.from(', one')
  file.add(bytes)
  bytes.fill('x')
  file.saveAs(path)
  expect(readFileSync(path, 'utf8')).toBe('a row, one')
})

test('a result file is written directly to an existing file, such as a device, and no partial file is created', async () => {
  const { folder, file, path } = prepare()
  for (const part of parts) file.add(part)
  writeFileSync(path, 'earlier text')
  await file.writeTo(path, new AbortController().signal)
  expect(readFileSync(path, 'utf8')).toBe(['a row', ...parts].join(''))
  expect(readdirSync(folder)).toEqual(['rejects.csv'])
})

test('a discarded result file is empty and can be filled again', () => {
  const { file, path } = prepare()
  for (const part of parts) file.add(part)
  file.discard()
  file.discard()
  file.add('new')
  file.saveAs(path)
  expect(readFileSync(path, 'utf8')).toBe('new')
})
