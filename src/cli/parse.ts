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
import { findFlagProblems } from './locate-command.ts'
import { readUser } from './read-user.ts'
import type { SortedWords } from './sort-words.ts'

export interface Invocation {
  /** Arguments, options, and user, as `run` receives them. */
  input: Record<string, unknown>
  flags: GlobalFlags
  /** Everything that is wrong with the command line. Prompts can complete it only if this list is empty. */
  problems: readonly string[]
  missing: Missing
}

/** Required values that the command line does not contain. */
export interface Missing {
  /** The problem with the missing user ID. */
  user?: string | undefined
  args: readonly ArgumentRow[]
  flags: readonly OptionRow[]
}

type Given = SortedWords['given']

/** Parses the words of a command, such as `users create`, and collects every problem. */
export function parseWords(name: string, command: Command, words: SortedWords, env: Environment): Invocation {
  const { given, operands } = words
  const problems = findFlagProblems(words, [...command.options, ...globalOptions])
  const isReadable = problems.length === 0
  const options = readOptions(command.options, given, problems)
  const flags = readOptions(globalOptions, given, problems) as GlobalFlags
  // A misspelled or incomplete flag may be the missing value.
  if (!isReadable) return { input: options, flags, problems, missing: { args: [], flags: [] } }
  const args = readArguments(name, command, words, problems)
  const { user, problem, isMissing = false } = readUser(command, words, env)
  const input = { ...options, ...args, user }
  const missing: Missing = {
    user: isMissing && !hasMisplacedUser(command, words) ? problem : undefined,
    args: command.args.slice(operands.length).filter(([pattern]) => pattern.startsWith('<')),
    flags: command.options.filter(
      ([pattern, , spec]) => spec?.required && given[new Option(pattern).attributeName()] === undefined,
    ),
  }
  // For a list, the values of each row are checked instead.
  const isList = command.many !== undefined && given['users'] !== undefined
  if (missing.args.length + missing.flags.length === 0 && !isList) problems.push(...command.check(input))
  if (problem !== undefined && !isMissing) problems.push(explainUser(problem, command, words))
  return { input, flags, problems, missing }
}

export function describeMissing({ user, args, flags }: Missing): string[] {
  return [
    ...args.map(([pattern, summary]) => `missing required argument ${argumentName(pattern)}: ${summary}`),
    ...flags.map(([pattern, summary]) => `missing required flag ${new Option(pattern).long}: ${summary}`),
    ...(user === undefined ? [] : [user]),
  ]
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
  if (spec.conflicts !== undefined && given[new Option(`--${spec.conflicts}`).attributeName()] !== undefined)
    problems.push(`${name} and --${spec.conflicts} cannot be used together`)
  return readValue(name, texts, spec, problems)
}

/** Returns the arguments of a command by their names in `input`. */
function readArguments(name: string, command: Command, words: SortedWords, problems: string[]) {
  const { operands } = words
  const invalid: string[] = []
  const values = command.args.map(([pattern, , parse], index) => {
    const text = operands[index]
    if (pattern.includes('...')) return [argumentKey(pattern), operands.slice(index)]
    const isParsed = text !== undefined && parse
    return [argumentKey(pattern), isParsed ? parseText(argumentName(pattern), text, parse, invalid) : text]
  })
  const excess = findExcess(command, words)
  if (excess === undefined) problems.push(...invalid)
  // If a value does not fit its place, the first word is probably the user, as in other commands.
  else problems.push(describeExcess(name, command, words, invalid.length === 0 ? excess : operands[0]))
  return Object.fromEntries(values)
}

/** The first argument after the last one that the command accepts. */
function findExcess({ args }: Command, { operands }: SortedWords): string | undefined {
  const isVariadic = args.at(-1)?.[0].includes('...')
  return isVariadic ? undefined : operands[args.length]
}

/** Whether an excess argument is probably the user, who needs a flag here. */
function hasMisplacedUser(command: Command, words: SortedWords): boolean {
  const needsFlag = command.user !== undefined && !command.hasUserArgument
  return needsFlag && words.bareFlag === undefined && findExcess(command, words) !== undefined
}

function describeExcess(name: string, command: Command, words: SortedWords, user = ''): string {
  const patterns = command.args.map(([pattern]) => pattern)
  const accepted = patterns.length === 0 ? 'no arguments' : `only ${patterns.join(' ')}`
  const hint = hasMisplacedUser(command, words)
    ? `Pass the user with --external-user-id ${quoteWord(user)}`
    : explainBareFlag(words)
  return [`too many arguments: facescan ${name} accepts ${accepted}`, hint].filter(Boolean).join('. ')
}

function explainUser(problem: string, { hasUserArgument }: Command, words: SortedWords): string {
  const isArgument = hasUserArgument && words.operands.length > 0
  return [problem, isArgument && explainBareFlag(words)].filter(Boolean).join('. ')
}

/** Explains that the word after a flag with an optional value is an argument. */
function explainBareFlag({ bareFlag }: SortedWords): string | undefined {
  return bareFlag && `Pass the value of ${bareFlag[0]} after an equals sign: ${quoteWord(bareFlag.join('='))}`
}
