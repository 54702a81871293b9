import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const hasProperties = (path: string) => /\bfc\.(async)?[pP]roperty\(/.test(readFileSync(path, 'utf8'))

/** Every test file with a property in it, and a count of the inputs that were generated; `npm run test:fuzz` sets how many. */
export default defineConfig({
  test: {
    include: readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join('test', name))
      .filter(hasProperties),
    setupFiles: ['test/fuzz-setup.ts'],
    testTimeout: 600_000,
    pool: 'forks',
    silent: 'passed-only',
    env: { TZ: 'UTC' },
  },
})
