// Makes build/facescan: one executable that holds Node, the program, its completions and the sandbox.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { loadBuiltinsLate } from './lazy-builtins.js'
import { lighterPackages } from './lighter-packages.js'
import { nodeBinary } from './node-binaries.js'
import { writtenIn } from './written-in.js'

// The first Node that writes the executable itself; its SQLite takes the place of the packages for it.
const node = nodeBinary(26)
const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

const {
  outputFiles: [program],
} = await build({
  entryPoints: ['scripts/binary-entry.js'],
  write: false,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node26',
  minify: true,
  external: [...Object.keys(optionalDependencies), 'node-sqlite3-wasm'],
  // An executable loads modules with require alone.
  supported: { 'dynamic-import': false },
  define: { FACESCAN_VERSION: JSON.stringify(version), 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL(process.execPath).href;" },
  plugins: [lighterPackages, writtenIn],
  logLevel: 'warning',
})
mkdirSync('build', { recursive: true })
writeFileSync('build/facescan.cjs', loadBuiltinsLate(program.text))
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
