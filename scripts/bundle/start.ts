import { resolvePaths } from '../../src/base/paths.ts'
import { enableCompileCache } from './compile-cache.ts'

/** Starts the program from the bundle. Called by `bin/facescan.js`. */
export async function run(argv: readonly string[]): Promise<void> {
  // Node 20 has no compile cache. Checking the version is faster than loading node:module to look for the function.
  if (!process.version.startsWith('v20.')) enableCompileCache(resolvePaths(process.env).cache)
  const { run } = await import('../../src/start/process.ts')
  return run(argv)
}
