// Runs every property test with many inputs: npm run test:fuzz (FACESCAN_FUZZ_RUNS sets the number per property).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { FACESCAN_FUZZ_RUNS = '4000' } = process.env
const folder = mkdtempSync(join(tmpdir(), 'facescan-fuzz-'))
const counts = join(folder, 'counts.ndjson')
const limitMs = 20 * 60_000

const start = performance.now()
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/fuzz.config.ts'], {
  stdio: 'inherit',
  timeout: limitMs,
  env: { ...process.env, FACESCAN_FUZZ_RUNS, FACESCAN_FUZZ_COUNTS: counts },
})
const seconds = Math.round((performance.now() - start) / 1000)
const properties = existsSync(counts)
  ? readFileSync(counts, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []
rmSync(folder, { recursive: true })

const inputsOf = (list) => list.reduce((sum, { inputs }) => sum + inputs, 0)
for (const name of [...new Set(properties.map(({ file }) => file))].sort()) {
  const here = properties.filter(({ file }) => file === name)
  console.log(`${String(inputsOf(here)).padStart(7)}  ${name} (${here.length})`)
}
const failures = properties.filter(({ failed }) => failed).length
console.log(
  `${inputsOf(properties)} generated inputs for ${properties.length} properties, ${failures} failed, ${seconds} s`,
)
process.exitCode = status ?? 1
