import { UsageError } from '../base/errors.ts'
import { isLink } from '../base/text.ts'
import { askInOrder, BackRequested, type Choice, explainKeys, review } from '../framework/ask.ts'
import type { Context } from '../framework/context.ts'
import type { Command, CurrentValues } from '../framework/define-command.ts'
import { type Argument, argument, choicesOf, type Flag } from '../framework/options.ts'
import { nonEmpty } from '../framework/values.ts'
import { alertProduction } from '../profiles/session.ts'
import { refuseLink } from '../routes/unknown-command.ts'
import type { Parsed } from './parse.ts'
import { commandText, endOfFlags, type Words } from './words.ts'

export interface Completed {
  input: Record<string, unknown>
  /** The command line with the answers from the prompts. */
  line: string
}

const emptyAnswers = { Skip: 'optional', Keep: 'Enter keeps the value' } as const

/** A prompt for a value that the command line does not contain. */
interface ValuePrompt {
  /** Key under which the answer from the prompt is stored in the input of the command. */
  name: string
  label: string
  /** Meaning of an empty answer. Undefined if an answer is required. */
  none?: keyof typeof emptyAnswers | undefined
  choices: readonly Choice<string>[]
  /** Converts an answer to a value. Throws UsageError for an invalid answer. */
  parse(text: string): unknown
  /** The flag that the answer to the prompt sets. Undefined if the prompt asks for an argument. */
  flag?: string | undefined
  /** Whether the answer is a list of arguments with spaces between them. */
  isList?: boolean
}

/**
 * Prompts for missing values and runs the command with the complete input. Esc at the confirmation returns to the prompts. The profile is
 * checked before the first prompt, so that no answers are lost if the profile cannot be used.
 */
export async function askMissing<Result>(
  ctx: Context,
  command: Command,
  parsed: Parsed,
  run: (completed: Completed) => Promise<Result>,
): Promise<Result> {
  const isConfirmed = await checkProfile(ctx, command)
  const current: Record<string, string | null | undefined> = {}
  for (const [key, prompt] of Object.entries(command.prompts)) {
    if (parsed.input[key] === undefined) continue
    if (prompt?.current) Object.assign(current, await prompt.current(ctx, parsed.input[key]))
    else await prompt?.check?.(ctx, parsed.input[key])
  }
  const questions = await Promise.all(
    findQuestions(command, parsed, current).map(async (question) => {
      const choices = await command.prompts[question.name]?.choices?.(ctx)
      return { ...question, ...(choices && { choices }) }
    }),
  )
  const texts: string[] = []
  const asks = questions.map((question, index) => async (canGoBack: boolean) => {
    const check = command.prompts[question.name]?.check
    const text = await askQuestion(ctx, question, check, { canGoBack, earlier: texts[index] })
    texts[index] = text
    const chosen = question.choices.find(({ value }) => value === text)?.name
    const skipped = question.choices.length > 0 ? question.none : undefined
    return { text: `${question.label} ${chosen ?? (text || (skipped ?? ''))}`.trimEnd() }
  })
  const isReviewed = asks.length > 1 && command.effect !== 'read' && !isConfirmed && !ctx.flags.dryRun
  if (asks.length > 1) explainKeys(ctx)
  return askInOrder(ctx, asks, async (canGoBack) => {
    const answers = answersTo(questions, texts)
    const line = commandText(addAnswers(parsed.argv, answers))
    const input = completeInput(command, parsed, answers)
    const values = `equivalent command: ${line}`
    if (isReviewed) await review(ctx, { values, question: 'Run this command?', canGoBack })
    else ctx.note(values)
    return run({ input, line }).catch(backToQuestions)
  })
}

/** Esc at the confirmation goes back to the prompts. `isBelowText`: the command can have printed text below the prompts. */
function backToQuestions(error: unknown): never {
  throw error instanceof BackRequested ? new BackRequested({ isBelowText: true }) : error
}

function completeInput(
  command: Command,
  { name, input, missing }: Parsed,
  answers: readonly AnsweredPrompt[],
): Record<string, unknown> {
  const values = Object.fromEntries(answers.map(({ name, parse, text }) => [name, parse(text)]))
  const complete = { ...input, ...values }
  const hasFlag = answers.some(({ flag }) => flag !== undefined)
  const problems = [...(command.check?.(complete) ?? [])]
  if (missing.anyFlag !== undefined && !hasFlag)
    throw new UsageError('all values were kept; nothing was changed')
  if (problems.length > 0) throw new UsageError(problems, { hint: `See: facescan ${name} --help` })
  return complete
}

type AnsweredPrompt = ValuePrompt & { text: string }

function answersTo(questions: readonly ValuePrompt[], texts: readonly string[]): AnsweredPrompt[] {
  return questions.flatMap((question, index) => {
    const text = texts[index] ?? ''
    return text === '' ? [] : [{ ...question, text }]
  })
}

/** Appends the answers from the prompts to the command line. Adds `--` before the arguments if one of them starts with a dash. */
function addAnswers(argv: readonly string[], answers: readonly AnsweredPrompt[]): string[] {
  const operands = answers.flatMap(({ flag, isList, text }) => {
    if (flag !== undefined) return []
    return isList ? text.split(/\s+/) : [text]
  })
  const flags = answers.flatMap(({ flag, text }) => (flag === undefined ? [] : [flag, text]))
  const end = endOfFlags(argv)
  const words = [...argv.slice(end + 1), ...operands]
  const needsSeparator = words.some((word) => word.startsWith('-'))
  return [...argv.slice(0, end), ...(needsSeparator ? [...flags, '--', ...words] : [...words, ...flags])]
}

/** Throws if no key is available, or if the profile does not allow changes. Returns whether the change will be confirmed at a prompt. */
async function checkProfile(ctx: Context, { calls, effect }: Command): Promise<boolean> {
  if (calls.length === 0) return false
  const session = await ctx.session()
  if (effect === 'read' || ctx.flags.dryRun) return false
  const { isConfirmed } = await import('../profiles/guard.ts')
  const willAsk = isConfirmed(effect, session, ctx.flags.confirm)
  alertProduction(session, ctx)
  return willAsk
}

/**
 * Returns prompts for the missing required values. Also returns prompts for optional flags if the line contains only global flags, or if
 * the command needs at least one flag.
 */
function findQuestions(command: Command, { words, missing }: Parsed, current: CurrentValues): ValuePrompt[] {
  const args = Object.entries(command.args).filter(([key]) => missing.args.includes(key))
  const options = Object.entries(command.options)
  const required = options.filter(([key]) => missing.flags.includes(key))
  const isOffered = ([, flag]: [string, Flag]) => flag.isPrompted && !flag.required
  const isAllOffered = isEmpty(command, words) || missing.anyFlag !== undefined
  const optional = isAllOffered ? options.filter(isOffered) : []
  return [
    ...(missing.user === undefined ? [] : [userQuestion(command)]),
    ...args.map(argumentQuestion),
    ...required.map((entry) => flagQuestion(entry)),
    ...optional.map(([key, one]) =>
      flagQuestion([key, one], command.needsFlag === undefined ? 'Skip' : 'Keep', current[key]),
    ),
  ]
}

/** Whether the command line contains only global flags. */
function isEmpty({ options }: Command, { operands, given }: Words): boolean {
  return operands.length === 0 && Object.keys(options).every((key) => given[key] === undefined)
}

function userQuestion({ args }: Command): ValuePrompt {
  // The user ID is added as a flag if the command has other arguments. An argument would have to be inserted before the arguments that were
  // already typed.
  const flag = Object.keys(args).length === 0 ? undefined : '--external-user-id'
  const question = argumentQuestion(['user', argument('<user>', 'external user ID')])
  const parse = (text: string) => {
    if (isLink(text)) throw refuseLink(text)
    return { external_user_id: nonEmpty(text) }
  }
  return { ...question, flag, parse }
}

function argumentQuestion([name, argument]: [string, Argument]): ValuePrompt {
  const { summary, parse = nonEmpty, choices = [], isRest } = argument
  return {
    name,
    label: capitalize(summary),
    choices: choices.map((value) => ({ name: value, value })),
    parse: isRest ? (text) => text.split(/\s+/).map(parse) : parse,
    isList: isRest,
  }
}

function flagQuestion(
  [name, flag]: [string, Flag],
  none?: ValuePrompt['none'],
  current?: string | null,
): ValuePrompt {
  const { names = {} } = flag.parse
  const summary = capitalize(flag.summary)
  const kept = current === null ? 'not set' : current && `Enter keeps ${names[current] ?? current}`
  const remark = none && (kept ?? emptyAnswers[none])
  const choices = choicesOf(flag) ?? flag.suggestions?.() ?? []
  return {
    name,
    label: remark ? `${summary} (${remark})`.replace(') (', ', ') : summary,
    none,
    choices: choices.map((value) => ({ name: names[value] ?? value, value })),
    parse: flag.parse,
    flag: flag.long,
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

async function askQuestion(
  ctx: Context,
  { label, choices, none, parse }: ValuePrompt,
  check: NonNullable<Command['prompts'][string]>['check'],
  options: { canGoBack: boolean; earlier: string | undefined },
): Promise<string> {
  if (choices.length > 0) return (await ctx.ask.select(label, choices, { ...options, none })) ?? ''
  const checkText = async (typed: string) => {
    const text = typed.trim()
    if (text === '' && none) return
    const value = parse(text)
    await check?.(ctx, value)
  }
  return (await ctx.ask.text(label, { ...options, check: checkText })).trim()
}
