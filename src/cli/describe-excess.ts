import { isShowable, quoteWord } from '../base/text.ts'
import type { Command } from '../framework/define-command.ts'
import { globalOptions } from '../framework/global-flags.ts'
import { choicesOf, type Flag } from '../framework/options.ts'
import { userArgument } from '../framework/user.ts'
import { isLikelyId } from '../routes/unknown-command.ts'
import { commandLine } from './describe-problems.ts'
import { endOfFlags, isFlag, type Words } from './words.ts'

const externalUserFlag = '--external-user-id'

/** A command line whose flags are valid. */
export interface BoundLine {
  /** Full name of the command, such as `users create`. */
  name: string
  argv: readonly string[]
  words: Words
}

/** The error message if a command line contains more arguments than the command accepts. `own` contains the arguments without the user. */
export function describeExcess(line: BoundLine, command: Command, own: readonly string[]): string {
  const { name, words } = line
  const isSelected = command.user !== undefined && own.length === words.operands.length
  const patterns = [...(command.user && !isSelected ? [userArgument] : []), ...Object.values(command.args)]
  const accepted =
    patterns.length === 0 ? 'no arguments' : `only ${patterns.map(({ pattern }) => pattern).join(' ')}`
  const forMany = command.many ? '; for several users, use --users' : ''
  const flag = Object.values(command.options).find(({ long }) => long === `--${own[0]}`)
  const meant = flag && own.length === 2 && `Did you mean ${flag.long} ${quoteWord(own[1] ?? '')}?`
  const value = explainFlagValues(line, command, patterns.length)
  const quote = patterns.length > 0 && `Quote a value that contains a space${forMany}`
  const joined = explainJoined(line, command)
  const selected = isSelected && 'A flag or an action token already selects the user'
  const remark = selected || (joined === undefined && (meant || value || quote))
  return [`too many arguments: facescan ${name} accepts ${accepted}`, remark, joined]
    .filter(Boolean)
    .join('. ')
}

/**
 * A command line that uses words as values of flags, such as `--language=es` for the word `es` and for `language=es`. Undefined if no flag
 * accepts a word, if two words are values of the same flag, or if a word could be an API key.
 */
function explainFlagValues(
  { name, words: { operands, given } }: BoundLine,
  { options }: Command,
  accepted: number,
): string | undefined {
  if (!operands.every(isShowable)) return undefined
  const flags = Object.values(options)
  const read = operands.map((word) => ({ word, flag: flagOf(word, flags, accepted) }))
  const found = read.flatMap(({ flag }) => flag ?? [])
  const others = read.filter(({ flag }) => flag === undefined).map(({ word }) => word)
  const names = new Set(found.map((flag) => flag.slice(0, flag.indexOf('='))))
  if (found.length === 0 || names.size < found.length || others.length > accepted) return undefined
  return `Did you mean: ${commandLine([...name.split(' '), ...others, ...found], options, given)}`
}

/** The word as a flag with its value. Undefined if no flag accepts the word. */
function flagOf(word: string, flags: readonly Flag[], accepted: number): string | undefined {
  if (flags.some(({ long }) => word.startsWith(`${long.slice(2)}=`))) return `--${word}`
  const chosen = flags.find((flag) => choicesOf(flag)?.includes(word))
  if (chosen) return `${chosen.long}=${word}`
  // A command without arguments, such as `history list`, can have a filter for a user.
  const isUser = accepted === 0 && isLikelyId(word) && flags.some(({ long }) => long === externalUserFlag)
  return isUser ? `${externalUserFlag}=${word}` : undefined
}

/** If a word was probably meant as the value of a flag, explains this in the error message about the user. */
export function explainUser(problem: string, line: BoundLine, command: Command): string {
  const { operands, given } = line.words
  const joined = operands.length > 0 ? explainJoined(line, command) : undefined
  const isRenamed = 'newExternalUserId' in command.options && given['externalUserId'] !== undefined
  const renamed = isRenamed && operands.length > 0 && 'For a new external user ID, use --new-external-user-id'
  return [problem, joined ?? renamed].filter(Boolean).join('. ')
}

/**
 * A flag such as `--json` does not use the next word as its value. If the next word was probably meant as the value, explains the form
 * `--flag=value`. A word in the name of the command, such as `users`, is not meant as a value.
 */
function explainJoined({ name, argv }: BoundLine, { options }: Command): string | undefined {
  const optional = Object.values<Flag>({ ...options, ...globalOptions })
    .filter(({ kind }) => kind === 'optional value')
    .map(({ long }) => long)
  const notValues = name.split(' ')
  const words = argv.slice(0, endOfFlags(argv))
  const index = words.findIndex((word, at) => {
    const next = words[at + 1] ?? '--'
    return optional.includes(word) && !isFlag(next) && !notValues.includes(next)
  })
  if (index < 0) return undefined
  const [flag = '', next = ''] = words.slice(index)
  return `Pass the value of ${flag} after an equals sign: ${quoteWord(`${flag}=${next}`)}`
}
