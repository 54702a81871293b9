import type { Environment } from '../base/io.ts'
import { quoteWord } from '../base/text/shell-quote.ts'
import type { Command } from '../command/define-command.ts'
import { type GlobalFlags, globalOptions } from '../command/global-flags.ts'
import {
  argumentName,
  type Flag,
  isRequired,
  isRest,
  type Options,
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
  /** Keys of arguments and options. */
  args: readonly string[]
  flags: readonly string[]
}

type Given = SortedWords['given']

/** Parses the words of a command, such as `users create`, and collects every problem. */
export function parseWords(name: string, command: Command, words: SortedWords, env: Environment): Invocation {
  const { given, operands } = words
  const problems = findFlagProblems(words, { ...command.options, ...globalOptions })
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
    args: keysOf(command.args, isRequired).slice(operands.length),
    flags: keysOf(command.options, ({ required }) => required).filter((key) => given[key] === undefined),
  }
  // For a list, the values of each row are checked instead.
  const isList = command.many !== undefined && given['users'] !== undefined
  if (missing.args.length + missing.flags.length === 0 && !isList) problems.push(...command.check(input))
  if (problem !== undefined && !isMissing) problems.push(explainUser(problem, command, words))
  return { input, flags, problems, missing }
}

function keysOf<Entry>(
  entries: Readonly<Record<string, Entry>>,
  test: (entry: Entry) => boolean | undefined,
): string[] {
  return Object.entries(entries).flatMap(([key, entry]) => (test(entry) ? [key] : []))
}

export function describeMissing({ args, options }: Command, missing: Missing): string[] {
  const missingArgs = Object.entries(args).filter(([key]) => missing.args.includes(key))
  const missingFlags = Object.entries(options).filter(([key]) => missing.flags.includes(key))
  return [
    ...missingArgs.map(([, one]) => `missing required argument ${argumentName(one)}: ${one.summary}`),
    ...missingFlags.map(([, { long, summary }]) => `missing required flag ${long}: ${summary}`),
    ...(missing.user === undefined ? [] : [missing.user]),
  ]
}

function readOptions(options: Options, given: Given, problems: string[]): Record<string, unknown> {
  const keys = Object.keys(options)
  return Object.fromEntries(keys.map((key) => [key, readOption(options, key, given, problems)]))
}

/** Returns the value of one flag. */
function readOption(options: Options, key: string, given: Given, problems: string[]): unknown {
  const flag = options[key] as Flag
  const { kind, long, conflicts } = flag
  const texts = given[key]
  if (kind === 'toggle') return texts === true
  if (kind === 'negation') return texts !== true
  // A default is written as on the command line.
  if (!Array.isArray(texts))
    return flag.default === undefined ? (flag.many ? [] : undefined) : flag.parse(flag.default)
  if (flag.once && texts.length > 1) problems.push(`${long} can be used only once`)
  if (conflicts !== undefined && given[conflicts] !== undefined)
    problems.push(`${long} and ${options[conflicts]?.long} cannot be used together`)
  return readValue(long, texts, flag, problems)
}

/** Returns the arguments of a command by their names in `input`. */
function readArguments(name: string, command: Command, words: SortedWords, problems: string[]) {
  const { operands } = words
  const invalid: string[] = []
  const values = Object.entries(command.args).map(([key, argument], index) => {
    const { parse } = argument
    const text = operands[index]
    if (isRest(argument)) return [key, operands.slice(index)]
    const isParsed = text !== undefined && parse
    return [key, isParsed ? parseText(argumentName(argument), text, parse, invalid) : text]
  })
  const excess = findExcess(command, words)
  if (excess === undefined) problems.push(...invalid)
  // If a value does not fit its place, the first word is probably the user, as in other commands.
  else problems.push(describeExcess(name, command, words, invalid.length === 0 ? excess : operands[0]))
  return Object.fromEntries(values)
}

/** The first argument after the last one that the command accepts. */
function findExcess({ args }: Command, { operands }: SortedWords): string | undefined {
  const all = Object.values(args)
  return all.some(isRest) ? undefined : operands[all.length]
}

/** Whether an excess argument is probably the user, who needs a flag here. */
function hasMisplacedUser(command: Command, words: SortedWords): boolean {
  const needsFlag = command.user !== undefined && !command.hasUserArgument
  return needsFlag && words.bareFlag === undefined && findExcess(command, words) !== undefined
}

function describeExcess(name: string, command: Command, words: SortedWords, user = ''): string {
  const patterns = Object.values(command.args).map(({ pattern }) => pattern)
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
