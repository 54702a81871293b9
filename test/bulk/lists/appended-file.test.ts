import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { AppendedFile, crcOfFile } from '../../../src/bulk/lists/appended-file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const pathOf = () => join(temporaryFolder(), 'data')

test('a new file replaces a symbolic link at its path, and only the owner can read the new file', () => {
  const target = pathOf()
  writeFileSync(target, 'other data')
  const path = pathOf()
  symlinkSync(target, path)
  const file = new AppendedFile(path, 0)
  file.write('new')
  expect(file.close()).toBe(3)
  expect([readFileSync(target, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['other data', 'new'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('if a file is opened with the length 3, all bytes after the first 3 are removed before new text is added', () => {
  const path = pathOf()
  writeFileSync(path, 'abcdef')
  const file = new AppendedFile(path, 3, { crc: crc32('abc') })
  file.write('é')
  expect([file.close(), file.crc]).toEqual([5, crc32('abcé')])
  expect(readFileSync(path, 'utf8')).toBe('abcé')
})

test('a writer writes added text to its file when it has 64 KiB, or when the file is synced', () => {
  const path = pathOf()
  const file = new AppendedFile(path, 0)
  file.write('x'.repeat(65_535))
  expect(statSync(path).size).toBe(0)
  file.write('x')
  expect(statSync(path).size).toBe(65_536)
  file.write('y')
  expect(statSync(path).size).toBe(65_536)
  expect([file.sync(), statSync(path).size]).toEqual([65_537, 65_537])
  file.close()
})

test('the checksum of a file of several megabytes covers all of its bytes', () => {
  const path = pathOf()
  const bytes = Buffer.alloc(2_500_000, 'some text')
  writeFileSync(path, bytes)
  expect(crcOfFile(path)).toBe(crc32(bytes))
  const file = new AppendedFile(path, bytes.length, { crc: crc32(bytes) })
  expect(file.close()).toBe(bytes.length)
})
