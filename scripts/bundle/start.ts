import { resolvePaths } from '../../src/base/system/paths.ts'
import { enableCompileCache } from './compile-cache.ts'

/** Node 20 optimizes undici's parser at the first response and waits for the result. This sets the limit of later versions. */
async function postponeWasmOptimization(): Promise<void> {
  // Node compiles its own modules into a cache for one set of flags. Load those of a request before the flag changes.
  await import('node:net')
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--wasm-tiering-budget=13000000')
}

/** Starts the program from the bundle, as `bin/facescan.js` does. */
export async function run(argv: readonly string[]): Promise<void> {
  const isNode20 = process.version.startsWith('v20.')
  const isHelp = argv.length === 0 || argv.includes('--help') || argv.includes('-h')
  if (!isNode20) enableCompileCache(resolvePaths(process.env).cache)
  else if (!isHelp && argv[0] !== 'completion') await postponeWasmOptimization()
  const { run } = await import('../../src/start/process.ts')
  return run(argv)
}
