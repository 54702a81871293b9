// Runs the tests of test/nodes.config.ts on the newest Node 22 and 24. Arguments select other major versions.
import { spawnSync } from 'node:child_process'
import { nodeBinary } from './node-binaries.js'

const majors = process.argv.length > 2 ? process.argv.slice(2) : [22, 24]
const run = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/nodes.config.ts']
const failed = majors.filter((major) => {
  const node = nodeBinary(major)
  process.stdout.write(`\n${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout}`)
  return spawnSync(node, run, { stdio: 'inherit' }).status !== 0
})
if (failed.length > 0) {
  process.stderr.write(`The tests fail on Node ${failed.join(', ')}.\n`)
  process.exit(1)
}
