import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeBinary } from '../../scripts/node-binaries.js'

/** User ID of the process in the container image and in the Kubernetes jobs. */
export const user = 1000
const programs = ['buildah', 'bwrap', 'debootstrap']

/** The reason why this machine cannot build and run the image. Empty if it can. */
export function findObstacle(): string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  const folder = mkdtempSync(join(tmpdir(), 'facescan-probe-'))
  const failed = [
    ['bwrap', '--ro-bind', '/', '/', 'true'],
    ['mknod', join(folder, 'null'), 'c', '1', '3'],
    // Checks access to the mirror with the Debian packages.
    ['debootstrap', '--print-debs', '--variant=minbase', 'bookworm', join(folder, 'base')],
  ].find(([name = '', ...words]) => spawnSync(name, words).status !== 0)
  rmSync(folder, { recursive: true, force: true })
  return failed ? `${failed.join(' ')} fails` : ''
}

type Buildah = (...words: readonly string[]) => string

/** Builds the Dockerfile in a fresh clone, and returns the root directory of the image's files. The clone and the image are in `folder`. */
export function buildImage(folder: string): string {
  const storage = [`--root=${join(folder, 'images')}`, `--runroot=${join(folder, 'run')}`]
  const buildah: Buildah = (...words) =>
    execFileSync('buildah', [...storage, '--storage-driver=vfs', ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  createBaseImage(join(folder, 'base'), buildah)
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${process.cwd()}`, clone])
  const volume = '--volume=/etc/ssl/certs:/etc/ssl/certs:ro'
  buildah('bud', '--quiet', '--isolation=chroot', volume, '--tag=facescan', clone)
  return buildah('mount', buildah('from', 'localhost/facescan'))
}

/** Creates the base image of the Dockerfile without an image registry. It is Debian with Node and npm of this machine. */
function createBaseImage(base: string, buildah: Buildah): void {
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', base], { stdio: ['ignore', 'ignore', 2] })
  // Each step of the build copies the file system, so these directories are removed first.
  for (const path of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
    rmSync(join(base, path), { recursive: true })
  execFileSync('chroot', [base, 'useradd', `--uid=${user}`, '--create-home', 'node'])
  const local = join(base, 'usr/local')
  cpSync(nodeBinary(24), join(local, 'bin/node'))
  const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
  cpSync(join(modules, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const [, name = ''] = /^FROM (\S+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  const container = buildah('from', 'scratch')
  buildah('add', '--quiet', container, base, '/')
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  if (certificates) buildah('config', `--env=NODE_EXTRA_CA_CERTS=${certificates}`, container)
  buildah('commit', '--quiet', container, `docker.io/library/${name}`)
}
