import { createHash } from 'node:crypto'
import { orUndefined } from './functions.ts'

/** A whole number with commas: `12,345`. `Intl.NumberFormat` takes too long to load. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number and its noun, such as `1 row` or `12,345 rows`. The plural is the noun with s. */
export function countOf(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? '' : 's'}`
}

/** Joins words as in `table, json, or csv`. */
export function orList(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
}

/** Text in single quotes for bash, zsh, and fish 3. A quote in the text closes the quotes, is escaped, and opens new quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A word of a command line, quoted only if a shell would change it. In zsh, a word that starts with = is the path of a program. */
export function quoteWord(word: string): string {
  return /^(?!=)[\w@%+=:,./-]+$/.test(word) ? word : quote(word)
}

/** All forms in which the output can contain a text: plain, JSON, JSON in shell quotes, path, and query. The longest form comes first. */
export function writtenForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const inPath = encodeURIComponent(text.toWellFormed())
  const inQuery = new URLSearchParams([['', text]]).toString().slice(1)
  const forms = [text, json, quote(json).slice(1, -1), inPath, inQuery]
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** The source of a regular expression that matches only this text. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Parses a URL. Undefined if the URL is invalid. In Node 20, `URL.canParse` refuses URLs with letters such as ü after many calls. */
export function toUrl(text: string): URL | undefined {
  return orUndefined(() => new URL(text))
}

export function isLink(word: string): boolean {
  return /^https?:\/\//i.test(word)
}

/** The start of the SHA-256 of a text in hexadecimal. */
export function shortHash(text: string, digits = 32): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}

/**
 * Invisible characters, such as zero-width characters, soft hyphens, line separators, and characters that change the text direction.
 * Includes symbols without a shape (Braille, hieroglyphs, Khitan, and music).
 */
export const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u

/**
 * The reason why a text cannot be an external user ID. Undefined if the text is valid. If `isExact` is set, only control characters are
 * refused.
 */
export function userIdProblem(id: string, { isExact = false } = {}): string | undefined {
  const control = /\p{Cc}/u.exec(id)
  if (control) return `contains a control character (${nameCharacter(control[0])})`
  if (isExact) return undefined
  if (id !== id.trim()) return 'starts or ends with a space'
  const hidden = invisible.exec(id)
  return hidden ? `contains an invisible character (${nameCharacter(hidden[0])})` : undefined
}

/** The name of a character, such as `U+200B`. */
function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Maximum length of an unknown word that an error shows. Keys are longer. Commands and most profile names are shorter. */
export const longestShown = 32

/** Matches a text in which each character is common in names. Most keys contain other characters, such as `!`. */
const plain = /^[\p{L}\p{N} ._:/=+@,-]*$/u

/** Whether an error message can repeat a word that is not a known command or flag. Returns false if the word may be an API key. */
export function isShowable(word: string): boolean {
  return word.length <= longestShown && plain.test(word)
}

/** Formats an unknown word for use in an error message: in quotation marks, or only its length if the word may be a key. */
export function showWord(word: string): string {
  return isShowable(word) ? `"${word}"` : `of ${word.length} characters`
}
