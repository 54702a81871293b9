import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const hasProperties = (path: string) => /\bfc\.(async)?[pP]roperty\(/.test(readFileSync(path, 'utf8'))

/** `npm run test:fuzz`: test files with property tests. FACESCAN_FUZZ_RUNS is the number of inputs per property (default 4000). */
export default defineConfig({
  test: {
    include: readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join('test', name))
      .filter(hasProperties),
    globalSetup: 'test/environment.ts',
    setupFiles: ['test/fuzz-setup.ts', 'test/helpers/modern-width.ts'],
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    pool: 'forks',
    silent: 'passed-only',
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: process.env['FACESCAN_FUZZ_RUNS'] ?? '4000' },
  },
})
