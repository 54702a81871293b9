import { UsageError } from '../base/errors.ts'
import { alertProduction } from '../context/approval.ts'
import { BackRequested, type Choice } from '../framework/ask.ts'
import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import { type Argument, choicesOf, type Flag, isRest } from '../framework/options.ts'
import { nonEmpty } from '../framework/values.ts'
import { wrap } from '../output/text.ts'
import type { Missing, Parsed } from './parse.ts'
import { commandText, endOfFlags, type Words } from './words.ts'

/** A prompt for a value that a command line lacks. */
interface Question {
  /** The name of the value in the input of the command. */
  name: string
  label: string
  isOptional: boolean
  /** The answer must be one of the choices, if there are any. */
  choices: readonly Choice<string>[]
  /** The value of an answer. Throws UsageError for an invalid answer. */
  parse(text: string): unknown
  /** The flag that the answer belongs to. An answer without a flag is an argument. */
  flag?: string | undefined
}

/**
 * Prompts for the values that the command line lacks, and returns the complete input. The profile is checked first, because
 * answers for an unusable profile are lost.
 */
export async function askMissing(
  ctx: Context,
  command: Command,
  { name, argv, input, words, missing }: Parsed,
): Promise<Record<string, unknown>> {
  await checkProfile(ctx, command)
  await checkGiven(ctx, command, words)
  const questions = findQuestions(command, words, missing)
  if (questions.length > 1) {
    const back = ctx.pen('stderr').pictures
      ? 'Esc returns to the previous question'
      : 'to return to the previous question, type < and press Enter'
    ctx.note(`${back}; Ctrl-C cancels`)
  }
  const texts = await askInOrder(ctx, questions, command.checkAnswer)
  const answers = questions.flatMap((question, index) => {
    const text = texts[index] ?? ''
    return text === '' ? [] : [{ ...question, text }]
  })
  const values = Object.fromEntries(answers.map(({ name, parse, text }) => [name, parse(text)]))
  const complete = { ...input, ...values }
  const problems = command.check(complete)
  if (problems.length > 0) throw new UsageError(problems, { hint: `See: facescan ${name} --help` })
  ctx.line = commandText(addAnswers(argv, answers))
  if (!command.promptsInRun) ctx.note(`equivalent command: ${ctx.line}`)
  return complete
}

type Answer = Pick<Question, 'flag'> & { text: string }

/** If an argument starts with a dash, all arguments follow a separator. */
function addAnswers(argv: readonly string[], answers: readonly Answer[]): string[] {
  const operands = answers.flatMap(({ flag, text }) => (flag === undefined ? text.split(/\s+/) : []))
  const flags = answers.flatMap(({ flag, text }) => (flag === undefined ? [] : [flag, text]))
  const end = endOfFlags(argv)
  const words = [...argv.slice(end + 1), ...operands]
  const needsSeparator = words.some((word) => word.startsWith('-'))
  return [...argv.slice(0, end), ...(needsSeparator ? [...flags, '--', ...words] : [...words, ...flags])]
}

/** Throws if no key is available, or if the profile allows no changes. */
async function checkProfile(ctx: Context, { calls, effect }: Command): Promise<void> {
  if (calls.length === 0) return
  const session = await ctx.session()
  const { decideChange } = await import('../profiles/guard.ts')
  const consent = { interactive: true, yes: false, confirm: undefined }
  decideChange({ effect, summary: 'change data' }, session, consent)
  if (effect !== 'read') await alertProduction(ctx)
}

/** Checks the arguments of the command line before the first prompt, because answers for an invalid argument are lost. */
async function checkGiven(ctx: Context, { user, args, checkAnswer }: Command, { operands }: Words) {
  if (user !== undefined) return
  const keys = Object.keys(args)
  for (const [index, text] of operands.entries()) await checkAnswer[keys[index] ?? '']?.(ctx, text)
}

/** Questions for all required values, and for optional flags if the command line contains none of the command's own words. */
function findQuestions(command: Command, words: Words, missing: Missing): Question[] {
  const args = Object.entries(command.args).filter(([key]) => missing.args.includes(key))
  const options = Object.entries(command.options)
  const required = options.filter(([key]) => missing.flags.includes(key))
  const isOffered = ([, flag]: [string, Flag]) => flag.prompt !== undefined && !flag.required
  const optional = isEmpty(command, words) ? options.filter(isOffered) : []
  return [
    ...(missing.user === undefined ? [] : [userQuestion(command)]),
    ...args.map(argumentQuestion),
    ...[...required, ...optional].map(flagQuestion),
  ]
}

/** Whether the words contain nothing but global flags. */
function isEmpty({ options }: Command, { operands, given }: Words): boolean {
  return operands.length === 0 && Object.keys(options).every((key) => given[key] === undefined)
}

function userQuestion({ args }: Command): Question {
  // The user is the first argument, and the line may already contain other arguments.
  const flag = Object.keys(args).length === 0 ? undefined : '--external-user-id'
  const question = argumentQuestion(['user', { pattern: '<user>', summary: 'external user ID' }])
  return { ...question, flag, parse: (text) => ({ external_user_id: nonEmpty(text) }) }
}

function argumentQuestion([name, argument]: [string, Argument]): Question {
  const { summary, parse = nonEmpty, choices = [] } = argument
  return {
    name,
    label: capitalize(summary),
    isOptional: false,
    choices: choices.map((value) => ({ name: value, value })),
    parse: isRest(argument) ? (text) => text.split(/\s+/).map(parse) : parse,
  }
}

function flagQuestion([name, flag]: [string, Flag]): Question {
  const { prompt = capitalize(flag.summary), choiceNames = {}, required = false } = flag
  const choices = choicesOf(flag) ?? flag.suggestions?.() ?? []
  return {
    name,
    label: prompt,
    isOptional: !required,
    choices: choices.map((value) => ({ name: choiceNames[value] ?? value, value })),
    parse: flag.parse,
    flag: flag.long,
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type Checks = Command['checkAnswer']

/** Asks the questions in order. Resolves with one answer per question; the answer to a skipped question is empty. */
async function askInOrder(ctx: Context, questions: readonly Question[], checks: Checks): Promise<string[]> {
  const answers: string[] = []
  for (;;) {
    const question = questions[answers.length]
    if (question === undefined) return answers
    try {
      answers.push(await askQuestion(ctx, question, checks[question.name], answers.length > 0))
    } catch (error) {
      if (!(error instanceof BackRequested)) throw error
      const answer = answers.pop()
      const previous = questions[answers.length]
      if (previous && answer !== undefined) eraseAnswer(ctx, previous, answer)
    }
  }
}

/** Removes an answered prompt from the screen before it is shown again. */
function eraseAnswer(ctx: Context, { label, choices }: Question, answer: string): void {
  const { pictures, width } = ctx.pen('stderr')
  if (!pictures) return
  const shown = choices.find(({ value }) => value === answer)?.name ?? answer
  const rows = wrap(`✔ ${label} ${shown}`, width, { hard: true }).length
  ctx.io.stderr.write(`\x1b[${rows}A\x1b[J`)
}

async function askQuestion(
  ctx: Context,
  { label, choices, isOptional, parse }: Question,
  check: Checks[string] | undefined,
  canGoBack: boolean,
): Promise<string> {
  if (choices.length > 0) return (await ctx.ask.select(label, choices, { canGoBack, isOptional })) ?? ''
  const checkText = async (typed: string) => {
    const text = typed.trim()
    if (text === '' && isOptional) return
    parse(text)
    await check?.(ctx, text)
  }
  return (await ctx.ask.text(label, { canGoBack, check: checkText })).trim()
}
