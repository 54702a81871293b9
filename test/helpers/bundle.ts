import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

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
    banner: {
      js: "import{createRequire as nodeCreateRequire}from'node:module';const require=nodeCreateRequire(import.meta.url);",
    },
  })
  return outfile
}
