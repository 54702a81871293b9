import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/temporary-folder.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // By default one processor stays free.
    maxWorkers: '100%',
    restoreMocks: true,
    setupFiles: ['test/helpers/modern-width.ts'],
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/tests.json' }]] : ['default'],
    env: { TZ: 'UTC' },
  },
})
