import type { Ask } from './context.ts'
import { FacescanError, RefusedError, UsageError } from './errors.ts'
import type { Environment, Io } from './io.ts'

/** Whether a person can be asked: the input and the prompts are at a terminal, and nothing says to leave questions out. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: { input: boolean; yes: boolean },
): boolean {
  return Boolean(io.stdin.isTTY && io.stderr.isTTY) && input && !yes && !env['FACESCAN_NO_INPUT']
}

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
  const answer = <Value>(asked: Promise<Value>): Promise<Value> =>
    asked.catch((error: unknown) => {
      throw signal.aborted ? signal.reason : explain(error)
    })
  return {
    possible,
    text: async (message, options = {}) => answer((await prompts()).input({ message, ...options }, streams)),
    secret: async (message) => answer((await prompts()).password({ message, mask: '•' }, streams)),
    confirm: async (message, options = {}) =>
      answer((await prompts()).confirm({ message, default: false, ...options }, streams)),
    select: async (message, choices) => {
      const { search, select } = await prompts()
      if (choices.length <= 10) return answer(select({ message, choices: [...choices] }, streams))
      const matching = (term = '') =>
        choices.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
      return answer(search({ message, source: (term) => matching(term) }, streams))
    },
  }
}

/** The prompts take Ctrl-C themselves, because the terminal is theirs meanwhile; they tell it from the end of input by the message. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ExitPromptError') return error
  if (error.message.includes('SIGINT')) return new FacescanError('interrupted', 'interrupted')
  return new RefusedError('the input ended without an answer', { hint: 'Nothing was done.' })
}
