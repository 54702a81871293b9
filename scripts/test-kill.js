// Runs the kill tests: npm run test:kill. An import is killed 500 times: at random moments, when it uses a result file, while the service
// is suspended, or with a simulated power failure. A list of users is killed 100 times. KILLS sets another number of kills, and SEED sets
// the random seed.
import { spawnSync } from 'node:child_process'

const { KILLS = '500', SEED = '7' } = process.env
const runs = [
  [KILLS, ['test/bulk/kill', 'test/bulk/power-cut', 'test/bulk/suspended']],
  [String(Math.min(Number(KILLS), 100)), ['test/framework/many/resume']],
]
for (const [kills, files] of runs) {
  const env = { ...process.env, KILLS: kills, SEED }
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], { stdio: 'inherit', env })
  process.exitCode ||= status ?? 1
}
