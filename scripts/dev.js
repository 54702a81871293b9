// Runs the program from its sources, without a build: npm run dev -- users get 4711
import { build } from 'esbuild'

const entry = 'src/start/process.ts'
const outfile = 'node_modules/.cache/facescan/dev.mjs'

await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  sourcemap: 'inline',
  logLevel: 'warning',
})
process.setSourceMapsEnabled(true)
const { run } = await import(`../${outfile}`)
// npm starts scripts in the root of the package; paths on the command line are relative to the caller's folder.
process.chdir(process.env.INIT_CWD ?? '.')
await run(process.argv.slice(2))
