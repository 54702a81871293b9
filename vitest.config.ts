import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/environment.ts',
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Ends a test that hangs. A busy machine can be ten times slower.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // With isolation, each file would load the modules again, which takes a third of the time.
    isolate: false,
    // Many tests wait for a timeout or a process.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    restoreMocks: true,
    setupFiles: ['test/helpers/modern-width.ts'],
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/tests.json' }]] : ['default'],
    env: { TZ: 'UTC' },
  },
})
