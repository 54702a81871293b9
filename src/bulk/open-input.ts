import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../base/errors.ts'
import { isPipe, openPipe } from '../base/files.ts'
import { byteOrderMark, type Chunks, decompressed, isGzip, transcoded } from './decode.ts'
import { convertText } from './encoding.ts'
import { explainFile, type InputFile, readAt } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import type { Plan } from './schemas.ts'
import { ScratchFile } from './spool/scratch.ts'
import type { Reading } from './types.ts'

export interface OpenOptions extends Pick<Reading, 'encoding' | 'sheet' | 'hidden'> {
  signal?: AbortSignal | undefined
}

/** Opens a file, a pipe, or standard input as UTF-8 text, whatever its container and encoding. */
export async function openInput(
  path: string,
  stdin: Readable,
  options: OpenOptions = {},
): Promise<InputFile> {
  const raw = await openBytes(path, stdin, options.signal)
  try {
    const head = Buffer.alloc(4)
    readAt(raw, head, raw.start)
    const mark = head.toString('latin1')
    if (mark === oldWorkbookMark) throw oldWorkbook(raw.name)
    if (mark === zipMark) {
      const { convertWorkbook } = await import('./workbook/convert-workbook.ts')
      return await convertWorkbook(raw, options)
    }
    return convertText(raw, options.encoding) ?? raw
  } catch (error) {
    raw.close()
    throw error
  }
}

const zipMark = 'PK\x03\x04'
const oldWorkbookMark = '\xd0\xcf\x11\xe0'

/** Encrypted workbooks have the container of .xls. */
function oldWorkbook(name: string): UsageError {
  return new UsageError(`${name} is an .xls workbook or is protected with a password`, {
    hint: 'Save the sheet as .xlsx without a password, or as CSV (UTF-8).',
  })
}

/** Seekable bytes after decompression: a file, or a temporary copy. */
async function openBytes(path: string, stdin: Readable, signal?: AbortSignal): Promise<InputFile> {
  if (path === '-') return copyOf(stdin, { name: 'standard input' }, signal)
  const name = basename(path)
  if (isPipe(path)) {
    const pipe = await openPipe(path).catch((error: unknown) => {
      throw explainFile(path, error)
    })
    return copyOf(pipe, { name }, signal)
  }
  const fd = openFile(path)
  const stat = fstatSync(fd)
  const head = readHead({ fd, name }, stat)
  const mark = byteOrderMark(head)
  if (!stat.isFile() || isGzip(head) || mark.encoding.startsWith('UTF-16')) {
    const stream = createReadStream(path, {
      fd,
      start: stat.isFile() ? 0 : undefined,
      highWaterMark: chunkBytes,
    })
    return copyOf(stream, { name, path: stat.isFile() ? path : undefined }, signal)
  }
  return {
    name,
    path,
    fd,
    start: mark.bytes,
    end: stat.size,
    encoding: mark.encoding,
    gzip: false,
    modifiedMs: stat.mtimeMs,
    close: () => closeSync(fd),
  }
}

function openFile(path: string): number {
  try {
    const fd = openSync(path, 'r')
    if (!fstatSync(fd).isDirectory()) return fd
    closeSync(fd)
  } catch (error) {
    throw explainFile(path, error)
  }
  throw new UsageError(`${path} is a directory`)
}

/** The first bytes of a file; zeros for any other input. Closes the file if it cannot be used. */
function readHead(file: Pick<InputFile, 'fd' | 'name'>, stat: Stats): Buffer {
  const head = Buffer.alloc(4)
  try {
    if (stat.isFile()) readAt(file, head, 0)
    return head
  } catch (error) {
    closeSync(file.fd)
    throw error
  }
}

/** Copies a stream to a temporary file as decompressed UTF-8, so that it can be read more than once. */
async function copyOf(
  stream: Readable,
  known: Pick<InputFile, 'name' | 'path'>,
  signal?: AbortSignal,
): Promise<InputFile> {
  const hash = createHash('sha256')
  const seen = { bytes: 0, gzip: false, encoding: 'UTF-8' as Plan['encoding'] }
  let scratch: ScratchFile | undefined
  try {
    const copy = new ScratchFile()
    scratch = copy
    await pipeline(
      stream,
      (chunks: Chunks) => hashed(chunks, hash, seen),
      (chunks: Chunks) => decompressed(chunks, known.name, seen),
      (chunks: Chunks) => transcoded(chunks, seen),
      async (chunks: Chunks) => {
        for await (const chunk of chunks) copy.write(chunk)
      },
      { signal },
    )
    const { bytes, ...found } = seen
    const identity = { sha256: hash.digest('hex'), bytes }
    const { fd, length: end } = copy
    return { ...known, fd, start: 0, end, ...found, identity, close: () => copy.close() }
  } catch (error) {
    // An unread pipe would keep the process alive.
    stream.destroy()
    scratch?.close()
    // After an abort the pipeline's own error has no useful message.
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
