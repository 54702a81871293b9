// Runs mutation tests of some folders of src or of all: npm run test:mutation -- http bulk/send --concurrency 2
// Other arguments are passed to Stryker, such as `--mutate src/http/retry.ts`, or `--force` to ignore earlier results.
import { spawnSync } from 'node:child_process'

const all = [
  'http',
  'profiles',
  ...['scan', 'rows', 'spool', 'results', 'journal', 'pace', 'send'].map((name) => `bulk/${name}`),
]

const words = process.argv.slice(2)
const named = words.filter((word) => all.includes(word))
const rest = words.filter((word) => !all.includes(word))
for (const folder of named.length > 0 ? named : all) {
  const env = { ...process.env, FACESCAN_MUTATION_FOLDER: folder }
  const { status } = spawnSync('npx', ['stryker', 'run', ...rest], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = status ?? 1
}
