// Runs mutation tests of the given folders of src (default: all folders): npm run test:mutation -- http bulk/send --concurrency 2
//   --changed   tests only files that differ from main (on main: from the previous commit), for at most five minutes
// Other arguments are passed to Stryker, such as `--mutate src/http/retry.ts`, or `--force` to ignore earlier results.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const all = [
  'http',
  'profiles',
  'audit',
  'base',
  ...'scan rows workbook engine lists spool results journal pace send writers'
    .split(' ')
    .map((name) => `bulk/${name}`),
  'framework/many',
]
const changedLimitMs = 5 * 60_000

const words = process.argv.slice(2)
const onlyChanged = words.includes('--changed')
const named = words.filter((word) => all.includes(word))
const rest = words.filter((word) => !all.includes(word) && word !== '--changed')
const deadline = onlyChanged ? Date.now() + changedLimitMs : Number.POSITIVE_INFINITY
const changed = onlyChanged ? changedFiles() : []

for (const folder of named.length > 0 ? named : all) {
  const files = changed.filter((path) => path.startsWith(`src/${folder}/`))
  if (onlyChanged && files.length === 0) continue
  const status = await run(folder, onlyChanged ? ['--mutate', files.join(), ...rest] : rest)
  if (status !== 0) process.exitCode = status
}
if (onlyChanged && changed.length === 0) console.log('No file of a mutated folder has changed.')

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const head = git('rev-parse', 'HEAD')
  const main = ['origin/main', 'main'].find((name) => {
    try {
      return git('rev-parse', '--verify', '--quiet', name) !== ''
    } catch {
      return false
    }
  })
  const base = main ? git('merge-base', 'HEAD', main) : head
  const paths = git('diff', '--name-only', base === head ? 'HEAD~1' : base, '--', 'src').split('\n')
  return paths.filter((path) => existsSync(path) && all.some((folder) => path.startsWith(`src/${folder}/`)))
}

/** Runs Stryker and its workers as one process group. The group is killed at the deadline. */
function run(folder, args) {
  const env = { ...process.env, FACESCAN_MUTATION_FOLDER: folder }
  const child = spawn('npx', ['stryker', 'run', ...args], { stdio: 'inherit', env, detached: true })
  const stop = () => {
    console.log(`Stopped in src/${folder} after five minutes. The last line shows the mutants so far.`)
    process.kill(-child.pid, 'SIGKILL')
  }
  const timer = Number.isFinite(deadline) && setTimeout(stop, Math.max(0, deadline - Date.now()))
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      resolve(signal === 'SIGKILL' ? 0 : (code ?? 1))
    })
  })
}
