import { PassThrough, Writable } from 'node:stream'
import type { Output } from '../../base/io.ts'
import { write } from '../../output/write.ts'

/** A stream that the commands of the tour treat as a terminal, so that piped tables look the same, without color. */
export function presentOn(stream: Output, signal: AbortSignal): Output {
  const shown: Output = new Writable({
    write(chunk: Buffer, _, done) {
      // A progress line cannot replace itself in a file.
      const isProgress = !stream.isTTY && chunk.toString().startsWith('\r')
      // The tour itself reports that it was stopped.
      if (isProgress || signal.aborted) done()
      else write(stream, chunk).then(() => done(), done)
    },
  })
  // The tour reports a failed write with the next text that it writes itself.
  shown.on('error', () => undefined)
  shown.isTTY = true
  shown.columns = stream.columns ?? maximumPipedColumns
  return shown
}

const maximumPipedColumns = 100

/** Resolves when all that was written before is shown, or when a write failed. */
export function flush(stream: Output): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

export function discard(): Output {
  return new PassThrough().resume()
}
