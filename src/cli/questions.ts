import { Option } from 'commander'
import type { Choice } from '../command/ask.ts'
import type { Command } from '../command/define-command.ts'
import { type ArgumentRow, argumentKey, type OptionRow } from '../command/options.ts'
import { nonEmpty } from '../command/values.ts'
import { missingArguments, missingFlags } from './parse.ts'
import type { SortedWords } from './sort-words.ts'

/** A prompt for a value that is missing on the command line. */
export interface Question {
  /** The name of the value in the input of the command. */
  name: string
  label: string
  isOptional: boolean
  /** The answer must be one of the choices, if there are any. */
  choices: readonly Choice<string>[]
  /** Throws UsageError for an invalid answer. */
  parse(text: string): unknown
  /** The flag that the answer belongs to. An answer without a flag is an argument. */
  flag?: Option
}

/** Questions for all required values, and for optional flags if the command line contains none of the command's own words. */
export function findQuestions(command: Command, words: SortedWords, lacksUser: boolean): Question[] {
  const optional = isEmpty(command, words) ? command.options.filter(isPrompted) : []
  return [
    ...(lacksUser ? [userQuestion(command)] : []),
    ...missingArguments(command, words).map(argumentQuestion),
    ...missingFlags(command, words).map(flagQuestion),
    ...optional.map(flagQuestion),
  ]
}

function isPrompted([, , spec]: OptionRow): boolean {
  return spec?.prompt !== undefined && !spec.required
}

/** Whether the words contain only global flags. */
function isEmpty({ options }: Command, { operands, given }: SortedWords): boolean {
  const isAbsent = (option: Option) => {
    const value = given[option.attributeName()]
    // commander sets a flag to true if only its negation is defined.
    return value === undefined || (option.negate && value === true)
  }
  return operands.length === 0 && options.every(([flags]) => isAbsent(new Option(flags)))
}

function userQuestion({ hasUserArgument }: Command): Question {
  return {
    name: 'user',
    label: 'External user ID',
    isOptional: false,
    choices: [],
    parse: nonEmpty,
    ...(!hasUserArgument && { flag: new Option('--external-user-id <id>') }),
  }
}

function argumentQuestion([pattern, summary, parse = nonEmpty, choices = []]: ArgumentRow): Question {
  return {
    name: argumentKey(pattern),
    label: capitalize(summary),
    isOptional: false,
    choices: choices.map((value) => ({ name: value, value })),
    parse,
  }
}

function flagQuestion([flags, summary, spec = {}]: OptionRow): Question {
  const { parse = nonEmpty, prompt = capitalize(summary), choiceNames = {}, required = false } = spec
  const choices = spec.choices ?? spec.suggestions?.() ?? []
  const flag = new Option(flags)
  return {
    name: flag.attributeName(),
    label: prompt,
    isOptional: !required,
    choices: choices.map((value) => ({ name: choiceNames[value] ?? value, value })),
    parse,
    flag,
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
