import { defineConfig } from 'vitest/config'
import { currentArea } from '../scripts/mutation-areas.js'

const { tests, without = [], runs = 30 } = currentArea()

/** Only the tests of the mutated files, because every mutant runs all of them. */
export default defineConfig({
  test: {
    include: tests,
    exclude: without,
    testTimeout: 30_000,
    restoreMocks: true,
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: String(runs) },
  },
})
