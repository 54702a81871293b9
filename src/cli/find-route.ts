import { UsageError } from '../base/errors.ts'
import { globalOptions } from '../framework/global-flags.ts'
import { findCommand, type Located, locate } from '../routes/find-command.ts'
import { findReplacement } from '../routes/unknown-command.ts'
import type { CommandLine } from './tokenize.ts'
import { findFlagProblems, hintForFlags, nameOf } from './unknown-flags.ts'
import { splitRest } from './words.ts'

/** Finds the command of a command line. Throws UsageError for an unknown command, and for an invalid flag if there is no command. */
export function findRoute(line: CommandLine): Located {
  const located = locate(line.operands)
  if (located.kind === 'command' || line.wantsHelp) return located
  const { unknownFlags, afterUnknownFlag } = splitRest(line)
  const later = findCommand([...line.operands, ...afterUnknownFlag])
  const isRemoved = unknownFlags.some((word) => findReplacement(nameOf(word)) !== undefined)
  if (later?.kind === 'command' && !isRemoved) {
    throw new UsageError(`the command must come before its flags: facescan ${later.name}`, {
      hint: `See: facescan ${later.name} --help`,
    })
  }
  const problems = findFlagProblems(line, globalOptions)
  const page = `facescan ${located.name}`.trim()
  if (problems.length > 0) throw new UsageError(problems, { hint: hintForFlags(unknownFlags, page) })
  return located
}
