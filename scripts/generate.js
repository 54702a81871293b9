// Updates every generated file that is committed: npm run generate
// Runs the tests that use test/helpers/generated.ts, with --update, so that they write their files. Then updates the pictures of the README.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((path) => readFileSync(path, 'utf8').includes('helpers/generated.ts'))

run('node_modules/vitest/vitest.mjs', 'run', ...tests, '--update')
run('scripts/screens/main.js', '--pictures')
