import { systemCode, UsageError } from '../base/errors.ts'
import { chunksOf, copied, type InputFile } from './input-file.ts'
import { UnclearFile } from './questions.ts'
import { decoderFor } from './rows/code-pages.ts'
import { ScratchFile } from './spool/scratch.ts'

const fallbackEncoding = 'windows-1252'

const marks = [
  { bytes: '\xef\xbb\xbf', encoding: 'UTF-8 with BOM' },
  { bytes: '\xff\xfe', encoding: 'UTF-16LE' },
  { bytes: '\xfe\xff', encoding: 'UTF-16BE' },
]

/** Returns the file as UTF-8 text: the file, or a copy if it has another encoding. `start`: the first bytes, as Latin-1. */
export async function decodeText(
  raw: InputFile,
  start: string,
  {
    isUtf8Text,
    encoding,
    signal,
  }: { isUtf8Text: boolean; encoding?: string | undefined; signal?: AbortSignal | undefined },
): Promise<InputFile> {
  const mark = marks.find(({ bytes }) => start.startsWith(bytes))
  const marked = mark ? { ...raw, start: mark.bytes.length, encoding: mark.encoding } : raw
  const isUtf16 = mark?.encoding.startsWith('UTF-16') === true
  if (!mark && encoding === undefined) refuseUtf16(raw, start)
  if (mark ? !isUtf16 : encoding === undefined ? isUtf8Text : isUtf8Label(encoding)) return marked
  const label = mark?.encoding ?? encoding ?? fallbackEncoding
  const copy = new ScratchFile()
  try {
    const decoder = decoderFor(label) ?? new TextDecoder(label, { fatal: true })
    for await (const chunk of chunksOf(raw, signal))
      copy.write(Buffer.from(decoder.decode(chunk, { stream: true })))
    copy.write(Buffer.from(decoder.decode()))
  } catch (error) {
    copy.close()
    if (systemCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    const hint = mark ? 'Save the file as UTF-8.' : 'Choose another --encoding, or save the file as UTF-8.'
    throw new UsageError(`${raw.name} is not valid ${label}`, { hint })
  }
  return {
    ...raw,
    ...copied(raw, copy),
    encoding: label,
    isAssumed: mark === undefined && encoding === undefined,
  }
}

/** Refuses UTF-16 without a byte order mark: Western text with a NUL byte in nearly every first or every second byte. */
function refuseUtf16(raw: InputFile, start: string): void {
  const first = start.indexOf('\0')
  if (first < 0) return
  const places = [...start].flatMap((character, at) => (character === '\0' ? [at] : []))
  const same = places.filter((at) => (at - first) % 2 === 0)
  if (places.length * 10 < start.length || same.length < places.length * 0.9) return
  const suggested = { encoding: first % 2 === 0 ? 'utf-16be' : 'utf-16le' }
  const problem = `${raw.name} contains a NUL byte at offset ${first}; it is probably UTF-16 without a byte order mark`
  const prompts = [{ label: 'Encoding', choices: [{ name: suggested.encoding, set: suggested }] }]
  throw new UnclearFile(raw.name, [{ problem, suggested, prompts }])
}

function isUtf8Label(label: string): boolean {
  return decoderFor(label)?.encoding === 'utf-8'
}
