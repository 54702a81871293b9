import { type ErrorDetails, RefusedError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { formatMessage } from '../output/message.ts'
import type { Terminal } from '../output/view.ts'

export interface TextOptions {
  /** Flags that contain the answer. The error names them if prompts are not possible. */
  flags?: string
  /** Throws UsageError or ConfigurationError if the text is not a valid answer. */
  check?(text: string): unknown
}

export interface Choice<Value> {
  name: string
  value: Value
}

/** Prompts on a terminal. Each method rejects with UsageError if prompts are not possible. */
export interface Ask {
  /** Whether prompts are possible: stdin and stderr are terminals, and no flag or variable disables prompts. */
  readonly possible: boolean
  text(label: string, options?: TextOptions): Promise<string>
  secret(label: string, options?: TextOptions): Promise<string>
  confirm(question: string, options?: { default?: boolean }): Promise<boolean>
  /** Shows choices. More than ten choices are searched by typing. `none` is the label of the entry that resolves with undefined. */
  select<Value>(
    label: string,
    choices: readonly Choice<Value>[],
    options?: { flags?: string; none?: string | undefined },
  ): Promise<Value | undefined>
}

interface AskContext {
  readonly ask: Ask
  readonly io: Pick<Io, 'stderr'>
  readonly terminals: { readonly stderr: Terminal }
}

/** Prints the values of a change before the last question, also with --quiet. Throws RefusedError if the answer is no. */
export async function review(
  { ask, io, terminals }: AskContext,
  { values, question }: { values: string; question: string },
): Promise<void> {
  io.stderr.write(formatMessage('note', values, terminals.stderr))
  const isAgreed = await ask.confirm(question, { default: true })
  if (!isAgreed) throw new RefusedError('canceled; nothing was changed')
}

/**
 * Asks for confirmation before data is removed permanently. `--yes` skips the prompt. `unasked` is the error if prompts are not possible.
 */
export async function agreeToRemove(
  { ask, flags }: Pick<AskContext, 'ask'> & { readonly flags: { yes: boolean } },
  question: string,
  unasked: { message: string; hint: ErrorDetails['hint'] },
): Promise<void> {
  if (flags.yes) return
  if (!ask.possible) throw new RefusedError(unasked.message, { hint: unasked.hint })
  if (!(await ask.confirm(question))) throw new RefusedError('canceled; nothing was removed')
}
