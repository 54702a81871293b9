// Some modules of src export only data. This build step computes that data once and writes it in place of the module, so that the program
// does not compute it at each start.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const inlined = resolve('src/help/pages/written-pages.ts')

/** Runs a module of src in this process. Returns its exports. */
export async function evaluate(input, version) {
  // The directory is inside the package, because the built module reads files of the package. It is not in node_modules, because
  // node_modules can be a link to another package.
  const folder = mkdtempSync('.facescan-build-')
  const file = join(folder, 'module.cjs')
  const define = { FACESCAN_VERSION: JSON.stringify(version) }
  const bundle = await rolldown({ input, platform: 'node', transform: { define } })
  await bundle.write({ file, format: 'cjs', codeSplitting: false })
  try {
    return createRequire(import.meta.url)(resolve(file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const inlineData = (version) => ({
  name: 'inline-data',
  async load(path) {
    if (path !== inlined) return undefined
    const values = Object.entries(await evaluate(path, version))
    const lines = values.map(
      async ([name, value]) =>
        `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(await value))})`,
    )
    return { code: (await Promise.all(lines)).join('\n'), moduleType: 'js' }
  },
  buildEnd(error) {
    // Without this check, a renamed module would be bundled without its data. The installed program would then look for the source files
    // of its help.
    if (!error && !existsSync(inlined)) throw new Error(`${inlined} does not exist`)
  },
})
