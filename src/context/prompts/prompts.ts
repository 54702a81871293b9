import type { Input, Output } from '../../base/io.ts'
import type { Choice } from '../../framework/ask.ts'

export interface PromptRequest {
  label: string
  input: Input
  output: Output
  color: boolean
  signal: AbortSignal
}

/** Returns true for a valid text, or a message about the problem. */
export type Validate = (text: string) => Promise<true | string>

/** Prompts in one style: redrawn with each key, or as plain lines. */
export interface Prompts {
  text(request: PromptRequest, validate: Validate): Promise<string>
  secret(request: PromptRequest, validate: Validate): Promise<string>
  confirm(request: PromptRequest, fallback: boolean): Promise<boolean>
  /** `none` is the label of an additional entry for no value. If the user selects this entry, the result is undefined. */
  select<Value>(
    request: PromptRequest,
    choices: readonly Choice<Value>[],
    none: string | undefined,
  ): Promise<Value | undefined>
}
