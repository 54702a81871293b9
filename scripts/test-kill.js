// 500 kills at random instants, from a seed: `npm run test:kill`, or with KILLS and SEED set.
import { spawnSync } from 'node:child_process'

const { KILLS = '500', SEED = '7' } = process.env
const result = spawnSync('npx', ['vitest', 'run', 'test/bulk/kill.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, KILLS, SEED },
})
process.exitCode = result.status ?? 1
