import { type Shell, shells } from '../../command/shells.ts'
import { completionScript } from './scripts.ts'

/** The build replaces this module by its value, so that printing a script loads no command. */
export const writtenScripts: Promise<Record<Shell, string>> = writeScripts()

async function writeScripts(): Promise<Record<Shell, string>> {
  const scripts = shells.map(async (shell) => [shell, await completionScript(shell)] as const)
  return Object.fromEntries(await Promise.all(scripts)) as Record<Shell, string>
}
