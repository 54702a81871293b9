// Prepares a clone: installs the packages in the lock file. Then builds, if a source is newer than the build.
//   --no-build   only installs
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

process.chdir(join(import.meta.dirname, '..'))

function run(...command) {
  const { status } = spawnSync(command[0], command.slice(1), { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

function modifiedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

function isNewer(path, than) {
  const files = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : ['']
  return files.some((name) => modifiedAt(join(path, name)) > than)
}

// If node_modules is a link, nothing is installed, because npm would delete the packages in the directory to which the link leads.
const isLink = lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink()

if (!isLink && isNewer('package-lock.json', modifiedAt('node_modules/.package-lock.json'))) {
  process.stderr.write('Installing dependencies (first time only)…\n')
  const npm = process.env.npm_execpath
  // npm passes its settings, such as --global and --omit, to this script. The --include flags below override these settings.
  const include = ['--include=dev', '--include=optional']
  const args = ['ci', '--global=false', ...include, '--no-audit', '--no-fund', '--loglevel=error']
  if (npm) run(process.execPath, npm, ...args)
  else run('npm', ...args)
}

const builtAt = modifiedAt('dist/cli.cjs')
const isOutdated = ['src', 'scripts', 'package-lock.json'].some((path) => isNewer(path, builtAt))
if (isOutdated && !process.argv.includes('--no-build')) run(process.execPath, 'scripts/bundle/build.js')
