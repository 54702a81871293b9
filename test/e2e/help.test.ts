import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const home = mkdtempSync(join(tmpdir(), 'facescan-help-'))

test.each([
  '',
  '--help',
  'users -h',
  'users get --help',
  '--help answers import',
  'scan-url --help',
  'users get --help --json',
  'user --help',
  'users got --help',
])('"%s" prints the same help in the built program as from source', async (line) => {
  const { facescan } = createMachine()
  const source = await facescan(line)
  const words = line.split(' ').filter(Boolean)
  const built = spawnSync(process.execPath, [resolve('bin/facescan.js'), ...words], {
    env: { HOME: home },
    encoding: 'utf8',
  })
  expect({ ...built, stdout: built.stdout.replaceAll(version, '0.0.0-dev') }).toMatchObject({
    status: source.exitCode,
    stdout: source.stdout,
    stderr: source.stderr,
  })
})
