// Kills an import 500 times at random moments, at each use of a result file, and while the service is suspended or the power
// fails: npm run test:kill (KILLS and SEED change the number and the seed).
import { spawnSync } from 'node:child_process'

const { KILLS = '500', SEED = '7' } = process.env
const result = spawnSync(
  'npx',
  ['vitest', 'run', 'test/bulk/kill', 'test/bulk/power-cut', 'test/bulk/suspended'],
  {
    stdio: 'inherit',
    env: { ...process.env, KILLS, SEED },
  },
)
process.exitCode = result.status ?? 1
