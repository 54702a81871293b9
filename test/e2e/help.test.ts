import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const home = mkdtempSync(join(tmpdir(), 'facescan-help-'))

/** The built program answers a plain call for help from pages that the build wrote; in this process each page is made. */
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
])('"%s" gets the same answer from the built program as from its source', async (line) => {
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
