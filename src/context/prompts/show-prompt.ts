import { ConfigurationError, FacescanError, UsageError } from '../../base/errors.ts'
import type { Io } from '../../base/io.ts'
import type { TextOptions } from '../../framework/ask.ts'
import { escapeControls, promptText, shortenParts } from '../../output/text.ts'
import type { Terminal } from '../../output/view.ts'
import { dropTypedAhead, type PromptRequest, type Prompts, type Validate, watchKeys } from './terminal.ts'

export interface PromptSettings {
  possible: boolean
  /** Properties of stderr. If `pictures` is false, prompts are plain lines. */
  terminal: Terminal
  signal: AbortSignal
}

export type ShowPrompt<Value> = (
  prompts: Prompts,
  request: PromptRequest,
  validate: Validate,
) => Promise<Value>

/**
 * Creates the check of the text typed at a prompt. An unexpected error aborts the prompt, because throwing it inside the prompt would end
 * the process.
 */
function createValidate(check: TextOptions['check'], failed: AbortController): Validate {
  return async (text) => {
    try {
      await check?.(text)
      return true
    } catch (error) {
      const isInvalid = error instanceof UsageError || error instanceof ConfigurationError
      if (!isInvalid) failed.abort(error)
      return escapeControls(shortenParts(error instanceof Error ? error.message : String(error)))
    }
  }
}

/** Shows one prompt. Rejects with UsageError if prompts are not possible. */
export async function showPrompt<Value>(
  { stdin, stderr }: Io,
  { possible, terminal, signal }: PromptSettings,
  { label, flags, canGoBack = false, check }: TextOptions & { label: string },
  show: ShowPrompt<Value>,
): Promise<Value> {
  if (!possible) {
    const hint = `Pass the value with ${flags ?? 'a flag; see --help'}. Prompts are available only in a terminal.`
    // Text in parentheses explains the format and is not part of the name.
    const missing = label.replace(/ \(.*\)$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
    throw new UsageError(`${missing} is missing`, { hint })
  }
  const prompts = await loadPrompts(terminal.pictures)
  await dropTypedAhead(stdin)
  const keys = watchKeys(stdin, canGoBack)
  const failed = new AbortController()
  const request = {
    label: promptText(label),
    input: stdin,
    output: stderr,
    color: terminal.color,
    width: terminal.width,
    canGoBack,
    signal: AbortSignal.any([signal, keys.signal, failed.signal]),
  }
  try {
    return await show(prompts, request, createValidate(check, failed))
  } catch (error) {
    throw request.signal.aborted ? request.signal.reason : explain(error)
  } finally {
    keys.stop()
  }
}

async function loadPrompts(isDrawn: boolean): Promise<Prompts> {
  const prompts = isDrawn
    ? (await import('./drawn-prompts.ts')).drawnPrompts
    : (await import('./plain-prompts.ts')).plainPrompts
  return {
    ...prompts,
    select: (request, choices, options) =>
      prompts.select(
        request,
        choices.map((choice) => ({ ...choice, name: promptText(choice.name) })),
        options,
      ),
  }
}

/**
 * Converts an error of a prompt to the error that the command throws. At a prompt, Ctrl-C arrives as a key and not as a signal, because the
 * terminal is in raw mode.
 */
function explain(error: unknown): unknown {
  const isCtrlC = error instanceof Error && error.name === 'ExitPromptError'
  return isCtrlC ? new FacescanError('interrupted', 'interrupted') : error
}
