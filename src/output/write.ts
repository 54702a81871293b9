import { cannotWrite } from '../base/files.ts'
import type { Output } from '../base/io.ts'

/** The reader closed the pipe, as `| head` does. The command has not failed. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe'
}

/** Resolves when the stream has accepted the data. Rejects with `ClosedPipe` if the pipe was closed. */
export function write(stream: Output, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // The error event comes after the callback. Without a listener, the event would end the process.
    const ignore = () => undefined
    stream.on('error', ignore)
    stream.write(data, (error?: NodeJS.ErrnoException | null) => {
      if (error) {
        const isClosed = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
        const hint = 'Check the free disk space and the permissions of the output file.'
        return reject(isClosed ? new ClosedPipe() : cannotWrite('the output', error, hint))
      }
      stream.off('error', ignore)
      resolve()
    })
  })
}
