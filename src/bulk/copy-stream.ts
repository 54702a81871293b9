import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, type Gunzip } from 'node:zlib'
import { UsageError } from '../base/errors.ts'
import { explainFile, type InputFile, isGzip } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import { ScratchFile } from './spool/scratch.ts'

type Chunks = AsyncIterable<Buffer>

/** Copies a stream to a temporary file, decompressed, so that it can be read several times. */
export async function copyStream(
  stream: Readable,
  known: Pick<InputFile, 'name' | 'path'>,
  signal?: AbortSignal,
): Promise<InputFile> {
  const hash = createHash('sha256')
  const seen = { bytes: 0, gzip: false }
  let scratch: ScratchFile | undefined
  try {
    const copy = new ScratchFile()
    scratch = copy
    await pipeline(
      stream,
      (chunks: Chunks) => hashed(chunks, hash, seen),
      (chunks: Chunks) => decompressed(chunks, known.name, seen),
      async (chunks: Chunks) => {
        for await (const chunk of chunks) copy.write(chunk)
      },
      { signal },
    )
    const identity = { sha256: hash.digest('hex'), bytes: seen.bytes }
    const { fd, length: end } = copy
    const { gzip } = seen
    return { ...known, fd, start: 0, end, encoding: 'UTF-8', gzip, identity, close: () => copy.close() }
  } catch (error) {
    // An open pipe would keep the process alive.
    stream.destroy()
    scratch?.close()
    // After an abort, the error of the pipeline has no useful message.
    signal?.throwIfAborted()
    throw explainFile(known.name, error)
  }
}

async function* hashed(chunks: Chunks, hash: Hash, seen: { bytes: number }): Chunks {
  for await (const chunk of chunks) {
    hash.update(chunk)
    seen.bytes += chunk.length
    yield chunk
  }
}

async function* decompressed(chunks: Chunks, name: string, seen: { gzip: boolean }): Chunks {
  const { head, all } = await peek(chunks)
  seen.gzip = isGzip(head)
  if (!seen.gzip) return yield* all
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const feeding = feed(gunzip, all, name)
  // An error destroys `gunzip`, so that reading the decompressed bytes below throws the same error.
  feeding.catch((error) => gunzip.destroy(error))
  yield* gunzip
  await feeding
}

/** Decompresses gzip data. Node stops at a zero byte after a gzip member (padding), so this function checks that only zero bytes follow. */
async function feed(gunzip: Gunzip, chunks: Chunks, name: string): Promise<void> {
  const over = new Promise<void>((end) => gunzip.once('end', end).once('close', end))
  let hasEnded = false
  for await (const chunk of chunks) {
    const before = gunzip.bytesWritten
    if (!hasEnded) {
      await Promise.race([over, new Promise<void>((written) => gunzip.write(chunk, () => written()))])
    }
    if (gunzip.destroyed && !gunzip.readableEnded) return
    const rest = chunk.subarray(gunzip.bytesWritten - before)
    hasEnded ||= rest.length > 0
    if (rest.some((byte) => byte !== 0)) {
      throw new UsageError(`${name} has extra data after the end of the gzip data`, {
        hint: 'Decompress the file, check that it is complete, and import the decompressed file.',
      })
    }
  }
  if (!hasEnded) gunzip.end()
}

async function peek(chunks: Chunks): Promise<{ head: Buffer; all: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const { value, done } = await iterator.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  async function* all(): Chunks {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { head, all: all() }
}
