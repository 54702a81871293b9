import { FacescanError, RefusedError } from '../../base/errors.ts'
import type { Input, Output } from '../../base/io.ts'
import { BackRequested, type Choice } from '../../framework/ask.ts'

export interface PromptRequest {
  label: string
  input: Input
  output: Output
  color: boolean
  width: number
  canGoBack: boolean
  signal: AbortSignal
}

/** Returns true for a valid text, and an error message for an invalid text. */
export type Validate = (text: string) => Promise<true | string>

/** Prompts in one of two styles: drawn again after each key press, or as plain lines. */
export interface Prompts {
  /** `earlier` is the answer that Enter accepts. */
  text(request: PromptRequest, validate: Validate, earlier?: string): Promise<string>
  secret(request: PromptRequest, validate: Validate): Promise<string>
  confirm(request: PromptRequest, fallback: boolean): Promise<boolean>
  /** `none` is the label of an additional entry. If the user selects this entry, the prompt resolves with undefined. */
  select<Value>(
    request: PromptRequest,
    choices: readonly Choice<Value>[],
    options: { none?: string | undefined; earlier?: Value | undefined },
  ): Promise<Value | undefined>
}

export function endOfInput(): RefusedError {
  return new RefusedError('canceled; the input ended before the prompt was answered', {
    hint: 'Nothing was changed.',
  })
}

interface TerminalInput extends Input {
  setRawMode(isRaw: boolean): unknown
}

const interrupt = '\x03'

/** Discards keys that were pressed before the prompt appeared. */
export async function dropTypedAhead(input: Input): Promise<void> {
  if (!isTerminal(input)) return
  let typed = ''
  const collect = (chunk: Buffer | string) => {
    typed += chunk
  }
  // In raw mode, the terminal returns each key. Otherwise, it would return only complete lines.
  input.setRawMode(true)
  input.on('data', collect).resume()
  let before: string
  do {
    before = typed
    // The callback of setImmediate runs after the event loop has read from the terminal once, so all earlier keys were read.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  } while (typed !== before)
  input.off('data', collect).pause()
  input.setRawMode(false)
  if (typed.includes(interrupt)) throw new FacescanError('interrupted', 'interrupted')
}

function isTerminal(input: Input): input is TerminalInput {
  return input.isTTY === true && 'setRawMode' in input
}

interface Key {
  ctrl?: boolean
  name?: string
}

/**
 * Aborts a prompt if the input ends. If `canGoBack` is true, Esc also aborts the prompt. Without this function, the prompt would never
 * settle after Ctrl-D, and Node would exit with code 0.
 */
export function watchKeys(stdin: Input, canGoBack: boolean): { signal: AbortSignal; stop(): void } {
  const stopped = new AbortController()
  const onEnd = () => stopped.abort(endOfInput())
  const onKey = (_: unknown, key: Key | undefined) => {
    if (key?.ctrl && key.name === 'd') onEnd()
    if (canGoBack && key?.name === 'escape') stopped.abort(new BackRequested())
  }
  let isOpen = true
  // After Ctrl-Z and fg, readline pauses the input. Node would then exit with code 0, so the input is resumed.
  const onPause = () => setImmediate(() => isOpen && stdin.resume())
  stdin.on('end', onEnd).on('keypress', onKey).on('pause', onPause)
  const stop = () => {
    isOpen = false
    // After fg, readline assumes that the input is already paused and does not pause it. So the input is paused here.
    stdin.off('end', onEnd).off('keypress', onKey).off('pause', onPause).pause()
  }
  return { signal: stopped.signal, stop }
}
