import { UsageError } from '../base/errors.ts'
import { BackRequested } from '../command/ask.ts'
import type { Context } from '../command/context.ts'
import type { Command } from '../command/define-command.ts'
import { findQuestions, type Question } from './questions.ts'
import type { SortedWords } from './sort-words.ts'

type Checks = Command['checkAnswer']

interface Completed {
  completed: SortedWords
  /** The answers as words of a command line. */
  answers: readonly string[]
}

/** Prompts for the values missing from the command line. The profile is checked first, because answers for an unusable profile are lost. */
export async function askMissing(
  ctx: Context,
  command: Command,
  words: SortedWords,
  lacksUser: boolean,
): Promise<Completed> {
  await checkProfile(ctx, command)
  const questions = findQuestions(command, words, lacksUser)
  if (questions.length > 1) {
    const back = ctx.pen('stderr').pictures ? 'Esc' : '< and Enter'
    ctx.note(`${back} returns to the previous question; Ctrl-C cancels`)
  }
  const texts = await askInOrder(ctx, questions, command.checkAnswer)
  const answered = questions.map(({ flag }, index) => ({ flag, text: texts[index] ?? '' }))
  const operands = answered.filter(({ flag }) => flag === undefined).map(({ text }) => text)
  const flags = answered.flatMap(({ flag, text }) => (flag && text ? [{ flag, text }] : []))
  const given = Object.fromEntries(flags.map(({ flag, text }) => [flag.attributeName(), [text]]))
  return {
    completed: {
      ...words,
      operands: [...words.operands, ...operands],
      given: { ...words.given, ...given },
    },
    answers: [...operands, ...flags.flatMap(({ flag, text }) => [flag.long ?? flag.flags, text])],
  }
}

/** Throws if no key is available, or if the profile allows no changes. */
async function checkProfile(ctx: Context, { calls, effect }: Command): Promise<void> {
  if (calls.length === 0) return
  const session = await ctx.session()
  const { decideChange } = await import('../profiles/guard.ts')
  const consent = { interactive: true, yes: false, confirm: undefined }
  const decision = decideChange({ effect, summary: 'change data' }, session, consent)
  if (decision.do === 'refuse') throw decision.error
}

/** Asks the questions in order. Resolves with one answer per question; the answer to a skipped question is empty. */
async function askInOrder(ctx: Context, questions: readonly Question[], checks: Checks): Promise<string[]> {
  const answers: string[] = []
  for (;;) {
    const question = questions[answers.length]
    if (question === undefined) return answers
    try {
      answers.push(
        await askQuestion(ctx, question, { check: checks[question.name], canGoBack: answers.length > 0 }),
      )
    } catch (error) {
      if (!(error instanceof BackRequested)) throw error
      answers.pop()
    }
  }
}

interface Asking {
  check: Checks[string] | undefined
  canGoBack: boolean
}

async function askQuestion(ctx: Context, question: Question, { check, canGoBack }: Asking): Promise<string> {
  const { label, choices, isOptional } = question
  if (choices.length > 0) {
    const select = isOptional ? ctx.ask.selectOptional : ctx.ask.select
    return (await select(label, choices, { canGoBack })) ?? ''
  }
  const validate = async (typed: string) => {
    const text = typed.trim()
    if (text === '' && isOptional) return true
    const problem = findProblem(question, text)
    if (problem !== undefined) return problem
    return check === undefined ? true : check(ctx, text)
  }
  const text = await ctx.ask.text(label, { canGoBack, validate })
  return text.trim()
}

function findProblem({ parse }: Question, text: string): string | undefined {
  try {
    parse(text)
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}
