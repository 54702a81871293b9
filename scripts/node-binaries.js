// Other versions of Node for tests, benchmarks, and the single executable. They come from npm packages that contain only bin/node.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const cache = 'node_modules/.cache/facescan-nodes'

/** Returns the path of the newest Node of a major version. Installs it on first use. */
export function nodeBinary(major) {
  const folder = join(cache, String(major))
  const binary = join(
    folder,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (existsSync(binary)) return join(process.cwd(), binary)
  mkdirSync(folder, { recursive: true })
  // Without this file, npm would use the package.json of this project.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const spec = `node@npm:node-${platform}-${process.arch}@${major}`
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', spec], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  return join(process.cwd(), binary)
}
