import { defineConfig } from 'vitest/config'

/** Release checks of the package and of the single executable, and checks that need several machines. They take minutes. */
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
