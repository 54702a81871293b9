import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** A browser, a shell, a terminal, a keyring or the built program takes longer to start than most tests to run. */
const startsPrograms = (path: string) =>
  /'(node:child_process|playwright-core|.*\/helpers\/(pty|keyring)\.ts)'/.test(readFileSync(path, 'utf8'))

/** These go through every command, fault or moment of a kill, which is most of the time that all others take together. */
const sweeps = [
  ...['bulk/journal/recovery', 'bulk/kill', 'bulk/send/outcomes', 'http/faults/faults', 'sentinel/sentinel'],
  ...['formats', 'guard-table', 'import-stopped', 'misshapen'].map((name) => `commands/${name}`),
].map((name) => `test/${name}.test.ts`)

/** The tests that stay in this process, with fewer generated inputs: `npm run test:fast`, within a minute. */
export default defineConfig({
  test: {
    include: readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join('test', name))
      .filter((path) => !sweeps.includes(path) && !startsPrograms(path)),
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 30_000,
    restoreMocks: true,
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: '10', FACESCAN_FUZZ_SEED: '7' },
  },
})
