import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { once } from '../base/functions.ts'
import { mapJson } from '../base/json.ts'
import { countOf } from '../base/text.ts'
import type { Terminal } from './view.ts'

/** Matches text that needs no escaping. */
const plain = /^[\n\x20-\x7e]*$/
const leftToRightMark = '\u200e'

function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\t') return '\\t'
  if (character === '\r') return '\\r'
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}

/**
 * Escapes characters that could move the cursor, set a title, or reorder a line: control characters except the line feed, line separators,
 * characters that change the text direction, and invisible characters. Some invisible characters are kept, because writing systems and
 * emoji need them: a joiner (U+200C, U+200D) between symbols or non-Latin letters, and a variation selector after a character that has
 * variants. After eight combining marks in a row, further marks are escaped, because they would cover other lines.
 */
export function escapeControls(text: string): string {
  return replaceUnsafe(text, visibleForm)
}

/** Matches the characters that `escapeControls` escapes. Created on first use, because compiling the pattern is slow. */
const unsafe = once(() => {
  const patterns = [
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\ufff9-\ufffb[\p{DI}--\p{VS}--[\u200c\u200d]]]/v,
    // Symbols without a shape: Braille, hieroglyphs, Khitan, and music.
    /[\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/v,
    /(?<![[\p{L}--\p{sc=Latin}]\p{M}\p{So}\p{Sk}])[\u200c\u200d]|[\u200c\u200d](?![[\p{L}--\p{sc=Latin}]\p{So}])/v,
    // Variation selectors of emoji (also in keycaps, before U+20E3), of ideographs and mathematical signs, and of Mongolian letters.
    /(?<![\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f](?!\u20e3)/v,
    /(?<![\p{Ideo}\p{Sm}])[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/v,
    /(?<![\p{sc=Mongolian}&&\p{L}])[\u180b-\u180d\u180f]/v,
    /(?<=\p{M}{8})\p{M}/v,
  ]
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'gv')
})

function replaceUnsafe(text: string, replace: (character: string) => string): string {
  if (plain.test(text)) return text
  return text.replace(unsafe(), replace)
}

/** Escapes control characters in JSON text. The value stays the same. */
export function escapeJson(json: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return replaceUnsafe(json, (character) => character.split('').map(escapeUnit).join(''))
}

export function escapeDeep(value: unknown): unknown {
  const escapeLeaf = (leaf: unknown) => (typeof leaf === 'string' ? escapeControls(leaf) : leaf)
  return mapJson(value, escapeLeaf, (name, inner) => [escapeControls(name), escapeDeep(inner)])
}

/** Makes a text safe for a prompt, on one line. The text, such as a customer name or a sheet name, can come from the service or a file. */
export function promptText(text: string): string {
  return oneLine(escapeControls(shortenParts(text)))
}

/** Maximum length of a word, or of a text in quotation marks, in a message. A user ID is shorter (at most 1,024 bytes). */
const longestPart = 2_000
const longestMessage = 20_000

/** Shortens parts of a message that are too long to read, such as a column name from a damaged file. */
export function shortenParts(message: string): string {
  if (message.length <= longestPart) return message
  const tooLong = new RegExp(
    `(?<![^\\s(=:,])(["'])(?:(?!\\1)[^]){${longestPart},}\\1|\\S{${longestPart},}`,
    'g',
  )
  const shortened = message.replace(tooLong, (part, mark = '') => {
    const text = part.slice(mark.length, part.length - mark.length)
    return `${mark}${startOf(text, 60)}…${mark} (${countOf(text.length, 'character')})`
  })
  if (shortened.length <= longestMessage) return shortened
  return `${startOf(shortened, longestMessage).trimEnd()}… (${countOf(shortened.length, 'character')})`
}

/** The start of a text. Does not split a surrogate pair at its end. */
function startOf(text: string, length: number): string {
  return text.slice(0, length + (text.slice(0, length).isWellFormed() ? 0 : 1))
}

export function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n')
}

/** Matches text whose characters have a width of one column. Other text needs Unicode tables, which load slowly. */
const oneColumnEach = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u259f]*$/

const styledPart = /\x1b\[\d+m([^\x1b]*)\x1b\[(?:22|39)m/g

/** Maximum length of a text whose width is measured, because Intl.Segmenter needs quadratic time. */
const maxMeasured = 4_000
const measurablePiece = new RegExp(`(?:\\x1b\\[\\d+m|[^]){1,${maxMeasured}}`, 'gu')

/** The width of a text in columns. If the text is longer than any line, returns its length. */
export function widthOf(text: string): number {
  return plainWidthOf(text) ?? (text.length > maxMeasured ? text.length : stringWidth(text))
}

/** The width of a text in columns. Undefined if a character may be wider or narrower than one column. */
function plainWidthOf(text: string): number | undefined {
  const plain = text.includes('\x1b') ? text.replace(styledPart, '$1') : text
  return oneColumnEach.test(plain) ? plain.length : undefined
}

export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? space + text : text + space
}

/** A horizontal bar of `width` characters for a percentage, with half-character precision. */
export function gauge(percent: number, width: number, terminal: Terminal): string {
  const halves = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 2)
  const filled = '━'.repeat(Math.floor(halves / 2)) + '╸'.repeat(halves % 2)
  return terminal.cyan(filled) + terminal.dim('─'.repeat(width - filled.length))
}

/** Truncates a text. Cuts it at a space if the result then fills at least half of the width. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const [start = ''] = wrapAnsi(text.slice(0, maxMeasured), Math.max(1, width - 1), {
    hard: true,
    wordWrap: false,
    trim: false,
  }).split('\n')
  const beforeWord = /^(.*\S)\s+\S*$/s.exec(start)?.[1]
  const endsWithWord = /^\s/.test(text.slice(start.length))
  const isLongEnough = beforeWord !== undefined && widthOf(beforeWord) * 2 >= width
  return `${isLongEnough && !endsWithWord ? beforeWord : start.trimEnd()}…`
}

/** Wraps text at spaces. A long word is broken only if `hard` is set, so that a path or URL can be copied. */
export function wrap(text: string, width: number, { hard = false } = {}): string[] {
  if (widthOf(text) <= width) return [text]
  // A number and its unit stay on one line. The words before and after & also stay on one line.
  const glued = text.replace(/(?<=\d) (?=(?:ms|s|min|h|d)\b)| (?=& )|(?<= &) /g, '\u00a0')
  const lines =
    wrapWords(glued, width) ??
    (glued.match(measurablePiece) ?? []).flatMap((piece) =>
      wrapAnsi(piece, Math.max(1, width), { hard, trim: true }).split('\n'),
    )
  return lines.map((line) => line.replaceAll('\u00a0', ' '))
}

/** Fast path of `wrap` for single spaces between short words whose widths need no Unicode tables. Returns undefined for other text. */
function wrapWords(text: string, width: number): string[] | undefined {
  const lines: string[] = []
  let used = Number.POSITIVE_INFINITY
  for (const word of text.split(' ')) {
    const wordWidth = plainWidthOf(word)
    if (!wordWidth || wordWidth > width) return undefined
    if (used + 1 + wordWidth > width) lines.push(word)
    else lines.push(`${lines.pop()} ${word}`)
    used = lines.at(-1) === word ? wordWidth : used + 1 + wordWidth
  }
  return lines
}

/** Wraps a sentence to the width of a terminal. In a pipe, the sentence stays on one line. */
export function paragraph(text: string, { isTTY, width }: Pick<Terminal, 'isTTY' | 'width'>): string {
  return isTTY ? wrap(text, width).join('\n') : text
}

/** A direction mark keeps later numbers in order. A dotted circle keeps a combining mark from changing the previous cell. */
export function keepInPlace(text: string): string {
  if (oneColumnEach.test(text)) return text
  // Created on first use, because compiling a pattern with Unicode properties is slow.
  const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/v
  const whole = text.replace(/^(?=\p{Mark})/v, '\u25cc')
  return rightToLeft.test(whole) ? whole + leftToRightMark : whole
}

/** Splits a URL before a slash, a question mark, or the sign &. IDs are not broken. The second and later lines are indented. */
export function breakUrl(url: string, width: number): string[] {
  const lines: string[] = []
  for (const part of url.split(/(?<=[^/:])(?=[/?&])/)) {
    const joined = `${lines.at(-1) ?? ''}${part}`
    if (lines.length === 0) lines.push(part)
    else if (widthOf(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(`  ${part}`)
  }
  return lines
}

/** Replaces the quoted parts of a command with text of the same length. An apostrophe in a word is not a quote. */
export function maskQuoted(text: string): string {
  return text.replace(/\\.|(?<!\w)'[^']*'|"[^"]*"/g, ({ length }) => '_'.repeat(length))
}

/** Splits a command before flags and after `|` or `&&`, into lines that can be copied: each line except the last ends with \. */
export function breakCommand(command: string, width: number): string[] {
  const lines: string[] = []
  let at = 0
  const parts = maskQuoted(command).split(/ (?=-\S)|(?<=\||&&) /)
  parts.forEach(({ length }, index) => {
    const part = command.slice(at, at + length)
    at += length + 1
    const inset = lines.length > 1 ? 2 : 0
    const room = width - inset - (index < parts.length - 1 ? 2 : 0)
    const joined = `${lines.at(-1)} ${part}`
    if (index > 0 && widthOf(joined) <= room) lines[lines.length - 1] = joined
    else lines.push(part)
  })
  return lines.map(
    (line, index) => `${index === 0 ? '' : '  '}${line}${index < lines.length - 1 ? ' \\' : ''}`,
  )
}
