import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHarFile } from '../../src/http/har.ts'
import { temporaryFolder } from '../helpers/folder.ts'

const never = (text: string) => expect.unreachable(text)
function namedPipe(folder: string): string {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  return path
}
const entriesOf = (path: string) => JSON.parse(readFileSync(path, 'utf8')).log.entries

test('the file is valid after each entry and readable only by its owner', () => {
  const path = join(temporaryFolder(), 'out.har')
  const file = openHarFile(path, never)
  expect(entriesOf(path)).toEqual([])
  file.add({ n: 1, text: 'größer' })
  expect(entriesOf(path)).toEqual([{ n: 1, text: 'größer' }])
  file.add({ n: 2 })
  expect(entriesOf(path)).toEqual([{ n: 1, text: 'größer' }, { n: 2 }])
  file.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('an existing file is replaced and made private before anything is written', () => {
  const path = join(temporaryFolder(), 'out.har')
  writeFileSync(path, 'x'.repeat(10_000))
  chmodSync(path, 0o644)
  openHarFile(path, never).close()
  expect(entriesOf(path)).toEqual([])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a symbolic link is not followed', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'precious'), 'keep me')
  symlinkSync(join(folder, 'precious'), join(folder, 'out.har'))
  expect(() => openHarFile(join(folder, 'out.har'), never)).toThrow(/symbolic link/)
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('keep me')
})

test.each([
  ['a folder', (folder: string) => folder, 'illegal operation on a directory'],
  [
    'a folder that is not there',
    (folder: string) => join(folder, 'none', 'out.har'),
    'no such file or directory',
  ],
  ['a device', () => '/dev/null', 'not a regular file'],
  ['a named pipe without a reader', namedPipe, 'no such device or address'],
])('%s is refused as the file with a reason', (_, pathIn, why) => {
  expect(() => openHarFile(pathIn(temporaryFolder()), never)).toThrow(why)
})

/** A file system of 256 KB. Undefined if this test may not mount one. */
function smallDisk(): string | undefined {
  const folder = join(temporaryFolder(), 'disk')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}

test('a full disk is an error before anything is sent', ({ skip, onTestFinished }) => {
  const disk = smallDisk()
  if (disk === undefined) return skip('file systems cannot be mounted here')
  onTestFinished(() => void execFileSync('umount', [disk]))
  expect(() => writeFileSync(join(disk, 'fill'), Buffer.alloc(10_000_000))).toThrow('ENOSPC')
  const path = join(disk, 'out.har')
  expect(() => openHarFile(path, () => undefined)).toThrow(
    `--har: cannot write ${path} (no space left on device)`,
  )
})

test('the file keeps the entries that fit on a full disk, with one warning', ({ skip, onTestFinished }) => {
  const disk = smallDisk()
  if (disk === undefined) return skip('file systems cannot be mounted here')
  onTestFinished(() => void execFileSync('umount', [disk]))
  const path = join(disk, 'out.har')
  const warnings: string[] = []
  const file = openHarFile(path, (text) => warnings.push(text))
  file.add({ n: 1 })
  file.add({ large: 'x'.repeat(400_000) })
  file.add({ n: 3 })
  file.close()
  expect(entriesOf(path)).toEqual([{ n: 1 }])
  expect(warnings).toEqual([
    expect.stringMatching(/contains only the first 1 request: no space left on device/),
  ])
})
