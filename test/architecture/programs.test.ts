import { expect, test } from 'vitest'
import { readSource, readSources, type SourceFile } from './sources.ts'

/** Forbidden ways to start a program that may be missing from the PATH. A test must get such a program with `needs`. */
const ways: readonly [title: string, pattern: RegExp, planted: string][] = [
  [
    'the absolute path of a program',
    /['"`](?:\/usr(?:\/local)?)?\/s?bin\/(?!sh\b)\w+/,
    "spawnSync('/usr/bin/chromium', ['--version'])",
  ],
  [
    // A shell without a PATH searches /usr/bin, so it can start programs that are not on the PATH of the tests.
    'a shell without a PATH',
    /'(?:ba)?sh', \[[^\n]*\benv: \{(?![^}\n]*(?:PATH|\.\.\.))/,
    "spawnSync('bash', ['-c', 'curl localhost'], { env: { HOME: home } })",
  ],
  ['the PATH of the machine', /\bFACESCAN_TEST_PROGRAMS\b|\bprogramPath\b/, 'process.env[programPath]'],
]

/** Files that the check skips: files that define the PATH of the tests, and release tests, which run on machines with all programs. */
const exempt =
  /^test\/(release\/|environment\.ts$|helpers\/needs(\.test)?\.ts$|architecture\/programs\.test\.ts$)/

function find(pattern: RegExp, sources: readonly SourceFile[]): string[] {
  return sources.filter(({ path, text }) => !exempt.test(path) && pattern.test(text)).map(({ path }) => path)
}

test.each(ways)('tests start programs with the helper needs() and not with %s', (_, pattern) => {
  expect(find(pattern, readSources('test'))).toEqual([])
})

test.each(ways)(
  'the check of the tests reports a test that uses %s to start a program',
  (_, pattern, planted) => {
    expect(find(pattern, [readSource('test/commands/zz.test.ts', planted)])).toEqual([
      'test/commands/zz.test.ts',
    ])
  },
)
