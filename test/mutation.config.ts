import { defineConfig } from 'vitest/config'

/** The tests that look at what is mutated, and no others: each mutant runs them anew. */
export default defineConfig({
  test: {
    include: ['path', 'proxy', 'redact', 'retry'].map((name) => `test/http/${name}.test.ts`),
    testTimeout: 10_000,
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: '10' },
  },
})
