// Bundles src/ into dist/: one entry, a chunk for each lazily imported module, native packages left outside.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { build, transform } from 'esbuild'
import { loadBuiltinsLate } from './lazy-builtins.js'
import { lighterPackages } from './lighter-packages.js'
import { packChunks } from './packs.js'
import { wasmOutside, writeWasmFiles } from './wasm-files.js'
import { evaluate, writtenIn } from './written-in.js'

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
  entryPoints: { cli: 'src/start/process.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [lighterPackages, wasmOutside, writtenIn],
  metafile: true,
  write: false,
})

function hashOf(files) {
  const hash = createHash('sha256')
  for (const [path, code] of files) hash.update(path).update(code)
  return hash.digest('hex').slice(0, 12)
}

/** esbuild has each export read through two getters, the outer of which V8 cannot foresee: that is slow where a row or a request calls. */
function exportDirectly(code) {
  const copied = /[\w$]+\(([\w$]+)\(\{\},"__esModule",\{value:!0\}\),([\w$]+)\)/
  if (!copied.test(code)) throw new Error('esbuild hands out exports in another way than is known here')
  return code.replace(copied, '$1($2,"__esModule",{value:!0})')
}

// Node starts CommonJS faster, and esbuild splits only ES modules: so they are split first and turned afterwards.
const chunks = outputFiles.map(async ({ path, text }) => {
  const { code } = await transform(text, {
    ...output,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: text.includes('import.meta.url') ? moduleUrl : '',
  })
  return [relative('.', path), loadBuiltinsLate(exportDirectly(code))]
})
const files = packChunks(await Promise.all(chunks), metafile.outputs)
rmSync('dist', { recursive: true, force: true })
mkdirSync('dist/chunks', { recursive: true })
mkdirSync('dist/packs')
for (const [path, code] of files) writeFileSync(path, code)
const {
  outputFiles: [start],
} = await build({
  ...bundle,
  entryPoints: ['src/start/load-bundle.ts'],
  format: 'cjs',
  define: { FACESCAN_BUILD: JSON.stringify(hashOf(files)) },
  write: false,
})
writeFileSync('dist/cli.cjs', loadBuiltinsLate(start.text))
writeWasmFiles('dist/chunks')
// What went where: read by the notices of a package and by the test of what a command loads; not shipped.
writeFileSync('dist/meta.json', JSON.stringify(metafile))

// The manual says what the program itself knows, so its own source writes it.
const { manPages } = await evaluate('src/manual/man/pages.ts', bundle.define)
mkdirSync('dist/man')
for (const { file, text } of await manPages(version)) writeFileSync(`dist/man/${file}`, text)
