import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../../src/base/system/make-directory.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

test('every missing level is made for its owner only, and a second call changes nothing', () => {
  const root = temporaryFolder()
  const path = join(root, 'a', 'b', 'c')
  makeDirectory(path)
  makeDirectory(path)
  for (const level of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, level)).mode & 0o777).toBe(0o700)
})

test('a file in the way is an error', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'file'), '')
  expect(() => makeDirectory(join(root, 'file', 'below'))).toThrow('ENOTDIR')
})

test.runIf(process.platform === 'linux')(
  'a file system that makes no directories is an error and no endless loop',
  () => {
    expect(() => makeDirectory('/proc/facescan/state')).toThrow('ENOENT')
  },
)
