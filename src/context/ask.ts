import { ConfigurationError, FacescanError, UsageError } from '../base/errors.ts'
import type { Environment, Io } from '../base/io.ts'
import { isOn } from '../base/is-on.ts'
import type { Ask, AskOptions, TextOptions } from '../command/ask.ts'
import { escapeControls, oneLine } from '../output/text.ts'
import type { Pen } from '../output/view.ts'
import type { PromptRequest, Prompts } from './prompts/prompts.ts'

/** Whether prompts are possible: stdin and stderr are terminals, and no flag and no variable disables prompts. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: { input: boolean; yes: boolean },
): boolean {
  const isAllowed = input && !yes && !isOn(env['FACESCAN_NO_INPUT']) && !isOn(env['CI'])
  return isAllowed && Boolean(io.stderr.isTTY && io.stdin.isTTY)
}

interface AskSettings {
  possible: boolean
  /** Pen for stderr. Without pictures, the prompts are plain lines. */
  pen: Pen
  signal: AbortSignal
}

/** Prompts on stderr, so that stdout contains only data. */
export function createAsk(io: Io, settings: AskSettings): Ask {
  type Show<Value> = (prompts: Prompts, request: PromptRequest) => Promise<Value>
  const put = <Value>(label: string, options: AskOptions, show: Show<Value>) =>
    showPrompt(io, settings, { label, ...options }, show)
  return {
    possible: settings.possible,
    text: (label, { check, ...options } = {}) =>
      put(label, options, (prompts, request) => prompts.text(request, (text) => judge(text, check))),
    secret: (label, { check, ...options } = {}) =>
      put(label, options, (prompts, request) => prompts.secret(request, (text) => judge(text, check))),
    confirm: (question, { default: fallback = false } = {}) =>
      put(question, {}, (prompts, request) => prompts.confirm(request, fallback)),
    select: (label, choices, { isOptional, ...options }) =>
      put(label, options, (prompts, request) => prompts.select(request, choices, isOptional)),
  }
}

/** Returns true for a valid answer, otherwise a message about the problem. */
async function judge(text: string, check: TextOptions['check']): Promise<true | string> {
  try {
    await check?.(text)
    return true
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigurationError) return error.message
    throw error
  }
}

async function showPrompt<Value>(
  { stdin, stderr }: Io,
  { possible, pen, signal }: AskSettings,
  { label, flags, canGoBack = false }: AskOptions & { label: string },
  show: (prompts: Prompts, request: PromptRequest) => Promise<Value>,
): Promise<Value> {
  if (!possible) {
    const hint = `Pass it with ${flags ?? 'a flag; see --help'}. Prompts are available only in a terminal.`
    // Text in parentheses explains the format to a person at a prompt.
    throw new UsageError(`${label.replace(/ \(.*\)$/, '')} is missing`, { hint })
  }
  const prompts = await loadPrompts(pen.pictures)
  const { dropTypedAhead, watchKeys } = await import('./prompts/terminal.ts')
  await dropTypedAhead(stdin)
  const keys = watchKeys(stdin, canGoBack)
  const request = {
    // A label may contain text from the service, such as the name of a customer.
    label: oneLine(escapeControls(label)),
    input: stdin,
    output: stderr,
    color: pen.color,
    canGoBack,
    signal: AbortSignal.any([signal, keys.signal]),
  }
  try {
    return await show(prompts, request)
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

/** A prompt handles Ctrl-C itself, because the terminal is in raw mode. */
function explain(error: unknown): unknown {
  const isCtrlC = error instanceof Error && error.name === 'ExitPromptError'
  return isCtrlC ? new FacescanError('interrupted', 'interrupted') : error
}
