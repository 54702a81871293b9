import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { onTestFinished } from 'vitest'
import type { main } from '../../src/cli/main.ts'

/**
 * Builds the program with some modules replaced, for example to show that a test detects a missing protection. The shipped program has no
 * option that replaces modules.
 */
export async function buildAltered(replaced: Readonly<Record<string, string>>): Promise<string> {
  const folder = await bundleAltered('src/start/process.ts', replaced)
  const path = join(folder, 'start.mjs')
  writeFileSync(path, "import { run } from './program.mjs'\nawait run(process.argv.slice(2))\n")
  return path
}

/** Builds the program and replaces some of its modules. The program runs in this process and uses the test's clock. */
export async function importAltered(replaced: Readonly<Record<string, string>>): Promise<typeof main> {
  const folder = await bundleAltered('src/cli/main.ts', replaced)
  const program = await import(join(folder, 'program.mjs'))
  return program.main
}

async function bundleAltered(entry: string, replaced: Readonly<Record<string, string>>): Promise<string> {
  // Node finds the project's packages from this directory.
  const cache = resolve('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'facescan-altered-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const missing = new Set(Object.keys(replaced))
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    // Packages are not bundled, except helpers of rolldown.
    external: /^(?!src\/|@oxc-project\/)[@a-z][^:]*$/,
    plugins: [
      {
        name: 'replace modules',
        load(path) {
          const name = Object.keys(replaced).find((end) => path.endsWith(`/src/bulk/${end}`))
          if (name === undefined) return undefined
          missing.delete(name)
          return { code: replaced[name] ?? '', moduleType: 'ts' }
        },
      },
    ],
  })
  await bundle.write({ file: join(folder, 'program.mjs'), format: 'esm', codeSplitting: false })
  if (missing.size > 0) throw new Error(`the program does not contain ${[...missing].join(', ')}`)
  return folder
}
