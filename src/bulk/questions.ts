import { UsageError } from '../base/errors.ts'
import { hideKeysIn } from '../base/mask.ts'
import { quoteWord } from '../base/text.ts'
import type { Cells } from './scan/cells.ts'
import type { ImportSettings, Reading } from './types.ts'

export type Setting = Reading & Pick<ImportSettings, 'timezone'>

/** A question about how to read a file. Only a person can answer it. */
export interface Question {
  problem: string
  /** The setting that is probably right. Undefined if several settings are likely. */
  suggested?: Setting
  /** The prompts that ask this question on a terminal. If there are none, the file must be changed. */
  prompts?: readonly Prompt[]
  /** If set, a terminal shows only the prompts, without the problem, and an error does not list the possible flags. */
  isPlain?: true
}

export interface Prompt {
  label: string
  /** Number of likely choices (default 2). They come first, and a long list shows only them at first. */
  likely?: number
  choices: readonly { name: string; set: Setting }[]
}

/** A column that contains a field of a user. */
export interface SurveyedColumn {
  at: number
  name: string
  field: string
}

/** Collects evidence about one property of a file from its rows, such as the format of dates. */
export interface Evidence {
  /** Stores the cells of a record for later prompts about the file. Call this after the cells were trimmed. */
  note?(cells: Cells, line: number): void
  questions(): readonly Question[]
}

/** Maximum number of choices whose flags are listed in an error. */
const mostListed = 8

/** The error for a file that cannot be read without more flags. The error contains all problems. */
export class UnclearFile extends UsageError {
  readonly questions: readonly Question[]
  readonly isAnswerable: boolean
  /** Flags for all questions that have a suggestion. */
  readonly flags: string

  constructor(name: string, found: readonly Question[]) {
    const questions = found.map(withoutKeys)
    const flags = flagsOf(questions.reduce((all, { suggested = {} }) => mergeSettings(all, suggested), {}))
    const isAnswerable = questions.every(({ prompts = [] }) => prompts.length > 0)
    const title = flags !== '' || isAnswerable ? 'cannot be read without more flags' : 'cannot be read'
    super([`${name} ${title}; nothing was sent`, ...questions.map(describe)], {
      ...(flags !== '' && { hint: `Check and add: ${flags}` }),
    })
    this.questions = questions
    this.isAnswerable = isAnswerable
    this.flags = flags
  }

  /** Adds the complete command to run. `line` is the current command. */
  withCommand(line: string): this {
    if (this.flags === '' && !this.isAnswerable) return this
    const command = `${line} ${this.flags}`.trim()
    const isFixable = this.questions.every(({ prompts = [], isPlain }) => isPlain || prompts.length > 0)
    const isComplete = this.questions.every(({ suggested }) => suggested !== undefined)
    const start = isComplete ? 'Check the flags, then run' : 'Choose the missing flags, and add them to'
    this.details.hint = isFixable
      ? `${start}: ${command}`
      : `Correct the file first. The flags for the other problems are: ${this.flags}`
    return this
  }
}

/** In a question, hides texts that look like API keys or tokens. */
function withoutKeys(question: Question): Question {
  const prompts = question.prompts?.map((prompt) => ({
    ...prompt,
    label: hideKeysIn(prompt.label),
    choices: prompt.choices.map(({ name, set }) => ({ name: hideKeysIn(name), set })),
  }))
  return { ...question, problem: hideKeysIn(question.problem), ...(prompts && { prompts }) }
}

/** Describes a problem in an error message. Without a suggestion, lists the possible flags. */
function describe({ problem, suggested, isPlain, prompts = [] }: Question): string {
  const [prompt] = prompts
  if (suggested || isPlain || !prompt || prompts.length > 1) return problem
  const listed = prompt.choices.slice(0, mostListed).map(({ name, set }) => `${flagsOf(set)} (${name})`)
  return `${problem}: ${listed.join(' or ')}`
}

/** Merges settings. The second setting takes precedence. */
export function mergeSettings<First extends Setting>(first: First, second: Setting): First {
  const values = { ...first.values }
  for (const [field, texts] of Object.entries(second.values ?? {}))
    values[field] = { ...values[field], ...texts }
  const ignoreColumns = [...(first.ignoreColumns ?? []), ...(second.ignoreColumns ?? [])]
  const set = Object.fromEntries(Object.entries(second).filter(([, value]) => value !== undefined))
  return {
    ...first,
    ...set,
    map: { ...first.map, ...second.map },
    ...(ignoreColumns.length > 0 && { ignoreColumns: [...new Set(ignoreColumns)] }),
    ...(Object.keys(values).length > 0 && { values }),
  }
}

/** The flags for settings, as they can be pasted into a shell. */
export function flagsOf(setting: Setting): string {
  const { map = {}, ignoreColumns = [], values = {}, delimiter, ids } = setting
  // A name with a comma needs its own flag, because --ignore-columns separates names with commas.
  const simple = ignoreColumns.filter((name) => !name.includes(','))
  const ignored = ignoreColumns.filter((name) => name.includes(',')).map((name) => [name, ''])
  const flags: (readonly [flag: string, text: string | number | undefined])[] = [
    ['--sheet', setting.sheet],
    ['--hidden', setting.hidden],
    ['--encoding', setting.encoding],
    ['--delimiter', delimiter === '\t' ? 'tab' : delimiter],
    ['--header-line', setting.headerLine],
    ...[...Object.entries(map), ...ignored].map((pair) => ['--map', pair.join('=')] as const),
    ['--ignore-columns', simple.length > 0 ? simple.join(',') : undefined],
    ['--ids', typeof ids === 'number' ? `pad:${ids}` : ids],
    ['--date-format', setting.dateFormat],
    ...Object.entries(values).map(([field, texts]) => {
      const pairs = Object.entries(texts).map(([from, to]) => `${from}=${to}`)
      return ['--values', `${field}:${pairs.join(',')}`] as const
    }),
    ['--timezone', setting.timezone],
  ]
  return flags
    .flatMap(([flag, text]) => (text === undefined ? [] : `${flag} ${quoteWord(`${text}`)}`))
    .join(' ')
}
