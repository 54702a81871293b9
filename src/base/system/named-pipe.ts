import { constants, openSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { orUndefined } from '../or-undefined.ts'

/** Whether the path is a named pipe, such as `<(pass show acme)`. */
export function isPipe(path: string): boolean {
  // A missing or unreadable file is reported when it is opened.
  return orUndefined(() => statSync(path).isFIFO()) ?? false
}

/** Opens a pipe without waiting for its other end. A blocking open would ignore Ctrl-C. */
export async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net')
  return new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  })
}

/** The text of a file or a pipe. Rejects if the signal is aborted. */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  if (!isPipe(path)) return readFile(path, { encoding: 'utf8', signal })
  return text(addAbortSignal(signal, await openPipe(path)))
}
