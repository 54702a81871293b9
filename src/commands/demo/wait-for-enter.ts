import { once } from 'node:events'
import type { Context } from '../../command/context.ts'

/** Lets a person read before the screen scrolls. Does not wait if the tour is piped, or if prompts are disabled. */
export async function waitForEnter(ctx: Context, what: string): Promise<void> {
  const { stdin, stderr } = ctx.io
  if (!ctx.ask.possible || !ctx.pen('stdout').terminal || stdin.readableEnded) return
  stderr.write(ctx.pen('stderr').dim(`\nPress Enter for ${what}, or Ctrl-C to stop: `))
  const ended = new AbortController()
  stdin.resume()
  try {
    const signal = AbortSignal.any([ctx.signal, ended.signal])
    await Promise.race([once(stdin, 'data', { signal }), once(stdin, 'end', { signal })])
  } catch {
    ctx.signal.throwIfAborted()
  } finally {
    ended.abort()
    stdin.pause()
  }
}
