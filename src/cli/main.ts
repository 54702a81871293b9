import { version } from '../base/process.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import { write } from '../output/write.ts'
import { findCommand, type Located } from '../routes/routes.ts'
import { type CommandLine, tokenize } from './tokenize.ts'

/** Runs one command line and resolves with the exit code. Code is loaded when it is needed, so that help starts fast. */
export async function main(argv: readonly string[], environment: ProcessEnvironment): Promise<number> {
  const line = await tokenize(argv)
  try {
    const route = line.wantsVersion ? undefined : await locateCommand(line)
    if (route === undefined) await write(environment.io.stdout, `${version}\n`)
    else if (route.kind === 'command' && !line.wantsHelp) {
      const { runCommand } = await import('./run-command.ts')
      await runCommand(route, line, environment, main)
    } else await (await import('./show-help.ts')).showHelp(route, line, environment)
    return 0
  } catch (error) {
    const { reportError } = await import('./report-error.ts')
    return reportError(error, line, environment)
  }
}

/** Finds the command of a line. Throws UsageError for an unknown command, and for an invalid flag if the line contains no command. */
export async function locateCommand(line: CommandLine): Promise<Located> {
  const found = findCommand(line.operands)
  const isReadable = line.rest.length === 0 && line.valueless === undefined
  if (found && (found.kind === 'command' || line.wantsHelp || isReadable)) return found
  throw await (await import('./describe-problems.ts')).explainRoute(line, found)
}
