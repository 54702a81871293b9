// Mutation testing of the areas named, or of all: npm run test:mutation -- bulk-input profiles --concurrency 2
// What is no area goes to Stryker, such as `--mutate src/http/retry.ts` or `--force` to forget earlier results.
import { spawnSync } from 'node:child_process'
import { areas } from './mutation-areas.js'

const words = process.argv.slice(2)
const named = words.filter((word) => word in areas)
const rest = words.filter((word) => !(word in areas))
for (const name of named.length > 0 ? named : Object.keys(areas)) {
  const env = { ...process.env, FACESCAN_MUTATION_AREA: name }
  const { status } = spawnSync('npx', ['stryker', 'run', ...rest], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = status ?? 1
}
