import type { Pen } from '../output/view.ts'

interface AskOptions {
  /** Flags that pass the answer instead. An error shows them if prompts are not possible. */
  flags?: string
  /** Whether Esc returns to the previous prompt: the method then rejects with BackRequested. */
  canGoBack?: boolean
}

export interface TextOptions extends AskOptions {
  /** The answer from before the person returned to this prompt. Enter accepts it. */
  earlier?: string | undefined
  /** Throws UsageError or ConfigurationError if the person must enter another text. */
  check?(text: string): unknown
}

export interface Choice<Value> {
  name: string
  value: Value
}

/** Prompts on a terminal. Each method rejects with UsageError if prompts are not possible. */
export interface Ask {
  /** Whether stdin and stderr are terminals, and no flag and no variable disables prompts. */
  readonly possible: boolean
  text(label: string, options?: TextOptions): Promise<string>
  secret(label: string, options?: TextOptions): Promise<string>
  confirm(question: string, options?: { default?: boolean; canGoBack?: boolean }): Promise<boolean>
  /** A list with more than ten choices is searched by typing. Resolves with undefined if the person skips an optional choice. */
  select<Value>(
    label: string,
    choices: readonly Choice<Value>[],
    options: AskOptions & { isOptional: boolean; earlier?: Value | undefined },
  ): Promise<Value | undefined>
}

/** The person wants to return to the previous prompt. */
export class BackRequested extends Error {
  override readonly name = 'BackRequested'
}

interface AskStep {
  ask(canGoBack: boolean): Promise<void>
  /** Removes the answered prompt from the screen. */
  erase?(): void
}

/** Asks several questions, and then runs the last step. At Esc, the previous question is asked again. */
export async function askInOrder(
  { note, pen }: { note(text: string): void; pen(stream: 'stderr'): Pen },
  questions: readonly AskStep[],
  last: readonly AskStep[] = [],
): Promise<void> {
  if (questions.length > 1) {
    const back = pen('stderr').pictures
      ? 'Esc returns to the previous question'
      : 'to return to the previous question, type < and press Enter'
    note(`${back}; Ctrl-C cancels`)
  }
  const steps = [...questions, ...last]
  for (let at = 0; at < steps.length; ) {
    try {
      await steps[at]?.ask(at > 0)
      at += 1
    } catch (error) {
      if (!(error instanceof BackRequested)) throw error
      at -= 1
      steps[at]?.erase?.()
    }
  }
}
