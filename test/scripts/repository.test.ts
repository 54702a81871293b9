import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'

test('a clone has the line endings of the repository even with core.autocrlf', () => {
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

type Entry = { resolved?: string; link?: boolean }
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const entries = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && link !== true)

test('the lock file contains no URLs of packages', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

/** All files and directories at the top level of the repository. Result files of an import must not be there. */
const topLevel = [
  ...['.ci', '.dockerignore', '.gitattributes', '.github', '.gitignore', '.npmrc'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'Dockerfile', 'LICENSE', 'README.md'],
  ...['bin', 'biome.json', 'completions', 'examples', 'package-lock.json', 'package.json', 'scripts', 'src'],
  ...['stryker.config.js', 'test', 'tsconfig.json', 'vitest.config.ts'],
]

test('the top level of the repository contains only the files and directories that this test lists', () => {
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
  const found = [...new Set(tracked.map((path) => path.split('/')[0]))]
  expect(found.toSorted()).toEqual(topLevel.toSorted())
})
