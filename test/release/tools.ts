import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Third-party tools for release checks. They are not dependencies, because nothing else needs them. */
const tools = {
  '@redocly/cli': '2.77.0',
  '@stoplight/prism-cli': '5.14.2',
  '@stoplight/spectral-cli': '6.16.3',
  'kubernetes-models': '5.1.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
  yaml: '2.9.1',
}

export const toolFolder = resolve('node_modules/.cache/facescan-release-tools')

/** Installs the tools on first use. */
export function installTools(): void {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: tools })
  const path = join(toolFolder, 'package.json')
  if (existsSync(join(toolFolder, manifestMark(manifest)))) return
  mkdirSync(toolFolder, { recursive: true })
  writeFileSync(path, manifest)
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  execFileSync('npm', ['install', ...flags], { cwd: toolFolder, stdio: ['ignore', 'ignore', 2] })
  writeFileSync(join(toolFolder, manifestMark(manifest)), '')
}

/** Name of a file that exists if the tools are installed. The name depends on the versions, so that new versions are installed. */
function manifestMark(manifest: string): string {
  return `installed-${Buffer.from(manifest).toString('base64url').slice(-24)}`
}

/** Runs a tool in the directory of the tools. Returns its output. If the tool fails, throws with the output. */
export function runTool(name: string, ...args: string[]): string {
  const path = join(toolFolder, 'node_modules/.bin', name)
  try {
    return execFileSync(path, args, { cwd: toolFolder, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${name} failed:\n${stdout}\n${stderr}`)
  }
}
