interface AskOptions {
  /** Flags that pass the answer instead. An error shows them if prompts are not possible. */
  flags?: string
  /** Whether Esc returns to the previous prompt: the method then rejects with BackRequested. */
  canGoBack?: boolean
}

export interface TextOptions extends AskOptions {
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
  confirm(question: string, options?: { default?: boolean }): Promise<boolean>
  /** A list with more than ten choices is searched by typing. Resolves with undefined if the person skips an optional choice. */
  select<Value>(
    label: string,
    choices: readonly Choice<Value>[],
    options: AskOptions & { isOptional: boolean },
  ): Promise<Value | undefined>
}

/** The person wants to return to the previous prompt. */
export class BackRequested extends Error {
  override readonly name = 'BackRequested'
}
