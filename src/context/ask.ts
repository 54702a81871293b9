import { FacescanError, RefusedError, UsageError } from '../base/errors.ts'
import type { Environment, Input, Io, Output } from '../base/io.ts'
import { isOn } from '../base/is-on.ts'
import type { Ask } from '../command/context.ts'
import { escapeControls, oneLine } from '../output/text.ts'

/** Whether a person can be asked: the input and the prompts are at a terminal, and nothing says to leave questions out. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: { input: boolean; yes: boolean },
): boolean {
  const mayAsk = input && !yes && !isOn(env['FACESCAN_NO_INPUT']) && !isOn(env['CI'])
  return mayAsk && Boolean(io.stderr.isTTY && io.stdin.isTTY)
}

/** Prompts on stderr, so that stdout stays data; loaded only when something is asked. */
export function createAsk(
  io: Io,
  { possible, color, signal }: { possible: boolean; color: boolean; signal: AbortSignal },
): Ask {
  const put = async <Value>(
    message: string,
    question: (prompts: Prompts, message: string, streams: PromptStreams) => Promise<Value>,
    flags = 'a flag; see --help',
  ) => {
    if (!possible)
      throw new UsageError(`there is nobody to ask: ${message}`, { hint: `Give it with ${flags}.` })
    const prompts = await import('./prompts.ts')
    const end = watchForEnd(io.stdin)
    const output = color ? io.stderr : prompts.withoutColor(io.stderr)
    const streams = { input: io.stdin, output, clearPromptOnDone: false }
    try {
      // The service may have a word in it, such as the name of a customer.
      const safe = oneLine(escapeControls(message))
      return await question(prompts, safe, { ...streams, signal: AbortSignal.any([signal, end.signal]) })
    } catch (error) {
      throw signal.aborted ? signal.reason : explain(error)
    } finally {
      end.stop()
    }
  }
  return {
    possible,
    text: (question, { flags, ...options } = {}) =>
      put(question, ({ input }, message, streams) => input({ message, ...options }, streams), flags),
    secret: (question, { flags } = {}) =>
      put(question, ({ password }, message, streams) => password({ message, mask: '•' }, streams), flags),
    confirm: (question, options = {}) =>
      put(question, ({ confirm }, message, streams) =>
        confirm({ message, default: false, ...options }, streams),
      ),
    select: (question, choices) =>
      put(question, ({ search, select }, message, streams) => {
        if (choices.length <= 10) return select({ message, choices: [...choices] }, streams)
        const matching = (term = '') =>
          choices.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
        return search({ message, source: (term) => matching(term) }, streams)
      }),
  }
}

type Prompts = typeof import('./prompts.ts')

interface PromptStreams {
  input: Input
  output: Output
  clearPromptOnDone: boolean
  signal: AbortSignal
}

/** The prompts wait for ever when the input ends, by Ctrl-D or by itself, and a program that waits for nothing ends as if all were well. */
function watchForEnd(stdin: Input): { signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  const onEnd = () => ended.abort()
  const onKey = (_: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl && key.name === 'd') ended.abort()
  }
  stdin.on('end', onEnd).on('keypress', onKey)
  return { signal: ended.signal, stop: () => void stdin.off('end', onEnd).off('keypress', onKey) }
}

/** The prompts take Ctrl-C themselves, because the terminal is theirs meanwhile. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'ExitPromptError') return new FacescanError('interrupted', 'interrupted')
  if (error.name !== 'AbortPromptError') return error
  return new RefusedError('the input ended without an answer', { hint: 'Nothing was done.' })
}
