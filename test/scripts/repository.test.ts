import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'

test('a clone has the line ends of the repository, also with core.autocrlf', () => {
  const clone = join(temporaryFolder(), 'clone')
  const origin = `file://${process.cwd()}`
  execFileSync('git', ['clone', '--quiet', '--depth=1', '--config', 'core.autocrlf=true', origin, clone], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const files = execFileSync('git', ['ls-files', '--eol'], { cwd: clone, encoding: 'utf8' })
    .trim()
    .split('\n')
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((line) => !/^i\/(lf +w\/lf|-text +w\/-text|none +w\/none) /.test(line))).toEqual([])
})

type Entry = { integrity?: string; resolved?: string; link?: boolean }
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const entries = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && link !== true)

/** The linter for other platforms. The registry that created the lock file did not contain these packages. */
const unavailable = /^node_modules\/@biomejs\/cli-(android|darwin|win32|linux-(arm64|x64)-musl)/

test('every package in the lock file has a hash, except the linter for platforms without these tests', () => {
  const without = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
  expect(without.map(([path]) => path).filter((path) => !unavailable.test(path))).toEqual([])
})

test('the lock file contains no addresses', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
