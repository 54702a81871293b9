import type { Input } from '../../base/io.ts'
import { BackRequested } from '../../command/ask.ts'
import { endOfInput } from './end-of-input.ts'

interface Key {
  ctrl?: boolean
  name?: string
}

/**
 * Aborts a prompt when the input ends or, if allowed, at Esc. Without this, a prompt waits forever after Ctrl-D, and Node exits with
 * code 0 because nothing is left to do.
 */
export function watchKeys(stdin: Input, canGoBack: boolean): { signal: AbortSignal; stop(): void } {
  const stopped = new AbortController()
  const onEnd = () => stopped.abort(endOfInput())
  const onKey = (_: unknown, key: Key | undefined) => {
    if (key?.ctrl && key.name === 'd') onEnd()
    if (canGoBack && key?.name === 'escape') stopped.abort(new BackRequested())
  }
  stdin.on('end', onEnd).on('keypress', onKey)
  return { signal: stopped.signal, stop: () => void stdin.off('end', onEnd).off('keypress', onKey) }
}
