import { Option } from 'commander'
import type { Command } from '../command/define-command.ts'
import { argumentName } from '../command/options.ts'
import type { SortedWords } from './sorted-words.ts'

/** Problems with required arguments and flags that are missing. */
export function findMissing({ args, options }: Command, { operands, given }: SortedWords): string[] {
  const missingArguments = args
    .slice(operands.length)
    .filter(([pattern]) => pattern.startsWith('<'))
    .map(([pattern, summary]) => `${argumentName(pattern)} is missing: ${summary}`)
  const missingFlags = options
    .filter(([flags, , spec]) => spec?.required && given[new Option(flags).attributeName()] === undefined)
    .map(([flags, summary]) => `${new Option(flags).long} is missing: ${summary}`)
  return [...missingArguments, ...missingFlags]
}
