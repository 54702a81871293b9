import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
