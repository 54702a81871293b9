import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('the setup script keeps the packages if node_modules is a symbolic link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facescan-setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [clone, packages] = [join(folder, 'clone'), join(folder, 'packages')]
  mkdirSync(join(packages, 'zod'), { recursive: true })
  mkdirSync(join(clone, 'scripts'), { recursive: true })
  symlinkSync(packages, join(clone, 'node_modules'))
  copyFileSync('scripts/setup.js', join(clone, 'scripts/setup.js'))
  for (const name of ['src', 'dist']) mkdirSync(join(clone, name))
  writeFileSync(join(clone, 'package.json'), '{ "name": "clone", "version": "1.0.0", "type": "module" }')
  const lock = { name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true, packages: {} }
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock))
  const { status } = spawnSync(process.execPath, ['scripts/setup.js', '--no-build'], { cwd: clone })
  expect([status, readdirSync(packages)]).toEqual([0, ['zod']])
})
