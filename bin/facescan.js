#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import module from 'node:module'

// Imports nothing of the program before it is needed: --version must cost no more than Node itself.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  module.enableCompileCache?.()
  const { run } = await import('../dist/cli.js')
  await run(argv)
}
