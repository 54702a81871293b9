import { UsageError } from '../base/errors.ts'
import { globalOptions } from '../command/global-flags.ts'
import { findCommand, type Located, locate } from '../tree/locate.ts'
import type { CommandLine } from './read-command-line.ts'
import { describeUnknownFlag, hintForFlags } from './unknown-flag.ts'

/** The command of a command line. Throws UsageError for an unknown command, and for an invalid flag in a line without a command. */
export function locateCommand(line: CommandLine): Located {
  const located = locate(line.operands)
  if (located.kind === 'command' || line.wantsHelp) return located
  // A command may follow one of its own flags: `facescan --if-not-exists users create`.
  const later = findCommand([...line.operands, ...line.doubtful])
  if (later?.kind === 'command') return later
  const problems = findFlagProblems(line)
  const page = `facescan ${located.name}`.trim()
  if (problems.length > 0) throw new UsageError(problems, { hint: hintForFlags(line.unknownFlags, page) })
  return located
}

function findFlagProblems({ unknownFlags, valueless }: CommandLine): string[] {
  return [
    ...unknownFlags.map((word) => describeUnknownFlag(word, globalOptions)),
    ...(valueless === undefined ? [] : [`${valueless} needs a value`]),
  ]
}
