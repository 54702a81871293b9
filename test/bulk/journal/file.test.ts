import { readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { journalPath, openJournalFile } from '../../../src/bulk/journal/file.ts'
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
