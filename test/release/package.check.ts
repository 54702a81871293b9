import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeBinary } from '../../scripts/node-binaries.js'

let folder: string
let tarball: string
let files: string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'facescan-package-'))
  execFileSync('npm', ['pack', '--silent', `--pack-destination=${folder}`], {
    stdio: ['ignore', 'ignore', 2],
  })
  const [name = ''] = readdirSync(folder)
  tarball = join(folder, name)
  const listing = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  files = listing.trim().split('\n').sort()
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
})

afterAll(() => rmSync(folder, { recursive: true }))

function shipped(file: string) {
  return readFileSync(join(folder, 'package', file), 'utf8')
}

/** Installs the tarball offline with the given version of Node. */
function install(major: number): (...words: string[]) => SpawnSyncReturns<string> {
  const prefix = join(folder, `node-${major}`)
  const bin = join(prefix, 'bin')
  cpSync(nodeBinary(major), join(bin, 'node'))
  const env = {
    FACESCAN_PROFILE: 'SANDBOX-DEV',
    HOME: join(prefix, 'home'),
    PATH: `${bin}:/usr/bin:/bin`,
    npm_config_cache: join(prefix, 'empty-cache'),
  }
  const npm = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()
  const installed = spawnSync(
    join(bin, 'node'),
    [join(npm, 'npm/bin/npm-cli.js'), 'install', '-g', '--offline', `--prefix=${prefix}`, tarball],
    { env, encoding: 'utf8', cwd: folder },
  )
  expect(installed.status, installed.stderr).toBe(0)
  return (...words) => spawnSync(join(bin, 'facescan'), words, { env, cwd: folder, encoding: 'utf8' })
}

test('the npm package contains the program and its license notices, and no development files', () => {
  const expected = /^package\/(bin|dist|completions|examples)\/|^package\/(package\.json|README\.md|LICENSE)$/
  expect(files.filter((file) => !expected.test(file))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['package/dist/THIRD-PARTY-LICENSES.txt', 'package/LICENSE']))
  expect(files).not.toContain('package/dist/meta.json')
  expect(statSync(tarball).size).toBeLessThan(1_400_000)
})

test('the package has no install script, no exports, and no dependencies', () => {
  const manifest = JSON.parse(shipped('package.json'))
  for (const script of ['preinstall', 'install', 'postinstall'])
    expect(manifest.scripts).not.toHaveProperty(script)
  expect(manifest).toMatchObject({ exports: {}, publishConfig: { provenance: true } })
  expect(manifest.dependencies).toBeUndefined()
})

/** In a fresh clone, no packages are installed and the program is not built. */
test('in a clone, facescan prints the missing steps until npm link was run, and then works', () => {
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${process.cwd()}`, clone])
  const before = spawnSync(process.execPath, [join(clone, 'bin/facescan.js'), 'status'], { encoding: 'utf8' })
  expect(before.stderr).toBe(`error: facescan is not built. Run: npm --prefix ${clone} run setup\n`)
  const prefix = join(folder, 'linked')
  const env = { ...process.env, npm_config_prefix: prefix }
  execFileSync('npm', ['link', '--loglevel=error'], { cwd: clone, env, stdio: ['ignore', 'ignore', 2] })
  const linked = spawnSync(join(prefix, 'bin/facescan'), ['demo', '--no-input'], { encoding: 'utf8', env })
  expect(linked).toMatchObject({ status: 0, stderr: expect.not.stringContaining('error') })
})

test('npm can install the program from git without optional packages', () => {
  const project = join(folder, 'from-git')
  mkdirSync(project)
  const args = ['install', '--prefix', project, '--omit=optional', '--loglevel=error']
  execFileSync('npm', [...args, `git+file://${process.cwd()}`], { stdio: ['ignore', 'ignore', 2] })
  const installed = join(project, 'node_modules/.bin/facescan')
  expect(execFileSync(installed, ['users', '--help'], { encoding: 'utf8' })).toContain('facescan users')
})

test('the bill of materials and the license file list all bundled packages', () => {
  const bill = JSON.parse(shipped('dist/sbom.cdx.json'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'facescan-cli' } } })
  const bundled = bill.components.filter((one: { scope: string }) => one.scope === 'required')
  const licences = shipped('dist/THIRD-PARTY-LICENSES.txt')
  for (const { name, version } of bundled) expect(licences).toContain(`${name} ${version}\n`)
  expect(bundled.map((one: { name: string }) => one.name)).toEqual(
    expect.arrayContaining(['zod', 'undici', 'commander', 'jq-wasm']),
  )
})

test('the bill of materials has the same versions and hashes as the lock file', () => {
  const { components } = JSON.parse(shipped('dist/sbom.cdx.json'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const locked = Object.entries<{ version?: string; integrity?: string }>(packages).map(
    ([path, { version, integrity = '' }]) => {
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
      return `${path.replace(/^.*node_modules\//, '')} ${version} ${hash}`
    },
  )
  for (const { group, name, version, hashes } of components) {
    const full = group === undefined || name.startsWith('@') ? name : `${group}/${name}`
    expect(locked).toContain(`${full} ${version} ${hashes[0].content}`)
  }
})

test('the sandbox fails on Node 20 without libsql, and the error suggests a newer version of Node', () => {
  const facescan = install(20)
  expect(facescan('--help')).toMatchObject({ status: 0, stderr: '' })
  const demo = facescan('demo')
  expect(demo.status).toBe(13)
  expect(demo.stderr).toContain('Use Node 22.13 or later')
})

test.each([22, 24, 26])(
  'a machine with only Node %i and the tarball runs the demo without a network',
  (major) => {
    const facescan = install(major)
    const { version } = JSON.parse(shipped('package.json'))
    expect(facescan('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(facescan('--help')).toMatchObject({ status: 0, stderr: '' })
    const demo = facescan('demo')
    expect(demo.stderr).not.toMatch(/error|warning/i)
    expect(demo).toMatchObject({ status: 0 })
    expect(facescan('users', 'create', '--external-user-id', '4711', '--json=customer').status).toBe(0)
    const read = facescan('users', 'get', '--external-user-id', '4711', '--json=user_id')
    expect(JSON.parse(read.stdout).user_id).toMatch(/^[0-9a-f-]{36}$/)
    const filtered = facescan('users', 'get', '--external-user-id', '4711', '--jq=.user_id')
    expect(filtered.stdout).toBe(`${JSON.parse(read.stdout).user_id}\n`)
  },
)
