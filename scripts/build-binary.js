// Builds build/facescan: one executable with Node, the program and its sandbox.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { bundleOptions } from './bundle/build.js'
import { nodeBinary } from './node-binaries.js'

// The first Node version that builds the executable itself. Its SQLite replaces the packages for SQLite.
const node = nodeBinary(26)

await build({
  ...bundleOptions,
  stdin: {
    contents: "import { run } from './src/start/process.ts'; run(process.argv.slice(2))",
    resolveDir: process.cwd(),
  },
  outfile: 'build/facescan.cjs',
  format: 'cjs',
  target: 'node26',
  // An executable loads modules only with require.
  supported: { 'dynamic-import': false },
  define: { ...bundleOptions.define, 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL(process.execPath).href;" },
})
const settings = {
  main: 'build/facescan.cjs',
  output: 'build/facescan',
  executable: node,
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets: { 'answers.csv': 'examples/answers.csv' },
}
writeFileSync('build/sea.json', JSON.stringify(settings))
execFileSync(node, ['--build-sea', 'build/sea.json'], { stdio: ['ignore', 2, 2] })
