import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../base/errors.ts'
import { chunksOf, copied, explainFile, type RawInput } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import { ScratchFile } from './spool/scratch.ts'

/** Copies a stream to a temporary file, so that it can be read several times. */
export async function copyStream(stream: Readable, name: string, signal?: AbortSignal): Promise<RawInput> {
  let copy: ScratchFile | undefined
  try {
    const file = new ScratchFile()
    copy = file
    const write = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) file.write(chunk)
    }
    await pipeline(stream, write, { signal })
    const { fd, length: end } = file
    return { name, fd, start: 0, end, encoding: 'UTF-8', gzip: false, close: () => file.close() }
  } catch (error) {
    // An open pipe would keep the process alive.
    stream.destroy()
    copy?.close()
    // After an abort, the error of the pipeline does not name the cause, so the reason of the signal is thrown.
    signal?.throwIfAborted()
    throw explainFile(name, error)
  }
}

/** Decompresses a gzip file to a temporary file, and closes the original. */
export async function decompress(raw: RawInput, signal?: AbortSignal): Promise<RawInput> {
  const copy = new ScratchFile()
  try {
    const gunzip = createGunzip({ chunkSize: chunkBytes })
    // An error in the pipeline destroys `gunzip`, so the loop below throws the same error.
    const feeding = pipeline(compressed(raw, signal), gunzip).catch(() => undefined)
    for await (const chunk of gunzip) copy.write(chunk)
    await feeding
    await refuseRest(raw, gunzip.bytesWritten)
  } catch (error) {
    copy.close()
    signal?.throwIfAborted()
    throw explainFile(raw.name, error)
  }
  return { ...raw, ...copied(raw, copy), gzip: true }
}

/** Yields the chunks of a file. Each chunk has its own memory, because `gunzip` may still use it while the next chunk is read. */
async function* compressed(raw: RawInput, signal?: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of chunksOf(raw, signal)) yield Buffer.from(chunk)
}

/** Refuses data after the gzip data, except zero bytes. Node ignores all data after the first zero byte, so rows there would be lost. */
async function refuseRest(raw: RawInput, start: number): Promise<void> {
  for await (const chunk of chunksOf(raw, undefined, start)) {
    if (chunk.some((byte) => byte !== 0))
      throw new UsageError(`${raw.name} has extra data after the end of the gzip data`, {
        hint: 'Decompress the file, check that it is complete, and import the decompressed file.',
      })
  }
}
