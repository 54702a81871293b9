import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createGunzip, type Gunzip } from 'node:zlib'
import { systemCode, UsageError } from '../base/errors.ts'
import { type InputFile, type RawInput, readAt, readText } from './input-file.ts'
import { UnclearFile } from './questions.ts'
import { chunkBytes } from './scan/scanner.ts'
import { ScratchFile } from './spool/scratch.ts'

export type Chunks = AsyncIterable<Buffer>

const fallbackEncoding = 'windows-1252'

export async function* decompressed(chunks: Chunks, name: string, seen: { gzip: boolean }): Chunks {
  const { head, all } = await peek(chunks)
  seen.gzip = isGzip(head)
  if (!seen.gzip) return yield* all
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const feeding = feed(gunzip, all, name)
  // Ignored here, because the loop that reads the decompressed bytes throws the same error.
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

export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

const marks = [
  { bytes: '\xef\xbb\xbf', encoding: 'UTF-8 with BOM' },
  { bytes: '\xff\xfe', encoding: 'UTF-16LE' },
  { bytes: '\xfe\xff', encoding: 'UTF-16BE' },
]

/** Reads the file once. Returns its identity (hash and length) and whether its text is UTF-8. */
export async function inspect(raw: RawInput, signal?: AbortSignal) {
  const hash = createHash('sha256')
  let isUtf8Text = true
  let rest = Buffer.alloc(0)
  for await (const chunk of chunksOf(raw, signal)) {
    hash.update(chunk)
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // A UTF-8 character that is not ASCII has at most four bytes, and none of these bytes is an ASCII byte.
    let end = bytes.length
    while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] as number) >= 0x80) end--
    isUtf8Text &&= isUtf8(bytes.subarray(0, end))
    rest = Buffer.from(bytes.subarray(end))
  }
  const identity = { sha256: hash.digest('hex'), bytes: raw.end }
  return { identity, isUtf8Text: isUtf8Text && isUtf8(rest) }
}

/** The text of a file as UTF-8. A file in another encoding is copied and closed. `head` contains the first bytes. */
export async function decodeText(
  raw: InputFile,
  head: Buffer,
  {
    isUtf8Text,
    encoding,
    signal,
  }: { isUtf8Text: boolean; encoding?: string | undefined; signal?: AbortSignal | undefined },
): Promise<InputFile> {
  const mark = marks.find(({ bytes }) => head.toString('latin1').startsWith(bytes))
  const marked = mark ? { ...raw, start: mark.bytes.length, encoding: mark.encoding } : raw
  const isUtf16 = mark?.encoding.startsWith('UTF-16') === true
  if (!mark && encoding === undefined) refuseUtf16(raw)
  if (mark ? !isUtf16 : encoding === undefined ? isUtf8Text : isUtf8Label(encoding)) return marked
  const label = mark?.encoding ?? encoding ?? fallbackEncoding
  const copy = new ScratchFile()
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    for await (const chunk of chunksOf(raw, signal))
      copy.write(Buffer.from(decoder.decode(chunk, { stream: true })))
    copy.write(Buffer.from(decoder.decode()))
  } catch (error) {
    copy.close()
    if (systemCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    const hint = mark ? 'Save the file as UTF-8.' : 'Choose another --encoding.'
    throw new UsageError(`${raw.name} is not valid ${label}`, { hint })
  }
  return {
    ...raw,
    ...copied(raw, copy),
    encoding: label,
    isAssumed: mark === undefined && encoding === undefined,
  }
}

/** Returns the copy and closes the original. */
export function copied(raw: RawInput, copy: ScratchFile) {
  raw.close()
  return { fd: copy.fd, start: 0, end: copy.length, modifiedMs: undefined, close: () => copy.close() }
}

/**
 * Refuses UTF-16 without a byte order mark. Western text in UTF-16 has a NUL byte in nearly every character: always the first byte (big-
 * endian) or always the second (little-endian).
 */
function refuseUtf16(raw: InputFile): void {
  const buffer = Buffer.alloc(4096)
  const head = buffer.subarray(0, readAt(raw, buffer, 0))
  const first = head.indexOf(0)
  if (first < 0) return
  const places = [...head.keys()].filter((at) => head[at] === 0)
  const same = places.filter((at) => (at - first) % 2 === 0)
  if (places.length * 10 < head.length || same.length < places.length * 0.9) return
  const suggested = { encoding: first % 2 === 0 ? 'utf-16be' : 'utf-16le' }
  const problem = `${raw.name} contains a NUL byte at offset ${first}; it is probably UTF-16 without a byte order mark`
  const prompts = [{ label: 'Encoding', choices: [{ name: suggested.encoding, set: suggested }] }]
  throw new UnclearFile(raw.name, [{ problem, suggested, prompts }])
}

function isUtf8Label(label: string): boolean {
  return new TextDecoder(label).encoding === 'utf-8'
}

/** Pauses after each chunk, so that signals and timers run. */
async function* chunksOf(raw: RawInput, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(4 * chunkBytes)
  for (let position = 0; position < raw.end; ) {
    const count = readText(raw, buffer.subarray(0, raw.end - position), position)
    yield buffer.subarray(0, count)
    position += count
    await setImmediate()
    signal?.throwIfAborted()
  }
}
