import { Option } from 'commander'
import type { Command } from '../command/define-command.ts'
import { globalOptions } from '../command/global-flags.ts'
import type { ArgumentRow, OptionRow } from '../command/options.ts'
import { parseText } from './parse-text.ts'
import { lastText, type SortedWords } from './sorted-words.ts'

/** The values of a command's arguments. */
export function readOperands(
  name: string,
  command: Command,
  { operands, given }: SortedWords,
  problems: string[],
): unknown[] {
  const isVariadic = command.args.at(-1)?.[0].includes('...') ?? false
  const excess = isVariadic ? [] : operands.slice(command.args.length)
  if (excess.length > 0) problems.push(describeExcess(name, command, given))
  return command.args.map((row, index) => readArgument(row, operands.slice(index), problems))
}

function readArgument(
  [pattern, , parse]: ArgumentRow,
  texts: readonly string[],
  problems: string[],
): unknown {
  const [first] = texts
  if (pattern.includes('...')) return texts
  return first !== undefined && parse ? parseText(plainName(pattern), first, parse, problems) : first
}

/** `lookup-key` for `<lookup-key>`. */
export function plainName(pattern: string): string {
  return pattern.replace(/[<>[\].]/g, '')
}

function describeExcess(name: string, command: Command, given: SortedWords['given']): string {
  const { args, options, user } = command
  const takes = args.length === 0 ? 'no argument' : args.map(([pattern]) => pattern).join(' ')
  const who = user && 'A user is named with --external-user-id ID'
  const hint = explainBareFlag([...options, ...globalOptions], given) ?? who
  return [`too many arguments: facescan ${name} takes ${takes}`, hint].filter(Boolean).join('. ')
}

/** The word after a flag with an optional value is an argument, which the person may not expect. */
function explainBareFlag(rows: readonly OptionRow[], given: SortedWords['given']): string | undefined {
  const bare = rows
    .map(([flags]) => new Option(flags))
    .find((option) => option.optional && lastText(given[option.attributeName()]) === '')
  return bare && `The value of ${bare.long} follows an equals sign: ${bare.flags.replace(' ', '=')}`
}
