import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'

/**
 * The program with some of its modules replaced, as a file that Node runs. Shows that a test notices a missing protection,
 * which nothing in the shipped program can disable.
 */
export async function buildAltered(replaced: Readonly<Record<string, string>>): Promise<string> {
  // Packages are found from here.
  const cache = resolve('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'facescan-altered-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const missing = new Set(Object.keys(replaced))
  await build({
    entryPoints: ['src/start/process.ts'],
    outfile: join(folder, 'program.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [
      {
        name: 'replace modules',
        setup({ onLoad }) {
          onLoad({ filter: /\/src\/bulk\/.*\.ts$/ }, ({ path }) => {
            const name = Object.keys(replaced).find((end) => path.endsWith(end))
            if (name === undefined) return undefined
            missing.delete(name)
            return { contents: replaced[name] ?? '', loader: 'ts' }
          })
        },
      },
    ],
  })
  if (missing.size > 0) throw new Error(`the program does not contain ${[...missing].join(', ')}`)
  const path = join(folder, 'start.mjs')
  writeFileSync(path, "import { run } from './program.mjs'\nawait run(process.argv.slice(2))\n")
  return path
}
