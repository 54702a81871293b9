import { createGunzip, type Gunzip } from 'node:zlib'
import { UsageError } from '../base/errors.ts'
import { chunkBytes } from './scan/scanner.ts'
import type { Plan } from './schemas.ts'

export type Chunks = AsyncIterable<Buffer>

export async function* decompressed(chunks: Chunks, name: string, seen: { gzip: boolean }): Chunks {
  const { head, all } = await peek(chunks)
  seen.gzip = isGzip(head)
  if (!seen.gzip) return yield* all
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const feeding = feed(gunzip, all, name)
  // The loop over the decompressed bytes fails with the same error.
  feeding.catch((error) => gunzip.destroy(error))
  yield* gunzip
  await feeding
}

/** Node ends the data at a zero byte after a gzip member (tape padding). Only zero bytes may follow. */
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

export async function* transcoded(chunks: Chunks, seen: { encoding: Plan['encoding'] }): Chunks {
  const { head, all } = await peek(chunks)
  const mark = byteOrderMark(head)
  seen.encoding = mark.encoding
  if (!mark.encoding.startsWith('UTF-16')) {
    // The first chunk contains at least the mark.
    let marked = mark.bytes
    for await (const chunk of all) {
      yield chunk.subarray(marked)
      marked = 0
    }
    return
  }
  const decoder = new TextDecoder(mark.encoding, { fatal: true })
  for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

async function peek(chunks: Chunks): Promise<{ head: Buffer; all: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 4) {
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

export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

export function byteOrderMark(head: Buffer): { bytes: number; encoding: Plan['encoding'] } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { bytes: 3, encoding: 'UTF-8 with BOM' }
  if (head[0] === 0xff && head[1] === 0xfe) return { bytes: 2, encoding: 'UTF-16LE' }
  if (head[0] === 0xfe && head[1] === 0xff) return { bytes: 2, encoding: 'UTF-16BE' }
  return { bytes: 0, encoding: 'UTF-8' }
}
