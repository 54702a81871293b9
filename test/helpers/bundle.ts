import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

const entry = 'program.ts'

/** Replaces string-width in cli-table3, as the build does, because cli-table3 has an old version that counts combining marks. */
const modernWidth: Plugin = {
  name: 'modern-width',
  resolveId: (path, importer) =>
    path === 'string-width' && /[\\/]cli-table3[\\/]/.test(importer ?? '') ? '\0modern-width' : undefined,
  load: (id) =>
    id === '\0modern-width'
      ? `module.exports = require('${join(process.cwd(), 'node_modules/string-width/index.js')}').default`
      : undefined,
}

/** Bundles the TypeScript source of a program for a child process. */
export async function bundleProgram(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'facescan-program-'))
  const file = join(directory, 'program.mjs')
  const program: Plugin = {
    name: 'program',
    resolveId: (path) => (path === entry ? join(process.cwd(), entry) : undefined),
    load: (id) => (id === join(process.cwd(), entry) ? source : undefined),
  }
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: ['@napi-rs/keyring'],
    plugins: [program, modernWidth],
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  return file
}
