import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Whether a test file starts a browser, a shell, a terminal, a keyring, or the built program. Such tests take longer than most tests. */
const startsPrograms = (path: string) =>
  /'(node:child_process|playwright-core|.*\/helpers\/(pty|shell|keyring)\.ts)'/.test(
    readFileSync(path, 'utf8'),
  )

/**
 * Tests that cover every command, every fault, or every moment at which a program can be killed. They take longer than all other tests
 * together.
 */
export const sweeps = [
  ...[
    'bulk/journal/recovery',
    'bulk/kill',
    'bulk/power-cut',
    'bulk/suspended',
    'bulk/send/outcomes',
    'http/faults/faults',
    'sentinel/sentinel',
  ],
  ...[
    'examples',
    'formats',
    'guard-table',
    'hostile-text',
    'import-stopped',
    'misshapen',
    'other-wording',
  ].map((name) => `commands/${name}`),
].map((name) => `test/${name}.test.ts`)

/** `npm run test:fast`: tests that stay in this process, with fewer generated inputs. Takes less than a minute. */
export default defineConfig({
  test: {
    include: readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join('test', name))
      .filter((path) => !sweeps.includes(path) && !startsPrograms(path)),
    globalSetup: 'test/environment.ts',
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    setupFiles: ['test/helpers/modern-width.ts'],
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: '10', FACESCAN_FUZZ_SEED: '7' },
  },
})
