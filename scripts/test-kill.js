// Kills an import 500 times at random moments, at each use of a result file, and while the service is suspended or the power
// fails, and a list of users 100 times: npm run test:kill (KILLS and SEED change the number and the seed).
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
