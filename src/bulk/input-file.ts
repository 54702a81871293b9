import { fstatSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { systemCode, systemReason, UsageError } from '../base/errors.ts'
import { chunkBytes, type Dialect, type Position, RecordScanner } from './scan/scanner.ts'
import type { Plan } from './schemas.ts'
import type { ScratchFile } from './spool/scratch.ts'
import type { InputIdentity } from './types.ts'

/** Bytes that can be read at any position: the file itself, or a temporary copy of a stream or a gzip file. */
export interface RawInput {
  readonly name: string
  /** Path of the file. Undefined for a stream. */
  readonly path?: string | undefined
  readonly fd: number
  /** Position of the first byte of the text, after a byte order mark. */
  readonly start: number
  readonly end: number
  readonly encoding: Plan['encoding']
  readonly gzip: boolean
  /** Whether the encoding is only assumed. If so, the columns that are read must contain only ASCII text. */
  readonly isAssumed?: boolean
  /** Name and range of the sheet of a workbook. Its rows can be short, and its cells can have marks (see `scan/cells.ts`). */
  readonly sheet?: string | undefined
  /** Names of the visible sheets that are not read. */
  readonly otherSheets?: readonly string[]
  /** Modification time of a file, to detect that another program changed the file. */
  readonly modifiedMs?: number | undefined
  close(): void
}

/** UTF-8 text: the file itself, or a temporary copy. */
export interface InputFile extends RawInput {
  readonly identity: InputIdentity
}

/** Reads text at a position before the end. Throws if the file was changed after it was opened. */
export function readText(input: RawInput, target: Buffer, position: number): number {
  const count = readAt(input, target, position)
  const { mtimeMs, size } = fstatSync(input.fd)
  const { modifiedMs, end } = input
  const isSame = modifiedMs === undefined || (mtimeMs === modifiedMs && size === end)
  if (count > 0 && isSame) return count
  throw new UsageError(`${input.name} changed while facescan was reading it`, {
    hint: 'Do not change the file during an import. To resume a stopped import, restore the original content.',
  })
}

/** Reads as many bytes as fit into the target. A disk error is reported as an error of the file. */
export function readAt(
  { fd, name }: Pick<InputFile, 'fd' | 'name'>,
  target: Buffer,
  position: number,
): number {
  try {
    return readSync(fd, target, 0, target.length, position)
  } catch (error) {
    throw explainFile(name, error)
  }
}

export function nulInput({ name }: InputFile, offset: number): UsageError {
  return new UsageError(`${name} contains a NUL byte at offset ${offset}, so it is not a text file`, {
    hint: 'Open the file in a spreadsheet program, and save the sheet as CSV (UTF-8).',
  })
}

/** The error for a quote that is not closed. The end of its row is unknown, so no row of the file can be trusted. */
export function openQuote({ name }: InputFile, { fault, line, cells, start }: RecordScanner): UsageError {
  const quote = (cells.starts[cells.count - 1] ?? start) - 1
  const text = cells.bytes.toString('latin1', start, fault === 'unterminated_quote' ? quote : start)
  const at = line + (text.match(/\r\n?|\n/g)?.length ?? 0)
  const what =
    fault === 'unterminated_quote'
      ? `the quotation mark on line ${at} has no closing quotation mark`
      : `the record on line ${at} does not end within 1 MiB, most likely because of a missing closing quotation mark`
  return new UsageError(`${name}: ${what}; nothing was sent`, {
    hint: 'Close the quotation mark, or double a quotation mark that belongs to the text.',
  })
}

export function explainFile(name: string, cause: unknown): unknown {
  const code = systemCode(cause) ?? ''
  if (code === 'ENOENT') return new UsageError(`${name || '""'} does not exist`)
  if (code === 'EACCES') return new UsageError(`cannot read ${name}: permission denied`)
  if (code === 'Z_BUF_ERROR') return new UsageError(`${name} is a truncated gzip file`)
  if (code.startsWith('Z_')) return new UsageError(`${name} is a damaged gzip file`, { cause })
  const isOfSystem = cause instanceof Error && 'syscall' in cause
  return isOfSystem ? new UsageError(`cannot read ${name} (${systemReason(cause)})`, { cause }) : cause
}

/** Closes the original input. Returns the fields of a `RawInput` for its temporary copy. */
export function copied(raw: RawInput, copy: ScratchFile) {
  raw.close()
  return { fd: copy.fd, start: 0, end: copy.length, modifiedMs: undefined, close: () => copy.close() }
}

/** Yields the bytes in chunks. Each chunk overwrites the previous chunk. A pause after each chunk lets signals and timers run. */
export async function* chunksOf(raw: RawInput, signal?: AbortSignal, start = 0): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(4 * chunkBytes)
  for (let position = start; position < raw.end; ) {
    const count = readText(raw, buffer.subarray(0, raw.end - position), position)
    yield buffer.subarray(0, count)
    position += count
    await setImmediate()
    signal?.throwIfAborted()
  }
}

const largestRead = 256 * 1024

/** Yields the scanner at each record that is not empty. Reads the file only as far as records are requested. */
export function* recordsFrom(input: InputFile, dialect: Dialect, from: Position): Generator<RecordScanner> {
  const scanner = new RecordScanner(dialect, from)
  let position = from.offset
  for (let size = 4096; ; size = Math.min(size * 2, largestRead)) {
    while (scanner.next()) {
      if (scanner.nulAt >= 0) throw nulInput(input, scanner.nulAt)
      if (scanner.start !== scanner.end) yield scanner
      if (scanner.fault === 'record_too_long') return
    }
    if (position >= input.end) return
    const chunk = Buffer.allocUnsafe(Math.min(size, input.end - position))
    const count = readText(input, chunk, position)
    position += count
    scanner.push(chunk.subarray(0, count))
    if (position >= input.end) scanner.finish()
  }
}
