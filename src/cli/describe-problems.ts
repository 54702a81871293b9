import { UsageError } from '../base/errors.ts'
import { own } from '../base/functions.ts'
import { didYouMean, nearest } from '../base/nearest.ts'
import { isShowable, quoteWord } from '../base/text.ts'
import type { Command, Replacement } from '../framework/define-command.ts'
import { isAlmostUuid } from '../framework/explain-missing.ts'
import { globalOptions, replacingOptions } from '../framework/global-flags.ts'
import type { Argument, Options } from '../framework/options.ts'
import { findCommand, type Located, loadCommands } from '../routes/routes.ts'
import { correctWords, findReplacement, unknownCommand } from '../routes/unknown-command.ts'
import { bindCommand } from './bind.ts'
import { knownValue } from './read-user.ts'
import { endOfFlags, isFlag, type Words } from './words.ts'

/** Splits the words in `rest` into unknown flags and other words. The first of the other words can be the value of an unknown flag. */
export function splitRest({ rest }: Words): {
  unknownFlags: readonly string[]
  afterUnknownFlag: readonly string[]
} {
  const end = endOfFlags(rest)
  // commander handles a first word with a dash as a flag, even a word such as -5x. So such a word is reported as an unknown flag.
  const [first, ...others] = rest.slice(0, end)
  return {
    unknownFlags: [...(first === undefined ? [] : [first]), ...others.filter(isFlag)],
    afterUnknownFlag: [...others.filter((word) => !isFlag(word)), ...rest.slice(end + 1)],
  }
}

/**
 * The error for a command line with an unknown command, or with an invalid flag and no command. `found` is the group of commands, undefined
 * if the command is unknown.
 */
export async function explainRoute(
  line: Words & { argv: readonly string[] },
  found: Located | undefined,
): Promise<UsageError> {
  if (found === undefined) return unknownCommand(line.operands, await correct(line))
  const { unknownFlags, afterUnknownFlag } = splitRest(line)
  const later = findCommand([...line.operands, ...afterUnknownFlag])
  const isRemoved = unknownFlags.some((word) => findReplacement(nameOf(word)) !== undefined)
  if (later?.kind === 'command' && !isRemoved) {
    return new UsageError(`the command must come before its flags: facescan ${later.name}`, {
      hint: `See: facescan ${later.name} --help`,
    })
  }
  const hint = hintForFlags(line, `facescan ${found.name}`.trim())
  return new UsageError(findFlagProblems(line, globalOptions), { hint })
}

/** The command line that the user probably meant. Undefined if that line is not valid, or if a word could be an API key. */
async function correct(line: Words & { argv: readonly string[] }): Promise<string | undefined> {
  const operands = correctWords(line.operands)
  if (operands === undefined || !line.argv.every(isShowable)) return undefined
  const found = findCommand(operands)
  if (found?.kind !== 'command') return undefined
  const [loaded] = await loadCommands({ [found.name]: found.leaf })
  if (loaded === undefined) return undefined
  const { name, command } = loaded
  const { operands: own, given, rest, valueless } = bindCommand(name, command, { ...line, operands })
  const isReadable = rest.length === 0 && valueless === undefined && !own.some((word) => word.startsWith('-'))
  return isReadable ? commandLine([...name.split(' '), ...own], command.options, given) : undefined
}

export function findFlagProblems(words: Words, options: Options): string[] {
  const { valueless } = words
  return [
    ...splitRest(words).unknownFlags.map((word) => describeUnknownFlag(word, options)),
    ...(valueless === undefined ? [] : [`${valueless} needs a value`]),
  ]
}

const secretName = /(?<!lookup-)key|token|secret|password/i

/** Flag names from other command-line tools, and the flag of facescan to suggest for each name. */
const otherFlags: Readonly<Record<string, string>> = {
  '--user': '--external-user-id',
  '--id': '--external-user-id',
  '--since': '--start',
  '--from': '--start',
  '--until': '--end',
  '--format': '--output',
  '--verbose': '--debug',
  '--force': '--yes',
  '--tz': '--timezone',
  '--gender': '--sex',
  '--dob': '--birth-date',
  '--birthday': '--birth-date',
  '--units': '--unit-system',
}

/** The name of an unknown flag. The value is omitted, because it could be a key. */
function describeUnknownFlag(word: string, options: Options): string {
  const name = nameOf(word)
  if (secretName.test(name)) return `unknown flag ${name}: secrets are not accepted on the command line`
  if (findReplacement(name) !== undefined) return `${name} was removed`
  const known = Object.values(options).flatMap(({ isHidden, long }) => (isHidden ? [] : [long]))
  known.push('--help', '--version')
  const other = own(otherFlags, name)
  return `unknown flag ${name}${name.startsWith('--') ? didYouMean(known.find((flag) => flag === other) ?? name, known) : ''}`
}

/** The hint after an invalid flag. `page` is the command whose help describes the valid flags. */
export function hintForFlags(words: Words, page: string): string {
  const names = splitRest(words).unknownFlags.map(nameOf)
  if (names.some((name) => name.startsWith('--action-token'))) {
    return 'Pass the file that contains the token with --action-token FILE, or set FACESCAN_ACTION_TOKEN.'
  }
  if (names.some((name) => secretName.test(name))) {
    return 'Store the key in a profile (facescan profiles add), or use --key-file, --key-stdin, or FACESCAN_API_KEY.'
  }
  const replacement = names.map((name) => findReplacement(name)).find((text) => text !== undefined)
  return replacement ?? `See: ${page} --help`
}

/** The name of the flag in a word. `-pNAME` contains a flag and its value, so only the first two characters are the name. */
function nameOf(word: string): string {
  return word.startsWith('--') ? word.replace(/=.*/s, '') : word.slice(0, 2)
}

export interface Missing {
  /** The message about the missing user ID. */
  user?: string | undefined
  /** Keys of missing arguments and options. */
  args: readonly string[]
  flags: readonly string[]
  /** The message if the command needs at least one flag and no flag is set. */
  anyFlag?: string | undefined
}

export function describeMissing({ args, options }: Command, missing: Missing): string[] {
  const missingArgs = Object.entries(args).filter(([key]) => missing.args.includes(key))
  const missingFlags = Object.entries(options).filter(([key]) => missing.flags.includes(key))
  return [
    ...missingArgs.map(([, { name, summary }]) => `missing required argument ${name}: ${summary}`),
    ...missingFlags.map(([, { long, summary }]) => `missing required flag ${long}: ${summary}`),
    ...[missing.user, missing.anyFlag].filter((problem) => problem !== undefined),
  ]
}

/**
 * Returns the two words in the correct order: the user, and then the argument. Returns undefined if the first word is not similar to a
 * value of the argument. If the argument is the ID of a face scan and the second word is almost a UUID, the order is already correct and
 * the ID is mistyped, so the result is undefined too.
 */
export function reverse(argument: Argument, first: string, second: string): string[] | undefined {
  const { choices = [] } = argument
  if (choices.length === 0 && isAlmostUuid(second)) return undefined
  const similar = nearest(second, choices) === undefined ? nearest(first, choices) : undefined
  const value = knownValue(argument, first) ?? similar
  return value === undefined ? undefined : [second, value]
}

/** The error message if arguments are in the wrong order or belong to another command. It contains the correct command line. */
export function describeMoved(
  name: string,
  { options }: Command,
  moved: readonly string[] | Replacement,
  given: Words['given'],
): string {
  if ('reason' in moved) return `${moved.reason}; use: ${commandLine(moved.words, options, given)}`
  const next = commandLine([...name.split(' '), ...moved], options, given)
  return `the arguments are in the wrong order; use: ${next}`
}

export function commandLine(words: readonly string[], options: Options, given: Words['given']): string {
  return ['facescan', ...words.map(quoteWord), ...flagWords(options, given)].join(' ')
}

function flagWords(options: Options, given: Words['given']): string[] {
  return Object.entries({ ...options, ...globalOptions, ...replacingOptions }).flatMap(
    ([key, { kind, long }]) => {
      const texts = given[key]
      if (texts === undefined) return []
      if (texts === true) return [long]
      return texts.map((text) =>
        text === '' && kind === 'optional value' ? long : `${long}=${quoteWord(text)}`,
      )
    },
  )
}
