import { Option } from 'commander'
import type { Environment } from '../base/io.ts'
import type { Command } from '../command/define-command.ts'
import { type GlobalFlags, globalOptions } from '../command/global-flags.ts'
import type { OptionRow } from '../command/options.ts'
import { oneOf } from '../command/values.ts'
import { checkUser } from './check-user.ts'
import { describeMissing } from './find-missing.ts'
import { parseText } from './parse-text.ts'
import { readOperands } from './read-operands.ts'
import type { SortedWords } from './sorted-words.ts'
import { describeUnknownFlag } from './unknown-flag.ts'

export interface Invocation {
  /** Arguments, options and user, as `run` takes them. */
  input: Record<string, unknown>
  flags: GlobalFlags
  /** Everything that is wrong with the command line. Prompts can complete it only if this list is empty. */
  problems: readonly string[]
  /** Required arguments and flags that the command line lacks, and the user. */
  missing: readonly string[]
  lacksUser: boolean
}

/** Parses the words of a command, such as `users create`, and collects every problem. */
export function parseWords(name: string, command: Command, words: SortedWords, env: Environment): Invocation {
  const { given, unknownFlags, valueless } = words
  const rows = [...command.options, ...globalOptions]
  const problems = unknownFlags.map((word) => describeUnknownFlag(word, rows))
  if (valueless !== undefined) problems.push(`${valueless} needs a value`)
  const isReadable = problems.length === 0
  // A misspelled or incomplete flag may be the missing value.
  const missing = isReadable ? describeMissing(command, words) : []
  const options = readOptions(command.options, given, problems)
  const flags = readOptions(globalOptions, given, problems) as GlobalFlags
  const args = isReadable ? readOperands(name, command, words, problems) : {}
  const { user, problem, isMissing = false } = isReadable ? checkUser(command, words, env) : {}
  const input = { ...options, ...args, user }
  // Each row of a list is checked with the values of its own.
  const isList = command.many !== undefined && given['users'] !== undefined
  if (isReadable && missing.length === 0 && !isList) problems.push(...command.check(input))
  if (problem !== undefined) (isMissing ? missing : problems).push(problem)
  return { input, flags, problems, missing, lacksUser: isMissing }
}

function readOptions(
  rows: readonly OptionRow[],
  given: SortedWords['given'],
  problems: string[],
): Record<string, unknown> {
  const values = rows.map((row) => {
    const option = new Option(row[0])
    return [option.attributeName(), readOption(option, row[2], given, problems)]
  })
  return Object.fromEntries(values)
}

/** The value of one flag: `given` contains its texts by attribute name. */
export function readOption(
  option: Option,
  spec: NonNullable<OptionRow[2]> = {},
  given: SortedWords['given'],
  problems: string[],
): unknown {
  const texts = given[option.attributeName()]
  if (texts === undefined)
    return spec.many ? [] : (defaultOf(spec) ?? (option.isBoolean() ? false : undefined))
  if (typeof texts === 'boolean') return texts
  const name = option.long ?? option.flags
  if (spec.once && texts.length > 1) problems.push(`${name} can be used only once`)
  const parse = spec.parse ?? (spec.choices ? oneOf(spec.choices) : String)
  const parts = spec.many && spec.choices ? texts.flatMap((text) => text.split(',')) : texts
  const values = (spec.many ? parts : parts.slice(-1)).map((text) => parseText(name, text, parse, problems))
  return spec.many ? values : values[0]
}

/** A default is written as on the command line. */
function defaultOf({ default: text, parse }: NonNullable<OptionRow[2]>): unknown {
  return text !== undefined && parse ? parse(text) : text
}
