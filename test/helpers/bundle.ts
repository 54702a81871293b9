import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Gives cli-table3 the string-width of the program, as the build does. The old one counts combining marks. */
const modernWidth: Plugin = {
  name: 'modern-width',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      /[\\/]cli-table3[\\/]/.test(importer) ? { path: 'string-width', namespace: 'modern-width' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'modern-width' }, () => ({
      contents: `module.exports = require('string-width').default`,
      resolveDir: process.cwd(),
    }))
  },
}

/** Bundles a TypeScript program of a test, so that Node can run it as a child process. */
export async function bundleProgram(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'facescan-program-'))
  const outfile = join(directory, 'program.mjs')
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: process.cwd() },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@napi-rs/keyring'],
    plugins: [modernWidth],
    banner: {
      js: "import{createRequire as nodeCreateRequire}from'node:module';const require=nodeCreateRequire(import.meta.url);",
    },
  })
  return outfile
}
