import { CommanderError, Option, Command as Parser } from 'commander'
import { UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { nearest } from '../base/nearest.ts'
import { beforeDashes } from '../base/words.ts'
import type { Command } from '../command/define-command.ts'
import { type GlobalFlags, globalOptions } from '../command/global-flags.ts'
import type { OptionRow } from '../command/options.ts'
import { oneOf } from '../command/values.ts'
import type { Who } from '../command/who.ts'
import { unknownOption } from '../tree/unknown-option.ts'

export interface Invocation {
  args: unknown[]
  options: Record<string, unknown>
  flags: GlobalFlags
}

/** `--json` takes its fields only after an equals sign; a bare one must not swallow the next word. */
export function separateBareJson(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, index) => (word === '--json' && (end === -1 || index < end) ? '--json=' : word))
}

function createParser(name: string, command: Command): Parser {
  const parser = new Parser(name)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .helpOption(false)
    .showSuggestionAfterError(false)
    .allowExcessArguments(false)
  for (const [pattern, summary] of command.args) parser.argument(pattern, summary)
  for (const row of [...command.options, ...globalOptions]) parser.addOption(toOption(row))
  return parser
}

function toOption([flags, summary, spec = {}]: OptionRow): Option {
  const option = new Option(flags, summary)
  // Values are checked after parsing, all together; commander would stop at the first wrong one.
  if (spec.many) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
  if (spec.once) {
    option.argParser((text: string, before: string | undefined) => {
      if (before !== undefined) throw new UsageError(`${option.long} is given twice`)
      return text
    })
  }
  return option
}

/** Reads a command line and reports every problem in it at once. Throws UsageError. */
export function parseArguments(
  name: string,
  command: Command,
  words: readonly string[],
  env: Environment,
): Invocation {
  const parser = createParser(name, command)
  try {
    parser.parse(separateBareJson(words), { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? toUsageError(error, name, command, words) : error
  }
  const given = parser.opts<Record<string, unknown>>()
  const problems: string[] = []
  const options = readOptions(command.options, given, problems)
  const flags = readOptions(globalOptions, given, problems) as GlobalFlags
  problems.push(...checkToken(command, given), ...checkUser(command, given, tokenSource(command, given, env)))
  const args = readArguments(command, parser.processedArgs, problems)
  problems.push(...command.check(options, args))
  if (problems.length > 0) throw new UsageError(problems, { hint: `See: ${name} --help` })
  return { args, options, flags }
}

function toUsageError(
  error: CommanderError,
  name: string,
  { user, args, options }: Command,
  words: readonly string[],
): UsageError {
  if (error.code === 'commander.excessArguments') {
    const takes = args.length === 0 ? 'no argument' : args.map(([pattern]) => pattern).join(' ')
    const who = user === undefined ? '' : '. A user is named with --external-user-id ID'
    const fields = hasLooseFields(words)
      ? '. Fields follow --json after an equals sign: --json=field,field'
      : ''
    return new UsageError(`too many arguments: ${name} takes ${takes}${fields || who}`, {
      hint: `See: ${name} --help`,
    })
  }
  const first = error.message.replace(/^error: /, '')
  const [, unknown] = /^unknown option '([^'=]+)/.exec(first) ?? []
  if (unknown !== undefined) return unknownOption(unknown, name, nearest(unknown, longNames(options)))
  const [, missing] = /^missing required argument '(.+)'/.exec(first) ?? []
  const argument = args.find(([pattern]) => plainName(pattern) === missing)
  if (argument)
    return new UsageError(`${missing} is missing: ${argument[1]}`, { hint: `See: ${name} --help` })
  const [, valueless] = /^option '(?:-\w, )?(--[\w-]+).*' argument missing/.exec(first) ?? []
  return new UsageError(valueless ? `${valueless} needs a value` : first, { hint: `See: ${name} --help` })
}

/** Other command lines take the fields of `--json` after a blank. */
function hasLooseFields(words: readonly string[]): boolean {
  return beforeDashes(words).some((word, at, all) => all[at - 1] === '--json' && !word.startsWith('-'))
}

function longNames(options: readonly OptionRow[]): string[] {
  return [...options, ...globalOptions].map(([flags]) => new Option(flags).long ?? flags)
}

function readOptions(
  rows: readonly OptionRow[],
  given: Readonly<Record<string, unknown>>,
  problems: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [flags, summary, spec = {}] of rows) {
    const option = new Option(flags, summary)
    const key = option.attributeName()
    const raw = given[key]
    if (raw === undefined && spec.required) problems.push(`${option.long} is missing: ${summary}`)
    values[key] =
      raw === undefined ? absent(option, spec.default, spec.many) : readValue(option, raw, spec, problems)
  }
  return values
}

function absent(option: Option, fallback: unknown, many: boolean | undefined): unknown {
  if (fallback !== undefined) return fallback
  if (many) return []
  return option.isBoolean() ? false : undefined
}

function readValue(
  option: Option,
  raw: unknown,
  spec: NonNullable<OptionRow[2]>,
  problems: string[],
): unknown {
  // An optional value that was left out is the empty text.
  if (raw === true && option.optional) return spec.parse ? spec.parse('') : ''
  if (typeof raw === 'boolean') return raw
  const texts = spec.many
    ? (raw as string[]).flatMap((text) => (spec.choices ? text.split(',') : text))
    : [String(raw)]
  const parse = spec.parse ?? (spec.choices ? oneOf(spec.choices) : String)
  const values = texts.map((text) => parseText(option.long ?? option.flags, text, parse, problems))
  return spec.many ? values : values[0]
}

function parseText(
  name: string,
  text: string,
  parse: (text: string) => unknown,
  problems: string[],
): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    problems.push(...error.problems.map((problem) => `${name}: ${problem}`))
    return undefined
  }
}

/** What stands on the command line, also where its value is wrong: that has been said already. */
type GivenWho = Who & { actionToken?: string }

function checkToken({ takesToken }: Command, given: GivenWho): string[] {
  if (takesToken || given.actionToken === undefined) return []
  return ['--action-token: the service takes an API key here, not an action token']
}

function tokenSource({ takesToken }: Command, given: GivenWho, env: Environment): string | undefined {
  if (!takesToken) return undefined
  if (given.actionToken !== undefined) return '--action-token'
  return env['FACESCAN_ACTION_TOKEN'] ? 'FACESCAN_ACTION_TOKEN' : undefined
}

/** Exactly one identifier, unless an action token implies the user (specification, section 4). */
function checkUser({ user }: Command, { externalUserId, userId }: Who, token: string | undefined): string[] {
  if (user === undefined) return []
  const given = [externalUserId, userId].filter((id) => id !== undefined)
  if (given.includes('')) return ['the user id is empty']
  if (token !== undefined && given.length > 0) {
    return [`${token} implies its user: leave ${both.join(' and ')} out, or leave the token out`]
  }
  if (token !== undefined) return []
  if (given.length === 2) return [`${both.join(' and ')} exclude each other: give exactly one`]
  if (user === 'external' && userId !== undefined) {
    return [
      '--user-id: the service takes only your own id here, and cannot tell it from its own: give --external-user-id',
    ]
  }
  if (given.length === 1) return []
  return [
    user === 'external'
      ? 'which user? Give --external-user-id ID'
      : 'which user? Give --external-user-id ID or --user-id UUID',
  ]
}

const both = ['--external-user-id', '--user-id']

function readArguments(command: Command, given: readonly unknown[], problems: string[]): unknown[] {
  return command.args.map(([pattern, , parse], index) => {
    const raw = given[index]
    if (!parse || typeof raw !== 'string') return raw
    return parseText(plainName(pattern), raw, parse, problems)
  })
}

function plainName(pattern: string): string {
  return pattern.replace(/[<>[\].]/g, '')
}
