// Replaces modules of src whose exports are plain data by that data, so that the program does not compute it at every start.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const modules = /\/src\/(manual\/completion\/written-scripts|manual\/help\/written-pages)\.ts$/

/** Runs a module of the source in this process and returns its exports. */
export async function evaluate(entry, define) {
  const folder = mkdtempSync(join(tmpdir(), 'facescan-build-'))
  const outfile = join(folder, 'module.cjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { ...define, 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  })
  try {
    return createRequire(import.meta.url)(outfile)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const inlineData = {
  name: 'inline-data',
  setup(build) {
    build.onLoad({ filter: modules }, async ({ path }) => {
      const values = Object.entries(await evaluate(path, build.initialOptions.define))
      const lines = values.map(async ([name, value]) => {
        const text = JSON.stringify(await value)
        return `export const ${name} = JSON.parse(${JSON.stringify(text)})`
      })
      return { contents: (await Promise.all(lines)).join('\n'), loader: 'js' }
    })
  },
}
