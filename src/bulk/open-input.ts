import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../base/errors.ts'
import { isPipe, openPipe } from '../base/files.ts'
import { type Chunks, decodeText, decompressed, inspect, isGzip } from './decode.ts'
import { explainFile, type InputFile, type RawInput, readAt } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import { ScratchFile } from './spool/scratch.ts'
import type { Reading } from './types.ts'

export interface OpenOptions extends Pick<Reading, 'encoding' | 'sheet' | 'hidden'> {
  signal?: AbortSignal | undefined
}

const zipMark = 'PK\x03\x04'
/** The first bytes of files that are not text. */
const otherKinds: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^\xd0\xcf\x11\xe0/, 'is an .xls workbook or is protected with a password'],
  [/^(\xef\xbb\xbf)?\s*<[!?a-z]/i, 'is an HTML or XML file, despite its name'],
  [/^%PDF/, 'is a PDF file'],
  [/^\{\\rtf/, 'is an RTF file'],
  [/^ID;P/, 'is a SYLK file'],
  [/^TABLE\r?\n0,1/, 'is a DIF file'],
  [/^\x1f\x8b/, 'is compressed twice'],
  [/^(BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd)/, 'is compressed, but not with gzip'],
]

/** Opens a file, a pipe, or standard input as UTF-8 text, also if it is compressed or has another encoding. */
export async function openInput(
  path: string,
  stdin: Readable,
  options: OpenOptions = {},
): Promise<InputFile> {
  const { identity: known, ...raw } = await openBytes(path, stdin, options.signal)
  try {
    const head = headOf(raw)
    const mark = head.toString('latin1')
    const other = otherKinds.find(([start]) => start.test(mark))
    if (other)
      throw new UsageError(`${raw.name} ${other[1]}`, {
        hint: 'Open it in a spreadsheet program, and save the sheet as .xlsx without a password, or as CSV (UTF-8).',
      })
    const { identity, isUtf8Text } = await inspect(raw, options.signal)
    const input = { ...raw, identity: known ?? identity }
    if (!mark.startsWith(zipMark)) return await decodeText(input, head, { ...options, isUtf8Text })
    const { convertWorkbook } = await import('./workbook/convert-workbook.ts')
    return await convertWorkbook(input, options)
  } catch (error) {
    raw.close()
    throw error
  }
}

function headOf(raw: Pick<InputFile, 'fd' | 'name'>): Buffer {
  const head = Buffer.alloc(16)
  return head.subarray(0, readAt(raw, head, 0))
}

/** Decompressed bytes that can be read at any position: a file, or a temporary copy. */
async function openBytes(
  path: string,
  stdin: Readable,
  signal?: AbortSignal,
): Promise<RawInput & Partial<InputFile>> {
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
  const file = {
    name,
    path,
    fd,
    start: 0,
    end: stat.size,
    encoding: 'UTF-8',
    gzip: false,
    modifiedMs: stat.mtimeMs,
    close: () => closeSync(fd),
  }
  try {
    if (stat.isFile() && !isGzip(headOf(file))) return file
  } catch (error) {
    file.close()
    throw error
  }
  const start = stat.isFile() ? 0 : undefined
  const stream = createReadStream(path, { fd, start, highWaterMark: chunkBytes })
  return copyOf(stream, { name, path: stat.isFile() ? path : undefined }, signal)
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

/** Copies a stream to a temporary file, decompressed, so that it can be read several times. */
async function copyOf(
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
