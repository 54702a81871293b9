// Bundles src/ into dist/: dist/cli.cjs, one chunk for each lazily imported module, and the manual pages.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build, transform } from 'esbuild'
import { evaluate, inlineData } from './inline-data.js'
import { lazyBuiltins } from './lazy-builtins.js'
import { replaceModules } from './replace-modules.js'

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const output = { platform: 'node', target: 'node20.19', minify: true, logLevel: 'warning' }
const moduleUrl = "const moduleUrl=require('node:url').pathToFileURL(__filename).href;"

/** Options that the package and the single executable share. */
export const bundleOptions = {
  ...output,
  bundle: true,
  external: Object.keys(optionalDependencies),
  define: { FACESCAN_VERSION: JSON.stringify(version) },
  plugins: [inlineData, replaceModules, lazyBuiltins],
}

/** esbuild splits only ES modules, and Node 20 loads CommonJS 9 ms faster, so each chunk is converted. */
async function toCommonJs(text) {
  const { code } = await transform(text, {
    ...output,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: text.includes('import.meta.url') ? moduleUrl : '',
  })
  return code
}

async function buildPackage() {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    entryPoints: { cli: 'scripts/bundle/start.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
    write: false,
  })
  rmSync('dist', { recursive: true, force: true })
  for (const folder of ['dist/chunks', 'dist/man']) mkdirSync(folder, { recursive: true })
  for (const { path, text } of outputFiles) writeFileSync(path, await toCommonJs(text))
  // Read by notices.js and by tests; not published.
  writeFileSync('dist/meta.json', JSON.stringify(metafile))
}

async function writeManual() {
  const { manPages } = await evaluate('src/manual/man/pages.ts', bundleOptions.define)
  for (const { file, text } of await manPages(version)) writeFileSync(`dist/man/${file}`, text)
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  await buildPackage()
  await writeManual()
}
