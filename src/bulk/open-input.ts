import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { UsageError } from '../base/errors.ts'
import { isPipe, openPipe } from '../base/files.ts'
import { chunksOf, explainFile, type InputFile, isGzip, type RawInput, readAt } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import type { Reading } from './types.ts'

export interface OpenOptions extends Pick<Reading, 'encoding' | 'sheet' | 'hidden'> {
  signal?: AbortSignal | undefined
}

const headBytes = 4096
const utf8Mark = '\xef\xbb\xbf'
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
    if (mark.startsWith(zipMark)) {
      const { convertWorkbook } = await import('./workbook/convert-workbook.ts')
      return await convertWorkbook(input, options)
    }
    const isPlain = isUtf8Text && !head.includes(0) && !mark.startsWith(utf8Mark)
    if (isPlain && options.encoding === undefined) return input
    const { decodeText } = await import('./decode.ts')
    return await decodeText(input, head, { ...options, isUtf8Text })
  } catch (error) {
    raw.close()
    throw error
  }
}

function headOf(raw: Pick<InputFile, 'fd' | 'name'>): Buffer {
  const head = Buffer.alloc(headBytes)
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

async function copyOf(
  stream: Readable,
  known: Pick<InputFile, 'name' | 'path'>,
  signal?: AbortSignal,
): Promise<InputFile> {
  const { copyStream } = await import('./copy-stream.ts')
  return copyStream(stream, known, signal)
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

/** Reads the file once. Returns its identity (hash and length) and whether its text is UTF-8. */
async function inspect(raw: RawInput, signal?: AbortSignal) {
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
