import { orUndefined } from '../../base/functions.ts'
import type { InputFile } from '../input-file.ts'
import { type Question, UnclearFile } from '../questions.ts'
import { decoderFor } from './code-pages.ts'

const notAscii = /[\u0080-\uffff]/
const wordsWithLetters = /[^\t\n\r ,;]*[\u0080-\uffff][^\t\n\r ,;]*/g

/**
 * Matches words in Latin letters. A text that was decoded with a wrong encoding does not match, because it contains symbols between
 * letters or several accented letters in a row. `oddCapital` finds capitals after small letters in such a text.
 */
const latin = /^(?:[ -~\u00a0€’]|[À-ÖØ-öø-ž](?![À-ž]{2}))*$/
const oddCapital = /\p{Ll}(?![A-Z])\p{Lu}|(?![a-z])\p{Ll}\p{Lu}/u

const maxSample = 100

/** Collects words with new letters that are not ASCII, for the question about an unknown encoding. */
export class EncodingSurvey {
  private readonly input: InputFile
  private readonly words: string[] = []
  private readonly places = new Set<string>()

  constructor(input: InputFile) {
    this.input = input
  }

  note(text: string, place: string): void {
    if (!notAscii.test(text)) return
    const known = this.words.join('')
    const added = (text.match(wordsWithLetters) ?? []).filter((word) =>
      [...word].some((letter) => notAscii.test(letter) && !known.includes(letter)),
    )
    if (added.length === 0) return
    this.words.push(...added)
    this.places.add(place)
  }

  /**
   * Suggests the only encoding in which most names and words are known. If there is none, suggests the assumed encoding if only this
   * encoding results in Latin words. Throws the question if the assumed encoding is not suggested, because all other questions depend on
   * the text.
   */
  questions(names: readonly string[], isKnown: (name: string) => boolean): Question[] {
    const { name, encoding: assumed } = this.input
    if (this.words.length === 0) return []
    const text = this.words.join(' ')
    const [place = ''] = this.places
    const where = this.places.size > 1 ? 'the text' : place
    // An error lists only the first possible decodings of a text, so decodings with Latin words come first.
    const all = readings(text, assumed).sort((one, other) => Number(other.isLatin) - Number(one.isLatin))
    // In code pages, a no-break space counts as a letter, so code pages are rivals too.
    const likely = all.filter(({ label, isLatin }) => {
      return isLatin && (!rare.includes(label) || (label.startsWith('ibm') && text.includes('\u00a0')))
    })
    const isLikely = likely.length === 1 && likely[0]?.label === assumed
    const suggested =
      knownEncoding([...names, ...this.words], assumed, isKnown) ?? (isLikely ? assumed : undefined)
    // The assumed encoding is not in the list if it has no letter for one of the bytes.
    const [first = { label: assumed, text }] = all
    const { label: encoding, text: shown } =
      all.find(({ label }) => label === (suggested ?? assumed)) ?? first
    const choices = all.map((one) => ({
      name: `${one.label}: ${one.text.slice(0, maxSample)}`,
      set: { encoding: one.label },
    }))
    const others = choices.filter(({ set }) => set.encoding !== encoding).map((choice) => choice.name)
    const listed = suggested !== undefined && others.length > 0 ? ` (${others.join(', ')})` : ''
    const question = {
      problem: `${name} is not UTF-8. If its encoding is ${encoding}, ${where} contains "${shown.slice(0, maxSample)}"${listed}`,
      ...(suggested !== undefined && { suggested: { encoding } }),
      prompts: [{ label: `Encoding of ${where}`, choices }],
    }
    if (suggested === undefined || encoding !== assumed) throw new UnclearFile(name, [question])
    return [question]
  }
}

/** The only encoding in which most of the names are known. Undefined if there is no such encoding. */
function knownEncoding(
  names: readonly string[],
  assumed: string,
  isKnown: (name: string) => boolean,
): string | undefined {
  const found = readings(names.join('|'), assumed).map(({ label, text }) => ({
    label,
    known: text.split('|').filter(isKnown).length,
  }))
  const most = Math.max(...found.map(({ known }) => known))
  const [best, ...others] = found.filter(({ known }) => known === most)
  return most > 0 && others.length === 0 ? best?.label : undefined
}

/** Encodings of spreadsheets. `rare` encodings decode nearly every byte as a Latin letter, so they are suggested only for known words. */
const usual =
  `windows-1252 windows-1250 iso-8859-2 windows-1251 windows-1254 windows-1253 iso-8859-7 windows-1255 windows-1256
  windows-874 macintosh shift_jis gbk big5 euc-kr ibm866 koi8-r`.split(/\s+/)
const rare = ['windows-1257', 'windows-1258', 'euc-jp', 'ibm850', 'ibm852', 'ibm437']

/** The texts that result if the bytes of a text are decoded with each encoding. Omits invalid and repeated texts. */
function readings(text: string, encoding: string) {
  const letters = [
    ...decoded(
      encoding,
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    ),
  ]
  // Adds a space at the end, so that a text that ends inside a multi-byte character becomes invalid.
  const bytes = Uint8Array.from([...`${text} `].map((letter) => letters.indexOf(letter)))
  const texts = new Map<string, string>()
  for (const label of [...usual, ...rare]) {
    const read = decoded(label, bytes).slice(0, -1)
    if (read !== '' && !/[\u0080-\u009f]/.test(read) && !texts.has(read)) texts.set(read, label)
  }
  return [...texts].map(([text, label]) => {
    return { label, text, isLatin: latin.test(text) && !oddCapital.test(text) }
  })
}

/** The text in this encoding. Empty if the bytes are invalid. */
function decoded(label: string, bytes: Uint8Array): string {
  // Some versions of Node decode windows-1252 as ISO 8859-1 unless `stream` is set.
  return orUndefined(() => decoderFor(label)?.decode(bytes, { stream: true })) ?? ''
}
