import { ConfigurationError } from '../base/errors.ts'
import type { Output } from '../base/io.ts'

/** The reader went away, as `| head` does: not a failure, the program just has nobody left to talk to. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe'
}

function explain(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return new ClosedPipe()
  return new ConfigurationError(`the output could not be written: ${error.message}`, {
    hint: 'Check the space and the permissions where the output is sent.',
    cause: error,
  })
}

/** Resolves when the stream took the bytes; rejects with `ClosedPipe` when its reader is gone. */
export function write(stream: Output, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // The error event follows the callback: without a listener it would end the process.
    const ignore = () => undefined
    stream.on('error', ignore)
    stream.write(data, (error) => {
      if (error) {
        reject(explain(error))
        return
      }
      stream.off('error', ignore)
      resolve()
    })
  })
}
