import { type ErrorDetails, RefusedError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { checkMark, formatMessage } from '../output/message.ts'
import { widthOf, wrap } from '../output/text.ts'
import type { Terminal } from '../output/view.ts'

interface AskOptions {
  /** Flags that can be used instead of the prompt. The error names them if prompts are not possible. */
  flags?: string
  /** Whether Esc returns to the previous prompt. If so, Esc rejects with BackRequested. */
  canGoBack?: boolean
}

export interface TextOptions extends AskOptions {
  /** The answer that Enter accepts. Set if the user went back to a prompt that was answered earlier. */
  earlier?: string | undefined
  /** Throws UsageError or ConfigurationError if the text is not a valid answer. */
  check?(text: string): unknown
}

export interface Choice<Value> {
  name: string
  value: Value
}

/** Prompts on a terminal. If prompts are not possible, each method rejects with UsageError. */
export interface Ask {
  /** Whether prompts are possible: stdin and stderr are terminals, and no flag or variable disables prompts. */
  readonly possible: boolean
  text(label: string, options?: TextOptions): Promise<string>
  secret(label: string, options?: TextOptions): Promise<string>
  confirm(question: string, options?: { default?: boolean; canGoBack?: boolean }): Promise<boolean>
  /**
   * Shows choices. If there are more than ten choices, the user searches them by typing. `none` is an additional entry that resolves with
   * undefined.
   */
  select<Value>(
    label: string,
    choices: readonly Choice<Value>[],
    options?: AskOptions & { none?: string | undefined; earlier?: Value | undefined },
  ): Promise<Value | undefined>
}

/** Thrown to return to the previous prompt. */
export class BackRequested extends Error {
  override readonly name = 'BackRequested'
  /** Whether other text was printed below the earlier answers. If so, the answers cannot be erased. */
  readonly isBelowText: boolean

  constructor({ isBelowText = false } = {}) {
    super()
    this.isBelowText = isBelowText
  }
}

interface AskContext {
  readonly ask: Ask
  readonly io: Pick<Io, 'stderr'>
  note(text: string): void
  readonly terminals: { readonly stderr: Terminal }
}

/** The text that an answered question leaves on the screen. `rowsAbove` is the number of rows that were printed above this text. */
export interface Answered {
  text: string
  rowsAbove?: number
}

/** Shows one prompt. Resolves with the text that stays on the screen: the label and the answer. */
type QuestionStep = (canGoBack: boolean) => Promise<Answered>

export function explainKeys(ctx: AskContext): void {
  const back = ctx.terminals.stderr.pictures
    ? 'Esc returns to the previous question'
    : 'to return to the previous question, type < and press Enter'
  ctx.note(`${back}; Ctrl-C cancels`)
}

/**
 * Shows several prompts in order, and then runs the last step. Esc returns to the previous prompt and shows it in the same place. At the
 * first prompt, Esc rejects with BackRequested. `answered` contains the answers to earlier prompts.
 */
export async function askInOrder<Result>(
  ctx: AskContext,
  questions: readonly QuestionStep[],
  last: (canGoBack: boolean) => Promise<Result>,
  answered: Answered[] = [],
): Promise<Result> {
  const first = answered.length
  for (;;) {
    const question = questions[answered.length - first]
    const canGoBack = answered.length > 0
    try {
      if (question === undefined) return await last(canGoBack)
      answered.push(await question(canGoBack))
    } catch (error) {
      if (!(error instanceof BackRequested) || answered.length === first) throw error
      const left = answered.pop()
      if (error.isBelowText) repeatAnswers(ctx, answered)
      else if (left) eraseAnswer(ctx, left)
    }
  }
}

export function eraseAnswer(ctx: AskContext, answer: Answered): void {
  eraseRows(ctx, rowsOf(answer, ctx.terminals.stderr.width))
}

export function rowsOf({ text, rowsAbove = 0 }: Answered, width: number): number {
  const rows = wrap(`${checkMark} ${text}`, width, { hard: true })
  // The prompt library adds an empty row after a row that is as wide as the terminal.
  const rowsBelow = widthOf(rows.at(-1) ?? '') === width ? 1 : 0
  return rowsAbove + rows.length + rowsBelow
}

/** If other text was printed after the earlier answers, prints the answers again below this text, so that Esc can erase an answer. */
function repeatAnswers({ io, terminals, note }: AskContext, answered: readonly Answered[]): void {
  note('back to the questions; nothing was changed')
  const { pictures, green } = terminals.stderr
  if (pictures) io.stderr.write(answered.map(({ text }) => `${green(checkMark)} ${text}\n`).join(''))
}

/** Prints the values of a change before it asks for confirmation. Throws RefusedError if the answer is no. */
export async function review(
  ctx: AskContext,
  { values, question, canGoBack }: { values: string; question: string; canGoBack: boolean },
): Promise<void> {
  const ask = () => ctx.ask.confirm(question, { default: true, canGoBack })
  const { answer } = await askBelow(ctx, values, ask)
  if (!answer) throw new RefusedError('canceled; nothing was changed')
}

/** Prints a text above a question, even if --quiet is set. Esc removes the text from the screen. */
export async function askBelow<Answer>(
  ctx: AskContext,
  text: string,
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer; rowsAbove: number }> {
  const note = formatMessage('note', text, ctx.terminals.stderr)
  const rowsAbove = note.split('\n').length - 1
  ctx.io.stderr.write(note)
  try {
    return { answer: await ask(), rowsAbove }
  } catch (error) {
    if (error instanceof BackRequested) eraseRows(ctx, rowsAbove)
    throw error
  }
}

/** Removes the last rows from the screen. Plain-line prompts cannot remove rows. */
function eraseRows({ io, terminals }: AskContext, rows: number): void {
  if (terminals.stderr.pictures) io.stderr.write(`\x1b[${rows}A\x1b[J`)
}

/** Asks before data is removed permanently, unless --yes is set. `unasked` is the error if prompts are not possible. */
export async function agreeToRemove(
  { ask, flags }: Pick<AskContext, 'ask'> & { readonly flags: { yes: boolean } },
  question: string,
  unasked: { message: string; hint: ErrorDetails['hint'] },
): Promise<void> {
  if (flags.yes) return
  if (!ask.possible) throw new RefusedError(unasked.message, { hint: unasked.hint })
  if (!(await ask.confirm(question))) throw new RefusedError('canceled; nothing was removed')
}
