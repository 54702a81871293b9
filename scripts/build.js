// Bundles src/ into dist/: one entry, a chunk for each lazily imported module, native packages left outside.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { build, transform } from 'esbuild'
import { deferredConstants } from './deferred-constants.js'

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const moduleUrl = "const moduleUrl=require('node:url').pathToFileURL(__filename).href;"

const output = { platform: 'node', target: 'node20.19', minify: true, logLevel: 'warning' }
const bundle = {
  ...output,
  bundle: true,
  external: Object.keys(optionalDependencies),
  define: { FACESCAN_VERSION: JSON.stringify(version) },
}

const { metafile, outputFiles } = await build({
  ...bundle,
  entryPoints: { cli: 'src/run.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [deferredConstants],
  metafile: true,
  write: false,
})

// Node starts CommonJS faster, and esbuild splits only ES modules: so they are split first and turned afterwards.
rmSync('dist', { recursive: true, force: true })
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, {
    ...output,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: text.includes('import.meta.url') ? moduleUrl : '',
  })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code)
}
cpSync('node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm', 'dist/chunks/node-sqlite3-wasm.wasm')
// What went where: read by the notices of a package and by the test of what a command loads; not shipped.
writeFileSync('dist/meta.json', JSON.stringify(metafile))

// The manual says what the program itself knows, so its own source writes it; apart, for it would be split into the program.
await build({
  ...bundle,
  entryPoints: ['src/man/pages.ts'],
  outfile: 'dist/manual.cjs',
  format: 'cjs',
  define: { ...bundle.define, 'import.meta.url': 'moduleUrl' },
  banner: { js: moduleUrl },
})
const { manPages } = createRequire(import.meta.url)('../dist/manual.cjs')
rmSync('dist/manual.cjs')
mkdirSync('dist/man')
for (const { file, text } of await manPages(version)) writeFileSync(`dist/man/${file}`, text)
