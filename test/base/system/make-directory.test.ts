import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../../src/base/system/make-directory.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

test('creates every missing level for its owner only, and changes nothing on a second call', () => {
  const root = temporaryFolder()
  const path = join(root, 'a', 'b', 'c')
  makeDirectory(path)
  makeDirectory(path)
  for (const level of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, level)).mode & 0o777).toBe(0o700)
})

test('throws if the path or one of its parents is a file', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'file'), '')
  for (const path of ['file', 'file/below']) expect(() => makeDirectory(join(root, path))).toThrow('EEXIST')
})

test.runIf(process.platform === 'linux')(
  'throws on a file system that cannot create directories, without an endless loop',
  () => {
    expect(() => makeDirectory('/proc/facescan/state')).toThrow('ENOENT')
  },
)
