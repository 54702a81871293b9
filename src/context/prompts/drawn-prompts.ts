import { confirm, input, password, search, select } from '@inquirer/prompts'
import type { Choice } from '../../command/ask.ts'
import { withoutColor } from '../../output/without-color.ts'
import type { PromptRequest, Prompts } from './prompts.ts'

/** More choices than this are searched by typing. */
const mostListed = 10

/** Prompts that are redrawn with each key. */
export const drawnPrompts: Prompts = {
  text: (request, validate) =>
    input({ message: request.label, ...(validate && { validate }) }, streamsOf(request)),
  secret: (request) => password({ message: request.label, mask: '•' }, streamsOf(request)),
  confirm: (request, fallback) => confirm({ message: request.label, default: fallback }, streamsOf(request)),
  select: (request, choices) =>
    choices.length > mostListed ? searchIn(request, choices) : selectFrom(request, choices),
}

function selectFrom<Value>(request: PromptRequest, choices: readonly Choice<Value>[]): Promise<Value> {
  const theme = { style: { keysHelpTip: () => keysOf(request, '↑↓ move · Enter select') } }
  return select({ message: request.label, choices: [...choices], theme }, streamsOf(request))
}

/** Shows choices only after typing, so that Enter alone selects nothing. */
function searchIn<Value>(request: PromptRequest, choices: readonly Choice<Value>[]): Promise<Value> {
  const source = (term = '') => (term === '' ? [] : findChoices(choices, term))
  const theme = { style: { keysHelpTip: () => keysOf(request, 'type to search · ↑↓ move · Enter select') } }
  return search({ message: request.label, source, theme }, streamsOf(request))
}

export function findChoices<Value>(choices: readonly Choice<Value>[], term: string): Choice<Value>[] {
  return choices.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
}

function keysOf({ canGoBack }: PromptRequest, keys: string): string {
  return canGoBack ? `${keys} · Esc back` : keys
}

function streamsOf({ input, output, color, signal }: PromptRequest) {
  return { input, output: color ? output : withoutColor(output), signal, clearPromptOnDone: false }
}
