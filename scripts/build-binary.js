// Builds build/facescan: one executable with Node, the program, and its sandbox.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { inputOptions, outputOptions } from './bundle/build.js'
import { nodeBinary } from './node-binaries.js'

// The option `--build-sea` needs a new version of Node. This Node includes SQLite, so the executable needs no SQLite package.
const node = nodeBinary(26)

const bundle = await rolldown({ ...inputOptions, input: 'src/start/process.ts' })
await bundle.write({
  ...outputOptions,
  file: 'build/facescan.cjs',
  codeSplitting: false,
  footer: 'exports.run(process.argv.slice(2))',
})
const completions = readdirSync('completions').map((name) => `completions/${name}`)
const files = ['examples/answers.csv', 'examples/staff.csv', 'examples/tour.md', ...completions]
const settings = {
  main: 'build/facescan.cjs',
  output: 'build/facescan',
  executable: node,
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets: Object.fromEntries(files.map((path) => [path, path])),
}
writeFileSync('build/sea.json', JSON.stringify(settings))
execFileSync(node, ['--build-sea', 'build/sea.json'], { stdio: ['ignore', 2, 2] })
