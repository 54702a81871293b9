import { defineConfig } from 'vitest/config'

/** Checks of what is released: the package, the single executable, many machines. Minutes, not seconds. */
export default defineConfig({
  test: {
    include: ['test/release/*.check.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
    globals: false,
  },
})
