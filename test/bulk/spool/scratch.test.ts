import { existsSync, fstatSync, readlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ScratchFile } from '../../../src/bulk/spool/scratch.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { check } from '../import-input.ts'

it('if the temporary directory does not exist, the error suggests setting TMPDIR', async () => {
  const folder = temporaryFolder()
  const name = 'answers.csv.gz'
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const checking = check(gzipSync('external_user_id,lookup_key,value\n'), {}, { name, folder })
  await expect(checking).rejects.toMatchObject({
    exitCode: 13,
    message: expect.stringContaining('cannot write temporary files'),
    details: { hint: expect.stringContaining('TMPDIR') },
  })
})

it('the next write to a temporary file replaces the bytes of a failed write', () => {
  const file = new ScratchFile()
  // When a disk becomes full during a write, a part of the bytes is already in the file.
  writeSync(file.fd, 'fir')
  file.write(Buffer.from('first,'))
  file.write(Buffer.from('second'))
  const read = Buffer.alloc(file.length)
  file.read(read, 0)
  file.close()
  expect(read.toString()).toBe('first,second')
})

it('a temporary file can be read from any position, and reading beyond the end fails', () => {
  const file = new ScratchFile()
  file.write(Buffer.from('first,second'))
  const read = Buffer.alloc(6)
  file.read(read, 6)
  expect(read.toString()).toBe('second')
  expect(() => file.read(read, 7)).toThrow('a temporary file was truncated')
  file.close()
})

it.runIf(process.platform === 'linux')(
  'a temporary file has no name, can be read only by its owner, and is closed at the end',
  () => {
    const file = new ScratchFile()
    const link = `/proc/self/fd/${file.fd}`
    const name = readlinkSync(link)
    expect(name).toMatch(/facescan-\S+ \(deleted\)$/)
    expect(fstatSync(file.fd).mode & 0o777).toBe(0o600)
    file.close()
    expect(existsSync(link) && readlinkSync(link)).not.toBe(name)
  },
)
