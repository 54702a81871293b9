import { version } from '../base/version.ts'
import type { Outside } from '../context/composition.ts'
import { write } from '../output/write.ts'
import { type CommandLine, readCommandLine } from './command-line.ts'
import { locateCommand } from './locate-command.ts'

/**
 * Runs one command line and resolves with its exit code. `given` contains everything from outside the program. Each step is loaded
 * when it is needed, so that help and the version appear at once.
 */
export async function main(argv: readonly string[], given: Outside): Promise<number> {
  const line = await readCommandLine(argv)
  const outside = line.redact ? await redact(given) : given
  try {
    await dispatch(line, outside)
    return 0
  } catch (error) {
    const { reportError } = await import('./report-error.ts')
    return reportError(error, line, outside)
  }
}

/** From here on, all output contains pseudonyms, including errors. */
async function redact(outside: Outside): Promise<Outside> {
  const { coverStreams, openPseudonyms } = await import('../output/pseudonyms.ts')
  const pseudonyms = await openPseudonyms(outside.env)
  return { ...outside, io: coverStreams(outside.io, pseudonyms), pseudonyms }
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
