import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareDirectory } from '../../scripts/bundle/compile-cache.ts'

/** `home` is the value of XDG_CACHE_HOME. `victim` is a directory to which an attacker wants facescan to write. */
let home: string
let parent: string
let directory: string
let victim: string

beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'facescan-cache-'))
  parent = join(home, 'facescan')
  directory = join(parent, 'compiled')
  victim = join(home, 'ssh')
  mkdirSync(victim, { mode: 0o700 })
})

afterEach(() => rmSync(home, { recursive: true }))

function makeDirectory(path: string, mode: number): void {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
}

test('the cache directory and its parent are created with access only for the owner, and are used again in the next run', () => {
  expect(prepareDirectory(directory)).toBe(true)
  expect([parent, directory].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o700])
  expect(prepareDirectory(directory)).toBe(true)
})

test('the cache is used if XDG_CACHE_HOME is a shared directory with the sticky bit', () => {
  chmodSync(home, 0o1777)
  expect(prepareDirectory(directory)).toBe(true)
})

test.each<[string, () => void]>([
  ['a link in place of the directory', () => [mkdirSync(parent), symlinkSync(victim, directory)]],
  ['a link in place of its parent', () => symlinkSync(victim, parent)],
  ['a link to a directory that does not exist', () => symlinkSync(join(home, 'missing'), parent)],
  ['a file in place of the directory', () => [mkdirSync(parent), writeFileSync(directory, '')]],
  ['a directory that its group can write to', () => makeDirectory(directory, 0o770)],
  ['a directory that everyone can write to', () => makeDirectory(directory, 0o707)],
  ['a parent that its group can write to', () => makeDirectory(parent, 0o770)],
  ['a parent that everyone can write to', () => makeDirectory(parent, 0o777)],
  ['a shared XDG_CACHE_HOME without the sticky bit', () => chmodSync(home, 0o777)],
])('if there is %s, the cache is not used, and no file is written', (_, plant) => {
  plant()
  expect(prepareDirectory(directory)).toBe(false)
  expect(readdirSync(victim)).toEqual([])
})

const otherUser = 65_534

test.runIf(process.getuid?.() === 0).each<[string, () => string]>([
  ['its directory', () => directory],
  ['the parent of its directory', () => parent],
  ['XDG_CACHE_HOME', () => home],
])('the cache for compiled code is not used if %s belongs to another user', (_, pathOf) => {
  makeDirectory(directory, 0o700)
  chownSync(pathOf(), otherUser, otherUser)
  expect(prepareDirectory(directory)).toBe(false)
})
