import { readSurface } from '../surface/read-surface.ts'
import { shells } from './install.ts'
import { completionScript } from './scripts.ts'

/** By shell: the build writes them in, for a shell may ask for its script whenever it starts. */
export const writtenScripts: Promise<Record<string, string>> = writeScripts()

async function writeScripts(): Promise<Record<string, string>> {
  const surface = await readSurface()
  return Object.fromEntries(shells.map((shell) => [shell, completionScript(shell, surface)]))
}
