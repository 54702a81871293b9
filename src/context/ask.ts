import { type Environment, type Io, isOn } from '../base/io.ts'
import type { Ask, TextOptions } from '../framework/ask.ts'
import type { PromptSettings, ShowPrompt } from './prompts/show-prompt.ts'

/** Whether prompts are possible: stdin and stderr are terminals, and no flag or variable disables prompts. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: { input: boolean; yes: boolean },
): boolean {
  const isAllowed = input && !yes && !isOn(env['FACESCAN_NO_INPUT']) && !isOn(env['CI'])
  return isAllowed && Boolean(io.stderr.isTTY && io.stdin.isTTY)
}

/** Prints prompts on stderr, so that stdout contains only data. */
export function openPrompts(io: Io, settings: PromptSettings): Ask {
  const put = async <Value>(label: string, options: TextOptions, show: ShowPrompt<Value>) =>
    (await import('./prompts/show-prompt.ts')).showPrompt(io, settings, { label, ...options }, show)
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
