// Bundles src/ into dist/: one entry, a chunk for each lazily imported module, native packages left outside.
import { readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: { cli: 'src/run.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: Object.keys({ ...dependencies, ...optionalDependencies }),
  // jq-wasm is CommonJS and asks where its file is.
  define: { FACESCAN_VERSION: JSON.stringify(version), __dirname: 'import.meta.dirname' },
  // CommonJS packages inside an ES module bundle still ask for Node's own modules with require.
  banner: {
    js: "import{createRequire as nodeCreateRequire}from'node:module';const require=nodeCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
})
