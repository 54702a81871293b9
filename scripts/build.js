// Bundles src/ into dist/: one entry, a chunk for each lazily imported module, native packages left outside.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { deferredConstants } from './deferred-constants.js'

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

rmSync('dist', { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: { cli: 'src/run.ts', manual: 'src/man/pages.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: Object.keys(optionalDependencies),
  // Two CommonJS packages with WebAssembly ask where their file is.
  define: { FACESCAN_VERSION: JSON.stringify(version), __dirname: 'import.meta.dirname' },
  // CommonJS packages inside an ES module bundle still ask for Node's own modules with require.
  banner: {
    js: "import{createRequire as nodeCreateRequire}from'node:module';const require=nodeCreateRequire(import.meta.url);",
  },
  plugins: [deferredConstants],
  metafile: true,
  logLevel: 'warning',
})
cpSync('node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm', 'dist/chunks/node-sqlite3-wasm.wasm')
// What went where: read by the notices of a package and by the test of what a command loads; not shipped.
writeFileSync('dist/meta.json', JSON.stringify(metafile))

// The manual says what the program itself knows, so the program that was just built writes it.
const { manPages } = await import('../dist/manual.js')
rmSync('dist/manual.js')
mkdirSync('dist/man')
for (const { file, text } of await manPages(version)) writeFileSync(`dist/man/${file}`, text)
