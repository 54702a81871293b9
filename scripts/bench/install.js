// How long an installation takes, and how much disk.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Packs the program; the path of the tarball. */
export function pack(folder) {
  execFileSync('npm', ['pack', '--silent', `--pack-destination=${folder}`], {
    stdio: ['ignore', 'ignore', 2],
  })
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  )
}

/** `npm install -g` with a cache and a prefix that are empty: seconds and bytes. */
export function install(tarball, folder, ...words) {
  const prefix = mkdtempSync(join(folder, 'prefix-'))
  const settings = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0']
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(
    'npm',
    [
      'install',
      '-g',
      `--prefix=${prefix}`,
      ...settings,
      `--cache=${join(prefix, 'cache')}`,
      ...words,
      tarball,
    ],
    { encoding: 'utf8' },
  )
  const seconds = (performance.now() - startedAt) / 1000
  if (status !== 0) throw new Error(`npm install ended with ${status}: ${stderr}`)
  const bytes = sizeOf(join(prefix, 'lib/node_modules'))
  rmSync(prefix, { recursive: true })
  return { seconds, bytes }
}

/** Bytes of all that came with a command: the package it lies in, or the program alone. */
export function installedSize(command) {
  const path = realpathSync(command)
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [path]
  return sizeOf(folder)
}

export function sizeOf(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
