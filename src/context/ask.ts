import { ConfigurationError, FacescanError, UsageError } from '../base/errors.ts'
import { type Environment, type Io, isOn } from '../base/io.ts'
import type { Ask, TextOptions } from '../framework/ask.ts'
import { escapeControls, oneLine } from '../output/text.ts'
import type { Pen } from '../output/view.ts'
import type { PromptRequest, Prompts, Validate } from './prompts/prompts.ts'

export interface AskSettings {
  possible: boolean
  /** Pen for stderr. Without pictures, prompts are plain lines. */
  pen: Pen
  signal: AbortSignal
}

/** Whether prompts are possible: stdin and stderr are terminals, and no flag and no variable disables prompts. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: { input: boolean; yes: boolean },
): boolean {
  const isAllowed = input && !yes && !isOn(env['FACESCAN_NO_INPUT']) && !isOn(env['CI'])
  return isAllowed && Boolean(io.stderr.isTTY && io.stdin.isTTY)
}

/** Prints prompts on stderr, so that stdout contains only data. */
export function openPrompts(io: Io, settings: AskSettings): Ask {
  const put = <Value>(label: string, options: TextOptions, show: ShowPrompt<Value>) =>
    showPrompt(io, settings, { label, ...options }, show)
  return {
    possible: settings.possible,
    text: (label, options = {}) =>
      put(label, options, (prompts, request, validate) => prompts.text(request, validate, options.earlier)),
    secret: (label, options = {}) =>
      put(label, options, (prompts, request, validate) => prompts.secret(request, validate)),
    confirm: (question, { default: fallback = false, ...options } = {}) =>
      put(question, options, (prompts, request) => prompts.confirm(request, fallback)),
    select: (label, choices, { none, earlier, ...options } = {}) =>
      put(label, options, (prompts, request) => prompts.select(request, choices, { none, earlier })),
  }
}

type ShowPrompt<Value> = (prompts: Prompts, request: PromptRequest, validate: Validate) => Promise<Value>

/**
 * Creates the check of an answer. An error that is not about the answer aborts the prompt, because an error thrown inside a prompt would
 * end the process.
 */
function createValidate(check: TextOptions['check'], failed: AbortController): Validate {
  return async (text) => {
    try {
      await check?.(text)
      return true
    } catch (error) {
      const isInvalid = error instanceof UsageError || error instanceof ConfigurationError
      if (!isInvalid) failed.abort(error)
      return error instanceof Error ? error.message : String(error)
    }
  }
}

async function showPrompt<Value>(
  { stdin, stderr }: Io,
  { possible, pen, signal }: AskSettings,
  { label, flags, canGoBack = false, check }: TextOptions & { label: string },
  show: ShowPrompt<Value>,
): Promise<Value> {
  if (!possible) {
    const hint = `Pass it with ${flags ?? 'a flag; see --help'}. Prompts are available only in a terminal.`
    // Text in parentheses in a label explains the format and is not part of the name.
    const missing = label.replace(/ \(.*\)$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
    throw new UsageError(`${missing} is missing`, { hint })
  }
  const prompts = await loadPrompts(pen.pictures)
  const { dropTypedAhead, watchKeys } = await import('./prompts/terminal.ts')
  await dropTypedAhead(stdin)
  const keys = watchKeys(stdin, canGoBack)
  const failed = new AbortController()
  const request = {
    // A label may contain text from the service, such as a customer name.
    label: oneLine(escapeControls(label)),
    input: stdin,
    output: stderr,
    color: pen.color,
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
  if (isDrawn) return (await import('./prompts/drawn-prompts.ts')).drawnPrompts
  return (await import('./prompts/plain-prompts.ts')).plainPrompts
}

/** Converts the errors of prompts. A prompt handles Ctrl-C itself, because the terminal is in raw mode. */
function explain(error: unknown): unknown {
  const isCtrlC = error instanceof Error && error.name === 'ExitPromptError'
  return isCtrlC ? new FacescanError('interrupted', 'interrupted') : error
}
