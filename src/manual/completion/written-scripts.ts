import { shells } from '../../command/shells.ts'
import { readSurface } from '../surface.ts'
import { completionScript } from './scripts.ts'

/** By shell: the build writes them in, for a shell may ask for its script whenever it starts. */
export const writtenScripts: Promise<Record<string, string>> = writeScripts()

async function writeScripts(): Promise<Record<string, string>> {
  const surface = await readSurface()
  return Object.fromEntries(shells.map((shell) => [shell, completionScript(shell, surface)]))
}
