import { type Shell, shells } from '../../command/shells.ts'
import { readSurface } from '../surface.ts'
import { completionScript } from './scripts.ts'

/** The build replaces this module by its value, so that printing a script loads no command. */
export const writtenScripts: Promise<Record<Shell, string>> = writeScripts()

async function writeScripts(): Promise<Record<Shell, string>> {
  const surface = await readSurface()
  const scripts = shells.map((shell) => [shell, completionScript(shell, surface)] as const)
  return Object.fromEntries(scripts) as Record<Shell, string>
}
