import { FacescanError } from '../../base/errors.ts'
import type { Input } from '../../base/io.ts'

interface Terminal extends Input {
  setRawMode(isRaw: boolean): unknown
}

const interrupt = '\x03'

/** Discards keys that were pressed before the prompt appeared. They answer nothing that the person has read. */
export async function dropTypedAhead(input: Input): Promise<void> {
  if (!isTerminal(input)) return
  let typed = ''
  const collect = (chunk: Buffer | string) => {
    typed += chunk
  }
  // Only in raw mode does the terminal pass on a line that is not complete.
  input.setRawMode(true)
  input.on('data', collect).resume()
  let before: string
  do {
    before = typed
    // The event loop reads the terminal once before each immediate.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  } while (typed !== before)
  input.off('data', collect).pause()
  input.setRawMode(false)
  if (typed.includes(interrupt)) throw new FacescanError('interrupted', 'interrupted')
}

function isTerminal(input: Input): input is Terminal {
  return input.isTTY === true && 'setRawMode' in input
}
