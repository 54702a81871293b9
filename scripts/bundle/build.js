// Bundles src/ into dist/: dist/cli.cjs, the chunks that it loads, and the manual pages.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { rolldown } from 'rolldown'
import { evaluate, inlineData } from './inline-data.js'
import { lazyBuiltins } from './lazy-builtins.js'
import { replaceModules } from './replace-modules.js'

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Options that the package and the single executable share. */
export const inputOptions = {
  platform: 'node',
  external: Object.keys(optionalDependencies),
  // If the target were newer than ES2023, regular expressions with the flag v would remain literals in the output. V8 would compile them
  // when it loads the file, which slows the start.
  transform: { target: 'es2023', define: { FACESCAN_VERSION: JSON.stringify(version) } },
  plugins: [inlineData(version), replaceModules, lazyBuiltins],
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
}

/** Node loads CommonJS faster than ES modules, and an executable supports only CommonJS. */
export const outputOptions = { format: 'cjs', dynamicImportInCjs: false, minify: true }

/**
 * The main modules of each chunk. A chunk also contains their static imports. If several chunks import a module, it is in the first of
 * these chunks. Other modules are split automatically.
 */
const groups = {
  // This chunk enables the compile cache for all later chunks.
  first: ['scripts/bundle/start.ts'],
  start: [
    'src/start/process.ts',
    'src/cli/choose-output.ts',
    'src/output/colors.ts',
    'src/output/render-page.ts',
  ],
  help: ['src/cli/show-help.ts'],
  run: [
    ...['lazy:', 'src/base/', 'src/cli/run-command.ts', 'src/framework/define-command.ts'],
    'src/context/print-result.ts',
  ],
  session: ['src/profiles/session.ts'],
  api: ['src/context/open-api.ts'],
  sandbox: ['src/sandbox/index.ts', 'src/sandbox/handlers/users.ts'],
}

/**
 * Paths in `groups` for which the bundle has no module, for example because a module was renamed. The build fails for such a path, because
 * the program would start more slowly.
 */
const missing = new Set(Object.values(groups).flat())

function chunkOf([name, paths]) {
  const test = (id) => {
    const path = paths.find((part) => id.includes(part))
    missing.delete(path)
    return path !== undefined
  }
  return { name, test }
}

async function buildPackage() {
  const bundle = await rolldown({ ...inputOptions, input: { cli: 'scripts/bundle/start.ts' } })
  rmSync('dist', { recursive: true, force: true })
  const { output } = await bundle.write({
    ...outputOptions,
    dir: 'dist',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    codeSplitting: { groups: Object.entries(groups).map(chunkOf) },
  })
  if (missing.size > 0) throw new Error(`no module for a chunk: ${[...missing].join(', ')}`)
  // Data for notices.js and the tests. This file is not part of the package.
  writeFileSync('dist/meta.json', JSON.stringify(Object.fromEntries(output.map(describeChunk))))
}

function describeChunk({ fileName, modules }) {
  const used = Object.keys(modules).filter((path) => modules[path].renderedLength > 0)
  return [fileName, used.map((path) => relative('.', path))]
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  await buildPackage()
  mkdirSync('dist/man')
  const { manPages } = await evaluate('src/help/man/pages.ts', version)
  for (const { file, text } of await manPages(version)) writeFileSync(`dist/man/${file}`, text)
}
