// Every property test with many inputs: `npm run test:fuzz`, or with FACESCAN_FUZZ_RUNS set to the inputs for each property.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const { FACESCAN_FUZZ_RUNS = '4000' } = process.env
const files = readdirSync('test', { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((path) => /\bnumRuns\b/.test(readFileSync(path, 'utf8')))
const properties = files.reduce(
  (sum, path) => sum + readFileSync(path, 'utf8').split('fc.assert(').length - 1,
  0,
)
console.log(
  `${properties} properties in ${files.length} files, ${FACESCAN_FUZZ_RUNS} inputs each unless they say otherwise`,
)
const result = spawnSync('npx', ['vitest', 'run', '--testTimeout=600000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, FACESCAN_FUZZ_RUNS },
})
process.exitCode = result.status ?? 1
