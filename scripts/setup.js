// Prepares a clone: installs the packages in the lock file, then builds if a source is newer than the build.
//   --no-build   only installs
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (result.status !== 0) process.exit(result.status ?? 1)
}

function modifiedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modifiedAt(join(entry.parentPath, entry.name))),
  )
}

const installed = modifiedAt(join(root, 'node_modules/.package-lock.json'))
if (installed < modifiedAt(join(root, 'package-lock.json'))) {
  process.stderr.write('Installing dependencies (first time only)…\n')
  const npm = process.env.npm_execpath
  // npm passes its own settings on to prepare, such as --global and --omit.
  const include = ['--include=dev', '--include=optional']
  const args = ['ci', '--global=false', ...include, '--no-audit', '--no-fund', '--loglevel=error']
  if (npm) run(process.execPath, [npm, ...args])
  else run('npm', args)
}

function isBuilt() {
  const built = modifiedAt(join(root, 'dist/cli.cjs'))
  const sources = [
    newest(join(root, 'src')),
    newest(join(root, 'scripts')),
    modifiedAt(join(root, 'package-lock.json')),
  ]
  return sources.every((modified) => modified <= built)
}

if (!process.argv.includes('--no-build') && !isBuilt())
  run(process.execPath, [join(root, 'scripts/bundle/build.js')])
