import { defineConfig } from 'vitest/config'

const folder = process.env['FACESCAN_MUTATION_FOLDER'] ?? 'http'
/** Complete imports find mutants in every folder of the importer. */
const imports = folder.startsWith('bulk/')
  ? ['test/bulk/{dirt,forms,merge,shard,summary,imports}.test.ts']
  : []

/** Only the tests of the mutated folder, because every mutant runs all of them. */
export default defineConfig({
  test: {
    include: [`test/${folder}/**/*.test.ts`, ...imports],
    // These tests start processes or need a session bus.
    exclude: ['test/profiles/{keyring,processes}.test.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: folder === 'bulk/scan' ? '500' : '30' },
  },
})
