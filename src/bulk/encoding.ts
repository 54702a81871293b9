import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { systemCode, UsageError } from '../base/errors.ts'
import { type InputFile, readText } from './input-file.ts'
import { chunkBytes } from './scan/scanner.ts'
import { ScratchFile } from './spool/scratch.ts'

const fallbackEncoding = 'windows-1252'

/** Copies text in another encoding as UTF-8, and closes the original. Returns undefined for UTF-8. */
export function convertText(raw: InputFile, encoding: string | undefined): InputFile | undefined {
  const hasMark = raw.encoding !== 'UTF-8'
  if (hasMark || (encoding === undefined ? isUtf8Text(raw) : isUtf8Label(encoding))) return undefined
  const label = encoding ?? fallbackEncoding
  const hash = createHash('sha256')
  const copy = new ScratchFile()
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    for (const chunk of chunksOf(raw)) {
      hash.update(chunk)
      copy.write(Buffer.from(decoder.decode(chunk, { stream: true })))
    }
    copy.write(Buffer.from(decoder.decode()))
  } catch (error) {
    copy.close()
    if (systemCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new UsageError(`${raw.name} is not valid ${label}`, { hint: 'Choose another --encoding.' })
  }
  raw.close()
  const identity = raw.identity ?? { sha256: hash.digest('hex'), bytes: raw.end }
  return {
    ...raw,
    fd: copy.fd,
    start: 0,
    end: copy.length,
    encoding: label,
    isAssumed: encoding === undefined,
    identity,
    modifiedMs: undefined,
    close: () => copy.close(),
  }
}

function isUtf8Label(label: string): boolean {
  return new TextDecoder(label).encoding === 'utf-8'
}

function* chunksOf(raw: InputFile): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(4 * chunkBytes)
  for (let position = raw.start; position < raw.end; ) {
    const count = readText(raw, buffer.subarray(0, raw.end - position), position)
    yield buffer.subarray(0, count)
    position += count
  }
}

function isUtf8Text(raw: InputFile): boolean {
  let rest = Buffer.alloc(0)
  for (const chunk of chunksOf(raw)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // A character has at most four bytes, and none of them is in ASCII.
    let end = bytes.length
    while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] as number) >= 0x80) end--
    if (!isUtf8(bytes.subarray(0, end))) return false
    rest = Buffer.from(bytes.subarray(end))
  }
  return isUtf8(rest)
}
