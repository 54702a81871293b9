import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  journalPath,
  openJournalFile,
  recordedLength,
  recordLength,
  removeLength,
} from '../../../src/bulk/journal/file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

function openFiles(path: string): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link === path).length
}

/** The paths of the files and directories that are synced to disk until the end of the test. */
async function watchSyncs(folder: string): Promise<string[]> {
  const handle = await open(folder, 'r')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const synced: string[] = []
  for (const name of ['sync', 'datasync'] as const) {
    const original = prototype[name]
    const watched = vi.spyOn(prototype, name).mockImplementation(function (this: FileHandle) {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
      return original.call(this)
    })
    onTestFinished(() => watched.mockRestore())
  }
  return synced
}

test.runIf(process.platform === 'linux')(
  'opening a journal syncs the journal, its reserved space, and its directories to disk',
  async () => {
    const folder = join(temporaryFolder(), 'import')
    const synced = await watchSyncs(dirname(folder))
    const file = await openJournalFile(folder, 0)
    const opened = [journalPath(folder), join(folder, 'reserved-space'), folder, dirname(folder)]
    expect(synced).toEqual(opened)
    await file.append(Buffer.from('one'))
    expect(synced).toEqual(opened)
    await file.sync()
    expect(synced).toEqual([...opened, journalPath(folder)])
    await file.close()
  },
)

test.runIf(process.platform === 'linux')(
  'opening a journal that cannot be truncated fails and closes the file',
  async () => {
    const folder = temporaryFolder()
    // A device that can be opened, but not truncated.
    symlinkSync('/dev/full', journalPath(folder))
    await expect(openJournalFile(folder, 0)).rejects.toMatchObject({ code: 'EINVAL' })
    expect(openFiles('/dev/full')).toBe(0)
  },
)

test('if a journal is opened at byte 3, all bytes after byte 3 are removed before new records are written', async () => {
  const folder = temporaryFolder()
  writeFileSync(journalPath(folder), 'abcdef')
  const file = await openJournalFile(folder, 3)
  expect(readFileSync(journalPath(folder), 'utf8')).toBe('abc')
  await file.append(Buffer.from('one'))
  await file.append(Buffer.from('two'))
  await file.sync()
  await file.truncate(6)
  await file.append(Buffer.from('!'))
  file.recordLength?.(7)
  await file.close()
  expect(recordedLength(folder)).toBe(7)
  expect(readFileSync(journalPath(folder), 'utf8')).toBe('abcone!')
})

test('an open journal reserves 256 KiB in a file that only its owner can read, and closing the journal removes the file', async () => {
  const folder = join(temporaryFolder(), 'import')
  const file = await openJournalFile(folder, 0)
  const reserve = join(folder, 'reserved-space')
  const { size, mode } = statSync(reserve)
  expect([size, mode & 0o777]).toEqual([256 * 1024, 0o600])
  await file.close()
  expect(existsSync(reserve)).toBe(false)
})

test('a journal can be closed after its reserved space was freed', async () => {
  const folder = temporaryFolder()
  const file = await openJournalFile(folder, 0)
  expect([await file.releaseReserve(), await file.releaseReserve()]).toEqual([true, false])
  await file.close()
  expect(readdirSync(folder)).toEqual(['journal.ndjson'])
})

test.runIf(process.platform === 'linux')('an open journal keeps one file open', async () => {
  const root = temporaryFolder()
  const folder = join(root, 'import')
  const file = await openJournalFile(folder, 0)
  expect([openFiles(root), openFiles(folder), openFiles(journalPath(folder))]).toEqual([0, 0, 1])
  await file.close()
  expect(openFiles(journalPath(folder))).toBe(0)
})

test('the length of a journal is recorded in a file beside its directory', () => {
  const folder = join(temporaryFolder(), 'import')
  expect(recordedLength(folder)).toBe(0)
  recordLength(folder, 42)
  expect(recordedLength(folder)).toBe(42)
  expect(existsSync(`${folder}.length`)).toBe(true)
  removeLength(folder)
  removeLength(folder)
  expect(recordedLength(folder)).toBe(0)
})

test('if the recorded length of a journal cannot be read, it counts as 0, and if it cannot be written, the error is ignored', () => {
  const root = temporaryFolder()
  const folder = join(root, 'import')
  writeFileSync(`${folder}.length`, 'no JSON')
  expect(recordedLength(folder)).toBe(0)
  writeFileSync(folder, '')
  recordLength(join(folder, 'below a file'), 1)
  expect(recordedLength(join(folder, 'below a file'))).toBe(0)
})
