import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { UsageError } from '../../base/errors.ts'
import { type InputFile, readAt } from '../input-file.ts'
import { elementsOf, hasStart, type XmlElement } from './xml.ts'

export interface ZipEntry {
  name: string
  method: number
  crc: number
  bytes: number
  /** Size after decompression, as stated in the archive. */
  size: number
  /** Position of the local header, which precedes the data of the entry. */
  position: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
/** Maximum length of the end record with its comment. */
const longestEnd = 22 + 0xffff
const maxEntries = 10_000
/** Maximum size of a part. No workbook that people open has a larger part. */
const maxPartBytes = 512 * 1024 * 1024
const blockBytes = 64 * 1024

/** The entries of a ZIP archive by name. Reads only the table of contents at the end. */
export function readDirectory(input: InputFile): Map<string, ZipEntry> {
  const tail = readBytes(input, Math.max(0, input.end - longestEnd), input.end)
  let at = tail.length - 22
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at--
  if (at < 0) throw damaged(input)
  const count = tail.readUInt16LE(at + 10)
  const start = tail.readUInt32LE(at + 16)
  const length = tail.readUInt32LE(at + 12)
  if (count > maxEntries || start + length > input.end) throw damaged(input)
  const directory = readBytes(input, start, start + length)
  const entries = new Map<string, ZipEntry>()
  for (let from = 0, left = count; left > 0; left--) {
    if (from + 46 > directory.length || directory.readUInt32LE(from) !== entryMark) throw damaged(input)
    const nameLength = directory.readUInt16LE(from + 28)
    const name = directory.toString('utf8', from + 46, from + 46 + nameLength)
    // If two parts have the same name, programs disagree on which part to read, so the file is refused.
    if (entries.has(name.toLowerCase())) throw damaged(input)
    entries.set(name.toLowerCase(), {
      name,
      method: directory.readUInt16LE(from + 10),
      crc: directory.readUInt32LE(from + 16),
      bytes: directory.readUInt32LE(from + 20),
      size: directory.readUInt32LE(from + 24),
      position: directory.readUInt32LE(from + 42),
    })
    from += 46 + nameLength + directory.readUInt16LE(from + 30) + directory.readUInt16LE(from + 32)
  }
  return entries
}

/** The text of an entry in chunks. Throws if the entry is damaged or larger than a workbook can be. */
async function* readPart(input: InputFile, entry: ZipEntry): AsyncGenerator<string> {
  // A large workbook would take a minute to read, so its stated size is checked first. The stated size can be wrong, so the real size is
  // checked later.
  if (entry.size > maxPartBytes) throw tooLarge(input)
  const local = readBytes(input, entry.position, entry.position + 30)
  if (local.length < 30 || local.readUInt32LE(0) !== localMark) throw damaged(input)
  const start = entry.position + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  if (entry.method !== 0 && entry.method !== 8) throw damaged(input)
  const stored = blocks(input, start, start + entry.bytes)
  // The error is ignored here, because the loop over the stream throws the same error.
  const inflate = () => pipeline(stored, createInflateRaw({ chunkSize: 4 * blockBytes }), () => undefined)
  const chunks: AsyncIterable<Buffer> | Iterable<Buffer> = entry.method === 0 ? stored : inflate()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let total = 0
  let crc = 0
  try {
    for await (const chunk of chunks) {
      total += chunk.length
      crc = crc32(chunk, crc)
      if (total > maxPartBytes) throw tooLarge(input)
      // Real workbooks contain no document type. A document type could define entities, so it is refused.
      if (total === chunk.length && /<!DOCTYPE/i.test(chunk.toString('latin1'))) throw damaged(input)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof UsageError ? error : damaged(input, error)
  }
  if (crc !== entry.crc) throw damaged(input)
}

/**
 * Yields the elements with this name in a part of the workbook, each with the text before it. The last item contains only the text after
 * the last element. Throws if an element is longer than `maxCharacters` or has no end.
 */
export async function* readElements(
  input: InputFile,
  entry: ZipEntry,
  elementName: string,
  maxCharacters: number,
): AsyncGenerator<{ element?: XmlElement; before: string }> {
  let rest = ''
  for await (const chunk of readPart(input, entry)) {
    rest += chunk
    let end = 0
    for (const element of elementsOf(rest, elementName)) {
      yield { element, before: rest.slice(end, element.start) }
      end = element.end
    }
    rest = rest.slice(end)
    if (rest.length > maxCharacters) throw tooLarge(input)
  }
  if (hasStart(rest, elementName)) throw damaged(input)
  yield { before: rest }
}

export async function readSmallPart(
  input: InputFile,
  entry: ZipEntry,
  maxCharacters: number,
): Promise<string> {
  let text = ''
  for await (const chunk of readPart(input, entry)) {
    text += chunk
    if (text.length > maxCharacters) throw tooLarge(input)
  }
  return text
}

function* blocks(input: InputFile, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += blockBytes) yield readBytes(input, at, Math.min(end, at + blockBytes))
}

function readBytes(input: InputFile, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, end - start))
  return bytes.subarray(0, readAt(input, bytes, start))
}

export function tooLarge({ name }: InputFile): UsageError {
  return new UsageError(`${name} is too large to be read as a workbook`, {
    hint: 'Save the sheet as CSV (UTF-8).',
  })
}

export function damaged({ name }: InputFile, cause?: unknown): UsageError {
  return new UsageError(`${name} is a damaged workbook or a ZIP archive of another kind`, {
    hint: 'Open the file in a spreadsheet program, and save the sheet as .xlsx or CSV (UTF-8).',
    cause,
  })
}
