import { orUndefined } from '../../base/functions.ts'
import type { InputFile } from '../input-file.ts'
import type { Question } from '../questions.ts'

export const notAscii = /[\u0080-\uffff]/

/** Letters of Western Europe. Text in a wrong encoding has symbols between letters, or many of these letters in a row. */
const western = /^(?:[ -~\u00a0]|[À-ÏÑ-ÖØ-Üß-ïñ-öø-üÿ€’](?![À-ÿ]{2}))*$/

/** Asks for the encoding of a text that is not ASCII, if the encoding is unknown. */
export function askEncoding({ name, encoding }: InputFile, text: string, place: string): Question {
  const choices = readings(text, encoding).map((one) => {
    return { name: `${one.label}: ${one.text}`, set: { encoding: one.label } }
  })
  const isLikely = choices[0]?.set.encoding === encoding && western.test(text)
  const others = choices.filter(({ set }) => set.encoding !== encoding).map(({ name }) => name)
  const listed = isLikely && others.length > 0 ? ` (${others.join(', ')})` : ''
  return {
    problem: `${name} is not UTF-8; as ${encoding}, ${place} contains "${text}"${listed}`,
    ...(isLikely && { suggested: { encoding } }),
    prompts: [{ label: `Text of ${place}`, choices }],
  }
}

const encodings = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'windows-1253',
  'windows-1256',
  'macintosh',
  'shift_jis',
  'gbk',
  'euc-kr',
]

/** The different texts for the same bytes, in the encodings that spreadsheets use. */
function readings(text: string, encoding: string): { label: string; text: string }[] {
  const letters = [
    ...decoded(
      encoding,
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    ),
  ]
  const bytes = Uint8Array.from([...text].map((letter) => letters.indexOf(letter)))
  const all = encodings.map((label) => ({ label, text: decoded(label, bytes) }))
  return all.filter(
    (one, at) =>
      one.text !== '' &&
      !/\p{Cc}/u.test(one.text) &&
      all.findIndex((other) => other.text === one.text) === at,
  )
}

/** The text in this encoding. Empty if the bytes are invalid. */
function decoded(label: string, bytes: Uint8Array): string {
  // Some versions of Node decode windows-1252 as ISO 8859-1 unless `stream` is set.
  const decode = () => new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
  return orUndefined(decode) ?? ''
}
