// Runs mutation tests of some areas or of all: npm run test:mutation -- bulk profiles --concurrency 2
// Other arguments are passed to Stryker, such as `--mutate src/http/retry.ts`, or `--force` to ignore earlier results.
import { spawnSync } from 'node:child_process'
import { areas } from './mutation-areas.js'

const words = process.argv.slice(2)
/** A name such as `bulk-scan` selects one area; `bulk` selects all areas that start with it. */
const areasOf = (word) => Object.keys(areas).filter((name) => name === word || name.startsWith(`${word}-`))
const named = words.flatMap(areasOf)
const rest = words.filter((word) => areasOf(word).length === 0)
for (const name of named.length > 0 ? named : Object.keys(areas)) {
  const env = { ...process.env, FACESCAN_MUTATION_AREA: name }
  const { status } = spawnSync('npx', ['stryker', 'run', ...rest], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = status ?? 1
}
