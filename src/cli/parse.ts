import { UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { quoteWord } from '../base/text.ts'
import { isAskable } from '../context/ask.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import { type Command, isLocalChange } from '../framework/define-command.ts'
import { type GlobalFlags, globalOptions } from '../framework/global-flags.ts'
import {
  argumentName,
  type Flag,
  isRequired,
  isRest,
  type Options,
  parseText,
  readValue,
} from '../framework/options.ts'
import { userArgument, userOptions } from '../framework/user.ts'
import type { Defaults } from '../profiles/settings.ts'
import { bindCommand } from './bind.ts'
import { readUser } from './read-user.ts'
import type { CommandLine } from './tokenize.ts'
import { findFlagProblems, hintForFlags } from './unknown-flags.ts'
import { splitRest, type Words } from './words.ts'

export interface Parsed {
  /** Full name of the command, such as `users create`. */
  name: string
  argv: readonly string[]
  words: Words
  /** Arguments, options, and user, as `run` receives them. */
  input: Record<string, unknown>
  flags: GlobalFlags
  /** All problems with the command line. Missing values are prompted for only if this list is empty. */
  problems: readonly string[]
  missing: Missing
}

/** Required values that the command line does not contain. */
export interface Missing {
  /** The message about the missing user ID. */
  user?: string | undefined
  /** Keys of missing arguments and options. */
  args: readonly string[]
  flags: readonly string[]
  /** The message if the command needs at least one flag and the command line contains none. */
  anyFlag?: string | undefined
}

type Given = Words['given']

/** Parses a command line whose command is known. Throws UsageError for all problems together, unless prompts can complete the line. */
export function parse(
  name: string,
  command: Command,
  line: CommandLine,
  { io, env }: ProcessEnvironment,
  defaults: Defaults = {},
): Parsed {
  const parsed = parseWords(name, command, line, env, defaults)
  const canAsk = parsed.problems.length === 0 && isAskable(io, env, parsed.flags)
  if (isComplete(parsed) || canAsk) return parsed
  const hint = hintForFlags(splitRest(parsed.words).unknownFlags, `facescan ${name}`)
  throw new UsageError([...describeMissing(command, parsed.missing), ...parsed.problems], { hint })
}

export function isComplete({ problems, missing }: Parsed): boolean {
  const { args, flags, user = missing.anyFlag } = missing
  return problems.length + args.length + flags.length === 0 && user === undefined
}

/** Parses the words of a command and collects all problems. */
export function parseWords(
  name: string,
  command: Command,
  line: Pick<CommandLine, keyof Words | 'argv'>,
  env: Environment,
  defaults: Defaults = {},
): Parsed {
  const words = bindCommand(name, command, line)
  const known: Command['options'] = { ...command.options, ...globalOptions }
  const given: Given = { ...textsOf(defaults, known), ...words.given }
  const problems = findFlagProblems(words, known)
  const isReadable = problems.length === 0
  const options = readOptions(command.options, given, problems)
  const flags = readGlobals({ name, argv: line.argv, given }, command, problems)
  if (flags.dryRun && isLocalChange(command)) problems.push(`${name} does not support --dry-run`)
  // If a flag is misspelled or incomplete, its word may be the value that looks missing. Missing values are therefore not reported then.
  const base = { name, argv: line.argv, words, flags }
  if (!isReadable) return { ...base, input: options, problems, missing: { args: [], flags: [] } }
  const { user, problem, isMissing = false, own } = readUser(command, words, env)
  const moved = command.moved?.(words.operands)
  if (moved) {
    const next = ['facescan', name, ...moved.map(quoteWord), ...flagWords(command, given)].join(' ')
    const problem = `the arguments are in the wrong order; use: ${next}`
    return { ...base, input: {}, problems: [problem], missing: { args: [], flags: [] } }
  }
  const args = readArguments(name, command, words, own, problems)
  const input = { ...options, ...args, user }
  const missing: Missing = {
    user: isMissing ? problem : undefined,
    args: keysOf(command.args, isRequired).slice(own.length),
    flags: keysOf(command.options, ({ required }) => required).filter((key) => given[key] === undefined),
    anyFlag:
      command.needsFlag && own.length === 0 && !isAnyFlagGiven(command, words)
        ? command.needsFlag
        : undefined,
  }
  // For a list, the values of each row are checked instead.
  const isList = command.many !== undefined && given['users'] !== undefined
  const isChecked = missing.args.length + missing.flags.length === 0 && !isList
  if (isChecked) problems.push(...(command.check?.(input) ?? []))
  if (problem !== undefined && !isMissing) problems.push(explainUser(problem, words))
  return { ...base, input, problems, missing }
}

/** Defaults of the profile, to be parsed like flags on the command line. FACESCAN_OUTPUT overrides the format (see `chooseOutput`). */
function textsOf(defaults: Defaults, known: Command['options']): Given {
  const used = Object.entries(defaults).filter(([key]) => key !== 'output' && known[key])
  return Object.fromEntries(used.flatMap(([key, text]) => (text === undefined ? [] : [[key, [text]]])))
}

/**
 * Reads the global flags, except those that the command redefines, such as `--output` in `profiles set`. The short form of a redefined
 * flag is refused: `-o json` would change the profile instead of the output.
 */
function readGlobals(
  { name, argv, given }: { name: string; argv: readonly string[]; given: Given },
  { options }: Command,
  problems: string[],
): GlobalFlags {
  const all = Object.entries<Flag>(globalOptions)
  const own = Object.fromEntries(all.filter(([key]) => !(key in options)))
  const flags = readOptions(own, given, problems) as GlobalFlags
  for (const [key, { short, long }] of all)
    if (key in options && argv.some((word) => short !== undefined && word.startsWith(short)))
      problems.push(`${short} cannot be used with ${name}, because ${long} is one of its own flags`)
  return flags
}

/** Whether a flag of the command is present, apart from flags that select the user. */
function isAnyFlagGiven({ options, user }: Command, { given }: Words): boolean {
  const ofUser = Object.keys(userOptions(user))
  return Object.keys(options).some((key) => given[key] !== undefined && !ofUser.includes(key))
}

/** The flags of a command line as words. */
function flagWords(command: Command, given: Given): string[] {
  return Object.entries({ ...command.options, ...globalOptions }).flatMap(([key, { long }]) => {
    const texts = given[key]
    if (texts === undefined) return []
    return texts === true ? [long] : texts.map((text) => `${long}=${quoteWord(text)}`)
  })
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
    ...[missing.user, missing.anyFlag].filter((problem) => problem !== undefined),
  ]
}

function readOptions(options: Options, given: Given, problems: string[]): Record<string, unknown> {
  const keys = Object.keys(options)
  return Object.fromEntries(keys.map((key) => [key, readOption(options, key, given, problems)]))
}

function readOption(options: Options, key: string, given: Given, problems: string[]): unknown {
  const flag = options[key] as Flag
  const { kind, long, conflicts } = flag
  const texts = given[key]
  if (kind === 'toggle') return texts === true
  if (kind === 'negation') return texts !== true
  if (!Array.isArray(texts))
    return flag.default === undefined ? (flag.many ? [] : undefined) : flag.parse(flag.default)
  if (flag.once && texts.length > 1) problems.push(`${long} can be used only once`)
  if (conflicts !== undefined && given[conflicts] !== undefined)
    problems.push(`${long} and ${options[conflicts]?.long} cannot be used together`)
  return readValue(long, texts, flag, problems)
}

/** Returns the arguments of a command by their names in `input`. */
function readArguments(
  name: string,
  command: Command,
  words: Words,
  own: readonly string[],
  problems: string[],
) {
  const values = Object.entries(command.args).map(([key, argument], index) => {
    const { parse = String } = argument
    const read = (text: string) => parseText(argumentName(argument), text, parse, problems)
    if (isRest(argument)) return [key, own.slice(index).map(read)]
    const text = own[index]
    return [key, text === undefined ? undefined : read(text)]
  })
  const all = Object.values(command.args)
  if (own.length > all.length && !all.some(isRest)) problems.push(describeExcess(name, command, words, own))
  return Object.fromEntries(values)
}

function describeExcess(name: string, command: Command, words: Words, own: readonly string[]): string {
  const isSelected = command.user !== undefined && own.length === words.operands.length
  const patterns = [...(command.user && !isSelected ? [userArgument] : []), ...Object.values(command.args)]
  const accepted =
    patterns.length === 0 ? 'no arguments' : `only ${patterns.map(({ pattern }) => pattern).join(' ')}`
  const forMany = command.many ? '; for several users, use --users' : ''
  const flag = Object.values(command.options).find(({ long }) => long === `--${own[0]}`)
  const meant = flag && own.length === 2 && `Did you mean ${flag.long} ${quoteWord(own[1] ?? '')}?`
  const quote = patterns.length > 0 && `Quote a value that contains a space${forMany}`
  const remark = isSelected
    ? 'A flag or an action token already selects the user'
    : !words.bareFlag && (meant || quote)
  return [`too many arguments: facescan ${name} accepts ${accepted}`, remark, explainBareFlag(words)]
    .filter(Boolean)
    .join('. ')
}

function explainUser(problem: string, words: Words): string {
  return [problem, words.operands.length > 0 && explainBareFlag(words)].filter(Boolean).join('. ')
}

/** Explains that the word after a flag with an optional value is an argument. */
function explainBareFlag({ bareFlag }: Words): string | undefined {
  return bareFlag && `Pass the value of ${bareFlag[0]} after an equals sign: ${quoteWord(bareFlag.join('='))}`
}
