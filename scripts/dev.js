// Runs the program from its sources, without a build: npm run dev -- users get 4711
import { rolldown } from 'rolldown'

const file = 'node_modules/.cache/facescan/dev.mjs'

const bundle = await rolldown({
  input: 'src/start/process.ts',
  platform: 'node',
  // Packages are not bundled, except helpers of rolldown.
  external: /^(?!src\/|@oxc-project\/)[@a-z][^:]*$/,
})
await bundle.write({ file, format: 'esm', codeSplitting: false, sourcemap: 'inline' })
process.setSourceMapsEnabled(true)
const { run } = await import(`../${file}`)
// npm starts scripts in the root of the package. Paths on the command line are relative to the caller's directory.
process.chdir(process.env.INIT_CWD ?? '.')
await run(process.argv.slice(2))
