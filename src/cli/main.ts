import { version } from '../base/version.ts'
import type { Outside } from '../context/composition.ts'
import { write } from '../output/write.ts'
import { type CommandLine, readCommandLine } from './command-line.ts'
import { locateCommand } from './locate-command.ts'

/**
 * Runs one command line and resolves with its exit code. Each step is loaded when it is needed, so that help and the version
 * appear at once.
 */
export async function main(argv: readonly string[], outside: Outside): Promise<number> {
  const line = await readCommandLine(argv)
  try {
    await dispatch(line, outside)
    return 0
  } catch (error) {
    const { reportError } = await import('./report-error.ts')
    return reportError(error, line, outside)
  }
}

async function dispatch(line: CommandLine, outside: Outside): Promise<void> {
  if (line.wantsVersion) return write(outside.io.stdout, `${version}\n`)
  const located = locateCommand(line)
  if (located.kind !== 'command' || line.wantsHelp) {
    const { showHelp } = await import('./show-help.ts')
    return showHelp(located, line, outside)
  }
  const { runCommand } = await import('./run-command.ts')
  await runCommand(located, line, { outside, main })
}
