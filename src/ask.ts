import type { Ask } from './context.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'

/** Prompts on stderr, so that stdout stays data; loaded only when something is asked. */
export function createAsk(io: Io, possible: boolean, signal: AbortSignal): Ask {
  const streams = { input: io.stdin, output: io.stderr, signal, clearPromptOnDone: false }
  const prompts = async () => {
    if (!possible) {
      throw new UsageError('this needs an answer, and nobody can be asked here', {
        hint: 'Give the value with a flag; see --help.',
      })
    }
    return import('./prompts.ts')
  }
  return {
    possible,
    text: async (message, options = {}) => (await prompts()).input({ message, ...options }, streams),
    secret: async (message) => (await prompts()).password({ message, mask: '•' }, streams),
    confirm: async (message, options = {}) =>
      (await prompts()).confirm({ message, default: false, ...options }, streams),
    select: async (message, choices) => {
      const { search, select } = await prompts()
      if (choices.length <= 10) return select({ message, choices: [...choices] }, streams)
      const matching = (term = '') =>
        choices.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
      return search({ message, source: (term) => matching(term) }, streams)
    },
  }
}
