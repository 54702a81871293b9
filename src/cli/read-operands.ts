import { Option } from 'commander'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Command } from '../command/define-command.ts'
import { globalOptions } from '../command/global-flags.ts'
import { type ArgumentRow, argumentKey, argumentName, type OptionRow } from '../command/options.ts'
import { parseText } from './parse-text.ts'
import { lastText, type SortedWords } from './sorted-words.ts'

/** The values of a command's arguments by their name in `input`. */
export function readOperands(
  name: string,
  command: Command,
  { operands, given }: SortedWords,
  problems: string[],
): Record<string, unknown> {
  const isVariadic = command.args.at(-1)?.[0].includes('...') ?? false
  const excess = isVariadic ? [] : operands.slice(command.args.length)
  if (excess.length > 0) problems.push(describeExcess(name, command, excess, given))
  return Object.fromEntries(
    command.args.map((row, index) => [
      argumentKey(row[0]),
      readArgument(row, operands.slice(index), problems),
    ]),
  )
}

function readArgument(
  [pattern, , parse]: ArgumentRow,
  texts: readonly string[],
  problems: string[],
): unknown {
  const [first] = texts
  if (pattern.includes('...')) return texts
  return first !== undefined && parse ? parseText(argumentName(pattern), first, parse, problems) : first
}

function describeExcess(
  name: string,
  command: Command,
  excess: readonly string[],
  given: SortedWords['given'],
): string {
  const { args, user, hasUserArgument } = command
  const accepted = args.length === 0 ? 'no arguments' : `only ${args.map(([pattern]) => pattern).join(' ')}`
  const who =
    user && !hasUserArgument && `Pass the user with --external-user-id ${quoteWord(excess[0] ?? '')}`
  const hint = explainBareFlag(command, given) ?? who
  return [`too many arguments: facescan ${name} accepts ${accepted}`, hint].filter(Boolean).join('. ')
}

/** Explains that the word after a flag with an optional value is an argument. */
export function explainBareFlag({ options }: Command, given: SortedWords['given']): string | undefined {
  const rows: readonly OptionRow[] = [...options, ...globalOptions]
  const bare = rows
    .map(([flags]) => new Option(flags))
    .find((option) => option.optional && lastText(given[option.attributeName()]) === '')
  return bare && `Pass the value of ${bare.long} after an equals sign: ${bare.flags.replace(' ', '=')}`
}
