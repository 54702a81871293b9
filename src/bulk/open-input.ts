import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { UsageError } from '../base/errors.ts'
import { isPipe, openPipe } from '../base/files.ts'
import { chunksOf, explainFile, type InputFile, type RawInput } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import type { Reading } from './types.ts'

export interface OpenOptions extends Pick<Reading, 'encoding' | 'sheet' | 'hidden'> {
  signal?: AbortSignal | undefined
}

/** The type of a file is determined from this number of bytes at its start. */
const startBytes = 4096
const gzipMark = '\x1f\x8b'
const utf8Mark = '\xef\xbb\xbf'
const zipMark = 'PK\x03\x04'
/** The first bytes of files that are not text. */
const otherKinds: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^\xd0\xcf\x11\xe0/, 'is an .xls workbook or is protected with a password'],
  [/^(\xef\xbb\xbf)?\s*<[!?a-z]/i, 'is an HTML or XML file'],
  [/^%PDF/, 'is a PDF file'],
  [/^\{\\rtf/, 'is an RTF file'],
  [/^ID;P/, 'is a SYLK file'],
  [/^TABLE\r?\n0,1/, 'is a DIF file'],
  [/^\x1f\x8b/, 'is compressed twice'],
  [/^(BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd)/, 'is compressed, but not with gzip'],
]

/** Opens a file, a pipe, or standard input as UTF-8 text. The input can be compressed or have another encoding. */
export async function openInput(
  path: string,
  stdin: Readable,
  options: OpenOptions = {},
): Promise<InputFile> {
  let raw = await openBytes(path, stdin, options.signal)
  try {
    let content = await inspect(raw, options.signal)
    const { identity } = content
    if (content.start.startsWith(gzipMark)) {
      const { decompress } = await import('./copy-stream.ts')
      raw = await decompress(raw, options.signal)
      content = await inspect(raw, options.signal)
    }
    const { start, isUtf8Text } = content
    const input = { ...raw, identity }
    const other = otherKinds.find(([pattern]) => pattern.test(start))
    if (other)
      throw new UsageError(`${input.name} ${other[1]}`, {
        hint: 'Open the file in a spreadsheet program, and save the sheet as .xlsx without a password, or as CSV (UTF-8).',
      })
    if (start.startsWith(zipMark)) {
      const { convertWorkbook } = await import('./workbook/convert-workbook.ts')
      return await convertWorkbook(input, options)
    }
    const isPlain = isUtf8Text && !start.includes('\0') && !start.startsWith(utf8Mark)
    if (isPlain && options.encoding === undefined) return input
    const { decodeText } = await import('./decode.ts')
    return await decodeText(input, start, { ...options, isUtf8Text })
  } catch (error) {
    raw.close()
    throw error
  }
}

/** Opens bytes that can be read at any position: a file, or a temporary copy. */
async function openBytes(path: string, stdin: Readable, signal?: AbortSignal): Promise<RawInput> {
  if (path === '-') return copyOf(stdin, 'standard input', signal)
  const name = basename(path)
  if (isPipe(path)) {
    const pipe = await openPipe(path).catch((error: unknown) => {
      throw explainFile(path, error)
    })
    return copyOf(pipe, name, signal)
  }
  const fd = openFile(path)
  const stat = fstatSync(fd)
  // Some file systems report the size 0 for a file with content. A file with this size is therefore copied first, and not read directly.
  if (!stat.isFile() || stat.size === 0)
    return copyOf(createReadStream(path, { fd, highWaterMark: chunkBytes }), name, signal)
  const { size: end, mtimeMs: modifiedMs } = stat
  const close = () => closeSync(fd)
  return { name, path, fd, start: 0, end, encoding: 'UTF-8', gzip: false, modifiedMs, close }
}

async function copyOf(stream: Readable, name: string, signal?: AbortSignal): Promise<RawInput> {
  const { copyStream } = await import('./copy-stream.ts')
  return copyStream(stream, name, signal)
}

function openFile(path: string): number {
  try {
    const fd = openSync(path, 'r')
    const stat = fstatSync(fd)
    // A device such as /dev/zero has no end, so a copy would fill the disk.
    const isDevice = stat.isCharacterDevice() || stat.isBlockDevice()
    if (!stat.isDirectory() && !isDevice) return fd
    closeSync(fd)
    throw new UsageError(`${path} is a ${isDevice ? 'device' : 'directory'}`)
  } catch (error) {
    throw explainFile(path, error)
  }
}

/** Reads all bytes once to determine the hash, the first bytes (as Latin-1), and whether the text is UTF-8. */
async function inspect(raw: RawInput, signal?: AbortSignal) {
  const hash = createHash('sha256')
  let isUtf8Text = true
  let start = ''
  let rest = Buffer.alloc(0)
  for await (const chunk of chunksOf(raw, signal)) {
    hash.update(chunk)
    start += chunk.toString('latin1', 0, startBytes - start.length)
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // The chunk may end inside a UTF-8 character, so up to four bytes that are not ASCII are checked with the next chunk.
    let end = bytes.length
    while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] as number) >= 0x80) end--
    isUtf8Text &&= isUtf8(bytes.subarray(0, end))
    rest = Buffer.from(bytes.subarray(end))
  }
  const identity = { sha256: hash.digest('hex'), bytes: raw.end }
  return { identity, start, isUtf8Text: isUtf8Text && isUtf8(rest) }
}
