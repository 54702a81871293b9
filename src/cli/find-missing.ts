import { Option } from 'commander'
import type { Command } from '../command/define-command.ts'
import { type ArgumentRow, argumentName, type OptionRow } from '../command/options.ts'
import type { SortedWords } from './sorted-words.ts'

/** The required arguments that a command line lacks. */
export function missingArguments({ args }: Command, { operands }: SortedWords): ArgumentRow[] {
  return args.slice(operands.length).filter(([pattern]) => pattern.startsWith('<'))
}

/** The required flags that a command line lacks. */
export function missingFlags({ options }: Command, { given }: SortedWords): OptionRow[] {
  return options.filter(
    ([flags, , spec]) => spec?.required && given[new Option(flags).attributeName()] === undefined,
  )
}

export function describeMissing(command: Command, words: SortedWords): string[] {
  return [
    ...missingArguments(command, words).map(
      ([pattern, summary]) => `missing argument ${argumentName(pattern)}: ${summary}`,
    ),
    ...missingFlags(command, words).map(
      ([flags, summary]) => `missing flag ${new Option(flags).long}: ${summary}`,
    ),
  ]
}
