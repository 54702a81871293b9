import { defineConfig } from 'vitest/config'
import { currentArea } from '../scripts/mutation-areas.js'

const { tests, without = [], runs = 30 } = currentArea()

/** The tests that look at what is mutated, and no others: each mutant runs them anew. */
export default defineConfig({
  test: {
    include: tests,
    exclude: without,
    testTimeout: 30_000,
    restoreMocks: true,
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: String(runs) },
  },
})
