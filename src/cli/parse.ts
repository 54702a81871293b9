import { Option } from 'commander'
import type { Environment } from '../base/io.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Command } from '../command/define-command.ts'
import { type GlobalFlags, globalOptions } from '../command/global-flags.ts'
import {
  type ArgumentRow,
  argumentKey,
  argumentName,
  type OptionRow,
  parseText,
  readValue,
} from '../command/options.ts'
import { describeUnknownFlag } from './locate-command.ts'
import { readUser } from './read-user.ts'
import type { SortedWords } from './sort-words.ts'

export interface Invocation {
  /** Arguments, options, and user, as `run` receives them. */
  input: Record<string, unknown>
  flags: GlobalFlags
  /** Everything that is wrong with the command line. Prompts can complete it only if this list is empty. */
  problems: readonly string[]
  /** The required arguments and flags that are missing, and the user. */
  missing: readonly string[]
  lacksUser: boolean
}

type Given = SortedWords['given']

/** Parses the words of a command, such as `users create`, and collects every problem. */
export function parseWords(name: string, command: Command, words: SortedWords, env: Environment): Invocation {
  const { given, unknownFlags, valueless } = words
  const problems = unknownFlags.map((word) =>
    describeUnknownFlag(word, [...command.options, ...globalOptions]),
  )
  if (valueless !== undefined) problems.push(`${valueless} needs a value`)
  const isReadable = problems.length === 0
  const options = readOptions(command.options, given, problems)
  const flags = readOptions(globalOptions, given, problems) as GlobalFlags
  // A misspelled or incomplete flag may be the missing value.
  if (!isReadable) return { input: options, flags, problems, missing: [], lacksUser: false }
  const missing = describeMissing(command, words)
  const args = readArguments(name, command, words, problems)
  const { user, problem, isMissing = false } = readUser(command, words, env)
  const input = { ...options, ...args, user }
  // For a list, the values of each row are checked instead.
  const isList = command.many !== undefined && given['users'] !== undefined
  if (missing.length === 0 && !isList) problems.push(...command.check(input))
  if (problem !== undefined) {
    const isArgument = command.hasUserArgument && words.operands.length > 0
    const bareFlag = isArgument ? explainBareFlag(words.bareFlag) : undefined
    const text = [problem, bareFlag].filter(Boolean).join('. ')
    if (isMissing) missing.push(text)
    else problems.push(text)
  }
  return { input, flags, problems, missing, lacksUser: isMissing }
}

function readOptions(rows: readonly OptionRow[], given: Given, problems: string[]): Record<string, unknown> {
  const values = rows.map((row) => [new Option(row[0]).attributeName(), readOption(row, given, problems)])
  return Object.fromEntries(values)
}

/** Returns the value of one flag. */
function readOption([flags, , spec = {}]: OptionRow, given: Given, problems: string[]): unknown {
  const option = new Option(flags)
  const texts = given[option.attributeName()]
  if (texts === undefined) {
    // A default is written as on the command line.
    if (spec.default !== undefined) return spec.parse ? spec.parse(spec.default) : spec.default
    return spec.many ? [] : option.isBoolean() ? false : undefined
  }
  if (typeof texts === 'boolean') return texts
  const name = option.long ?? flags
  if (spec.once && texts.length > 1) problems.push(`${name} can be used only once`)
  return readValue(name, texts, spec, problems)
}

/** Returns the arguments of a command by their names in `input`. */
function readArguments(
  name: string,
  command: Command,
  { operands, bareFlag }: SortedWords,
  problems: string[],
) {
  const { args } = command
  const isVariadic = args.at(-1)?.[0].includes('...') ?? false
  const invalid: string[] = []
  const values = args.map(([pattern, , parse], index) => {
    const text = operands[index]
    if (pattern.includes('...')) return [argumentKey(pattern), operands.slice(index)]
    const isParsed = text !== undefined && parse
    return [argumentKey(pattern), isParsed ? parseText(argumentName(pattern), text, parse, invalid) : text]
  })
  const excess = isVariadic ? undefined : operands[args.length]
  if (excess === undefined) {
    problems.push(...invalid)
  } else {
    // If a value does not fit its place, the first word is probably the user, as in other commands.
    const user = invalid.length === 0 ? excess : operands[0]
    problems.push(describeExcess(name, command, user ?? excess, bareFlag))
  }
  return Object.fromEntries(values)
}

function describeExcess(
  name: string,
  command: Command,
  user: string,
  bareFlag: SortedWords['bareFlag'],
): string {
  const { args, user: need, hasUserArgument } = command
  const accepted = args.length === 0 ? 'no arguments' : `only ${args.map(([pattern]) => pattern).join(' ')}`
  const hint =
    explainBareFlag(bareFlag) ??
    (need && !hasUserArgument && `Pass the user with --external-user-id ${quoteWord(user)}`)
  return [`too many arguments: facescan ${name} accepts ${accepted}`, hint].filter(Boolean).join('. ')
}

/** Explains that the word after a flag with an optional value is an argument. */
function explainBareFlag(bareFlag: SortedWords['bareFlag']): string | undefined {
  return bareFlag && `Pass the value of ${bareFlag[0]} after an equals sign: ${quoteWord(bareFlag.join('='))}`
}

export function missingArguments({ args }: Command, { operands }: SortedWords): ArgumentRow[] {
  return args.slice(operands.length).filter(([pattern]) => pattern.startsWith('<'))
}

export function missingFlags({ options }: Command, { given }: SortedWords): OptionRow[] {
  const isMissing = ([flags, , spec]: OptionRow) =>
    spec?.required && given[new Option(flags).attributeName()] === undefined
  return options.filter(isMissing)
}

function describeMissing(command: Command, words: SortedWords): string[] {
  const args = missingArguments(command, words).map(
    ([pattern, summary]) => `missing argument ${argumentName(pattern)}: ${summary}`,
  )
  const flags = missingFlags(command, words).map(
    ([pattern, summary]) => `missing flag ${new Option(pattern).long}: ${summary}`,
  )
  return [...args, ...flags]
}
