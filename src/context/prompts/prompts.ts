import type { Input, Output } from '../../base/io.ts'
import type { Choice, TextOptions } from '../../command/ask.ts'

export interface PromptRequest {
  label: string
  input: Input
  output: Output
  color: boolean
  canGoBack: boolean
  signal: AbortSignal
}

/** Prompts in one style: redrawn with each key, or as plain lines. */
export interface Prompts {
  text(request: PromptRequest, validate: TextOptions['validate']): Promise<string>
  secret(request: PromptRequest): Promise<string>
  confirm(request: PromptRequest, fallback: boolean): Promise<boolean>
  /** Resolves with undefined if the person selects nothing. */
  select<Value>(
    request: PromptRequest,
    choices: readonly Choice<Value>[],
    isOptional: boolean,
  ): Promise<Value | undefined>
}
