import { UsageError } from '../base/errors.ts'
import type { Command } from '../command/define-command.ts'
import { globalOptions } from '../command/global-flags.ts'
import { sortWords } from './sort-words.ts'
import type { SortedWords } from './sorted-words.ts'

/** Sorts a command line by the flags of its command. The operands no longer include the name of the command. */
export function sortCommandWords(name: string, command: Command, argv: readonly string[]): SortedWords {
  const words = sortWords(argv, [...command.options, ...globalOptions])
  const path = name.split(' ')
  const before = [...words.operands, ...words.doubtful].slice(0, path.length)
  if (before.join(' ') !== name) {
    throw new UsageError(`the command must come before its flags: facescan ${name}`, {
      hint: `See: facescan ${name} --help`,
    })
  }
  return {
    ...words,
    operands: words.operands.slice(path.length),
    doubtful: words.doubtful.slice(Math.max(0, path.length - words.operands.length)),
  }
}
