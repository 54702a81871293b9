import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../base/errors.ts'
import { isPipe, openPipe } from '../base/system/named-pipe.ts'
import { systemCode, systemReason } from '../base/system/system-code.ts'
import { byteOrderMark, type Chunks, decompressed, isGzip, transcoded } from './decode.ts'
import { chunkBytes, type RecordScanner } from './scan/scanner.ts'
import type { Plan } from './schemas.ts'
import { ScratchFile } from './spool/scratch.ts'
import type { InputIdentity } from './types.ts'

/** Seekable UTF-8 text: the file itself, or a temporary copy of a stream, a gzip file, or a UTF-16 file. */
export interface InputFile {
  readonly name: string
  /** Undefined for a stream. */
  readonly path?: string | undefined
  readonly fd: number
  /** After the byte order mark. */
  readonly start: number
  readonly end: number
  readonly encoding: Plan['encoding']
  readonly gzip: boolean
  /** Known when a copy is opened; otherwise determined by the check. */
  readonly identity?: InputIdentity | undefined
  /** Only for a file, because other programs can change it. */
  readonly modifiedMs?: number | undefined
  close(): void
}

export async function openInput(path: string, stdin: Readable, signal?: AbortSignal): Promise<InputFile> {
  if (path === '-') return copyOf(stdin, { name: 'standard input' }, signal)
  const name = basename(path)
  if (isPipe(path)) {
    const pipe = await openPipe(path).catch((error: unknown) => {
      throw explain(path, error)
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
    throw explain(path, error)
  }
  throw new UsageError(`${path} is a directory`)
}

/** The first bytes of a file; zeros for any other input. Closes the file if it cannot be used. */
function readHead(file: Pick<InputFile, 'fd' | 'name'>, stat: Stats): Buffer {
  const head = Buffer.alloc(4)
  try {
    if (stat.isFile()) readAt(file, head, 0)
    refuseWorkbook(file.name, head)
    return head
  } catch (error) {
    closeSync(file.fd)
    throw error
  }
}

/** Workbooks are zip archives, and are often passed instead of a text file. */
function refuseWorkbook(name: string, head: Buffer): void {
  if (head.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return
  throw new UsageError(`${name} is an Excel workbook or a ZIP archive, not a text file`, {
    hint: 'Save the sheet as CSV (UTF-8) and import the CSV file.',
  })
}

/** Reads text at a position before the end. Throws if the file changed since it was opened. */
export function readText(input: InputFile, target: Buffer, position: number): number {
  const count = readAt(input, target, position)
  if (count > 0 && !hasChanged(input)) return count
  throw new UsageError(`${input.name} changed while facescan was reading it`, {
    hint: 'Do not change the file during an import. To resume a stopped import, restore the original content.',
  })
}

/** Reads as many bytes as fit into the target. A failing disk is reported as an error of the file, not as a bug. */
function readAt({ fd, name }: Pick<InputFile, 'fd' | 'name'>, target: Buffer, position: number): number {
  try {
    return readSync(fd, target, 0, target.length, position)
  } catch (error) {
    throw explain(name, error)
  }
}

/** The usual cause of a NUL is UTF-16 without a byte order mark. */
export function nulInput({ name }: InputFile, offset: number): UsageError {
  const guess = 'it is probably UTF-16 without a byte order mark'
  return new UsageError(`${name} contains a NUL byte at offset ${offset}; ${guess}`, {
    hint: 'Save the file as UTF-8.',
  })
}

/** The scanner is at a record that does not end. Where a row ends is unknown, so no row of the file can be trusted. */
export function openQuote({ name }: InputFile, { fault, line, cells, start }: RecordScanner): UsageError {
  const quote = (cells.starts[cells.count - 1] ?? start) - 1
  const text = cells.bytes.toString('latin1', start, fault === 'unterminated_quote' ? quote : start)
  const at = line + (text.match(/\r\n?|\n/g)?.length ?? 0)
  const what =
    fault === 'unterminated_quote'
      ? `the quotation mark on line ${at} has no closing quotation mark`
      : `the record on line ${at} does not end within 1 MiB, most likely because of a missing closing quotation mark`
  return new UsageError(`${name}: ${what}; nothing was sent`, {
    hint: 'Close the quotation mark, or double it if it belongs to the text.',
  })
}

function hasChanged(input: InputFile): boolean {
  if (input.modifiedMs === undefined) return false
  const stat = fstatSync(input.fd)
  return stat.mtimeMs !== input.modifiedMs || stat.size !== input.end
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
    throw explain(known.name, error)
  }
}

async function* hashed(chunks: Chunks, hash: Hash, seen: { bytes: number }): Chunks {
  for await (const chunk of chunks) {
    hash.update(chunk)
    seen.bytes += chunk.length
    yield chunk
  }
}

function explain(name: string, cause: unknown): unknown {
  const code = systemCode(cause) ?? ''
  if (code === 'ENOENT') return new UsageError(`${name} does not exist`)
  if (code === 'EACCES') return new UsageError(`cannot read ${name}: permission denied`)
  if (code === 'Z_BUF_ERROR') return new UsageError(`${name} is a truncated gzip file`)
  if (code.startsWith('Z_')) return new UsageError(`${name} is a damaged gzip file`, { cause })
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new UsageError(`${name} has a UTF-16 byte order mark but is not valid UTF-16`, {
      hint: 'Save the file as UTF-8.',
    })
  }
  const isOfSystem = cause instanceof Error && 'syscall' in cause
  return isOfSystem ? new UsageError(`cannot read ${name} (${systemReason(cause)})`, { cause }) : cause
}
