import { expect, test } from 'vitest'
import { renderSeparated } from '../../src/output/separated.ts'
import { escapeControls } from '../../src/output/text.ts'

test.each([
  ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ['a byte order mark', 'a\ufeffb', 'a\\ufeffb'],
  ['a word joiner', 'a\u2060b', 'a\\u2060b'],
  ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['a right-to-left mark', 'a\u200fb', 'a\\u200fb'],
  ['a left-to-right mark', 'a\u200eb', 'a\\u200eb'],
  ['a joiner at the end', 'a\u200d', 'a\\u200d'],
  ['a joiner between Latin letters', 'a\u200db', 'a\\u200db'],
  ['a Hangul filler', 'a\u3164b', 'a\\u3164b'],
  ['a combining grapheme joiner', 'a\u034fb', 'a\\u034fb'],
  ['a half-width filler', 'a\uffa0b', 'a\\uffa0b'],
  ['a control character for shorthand', 'a\u{1bca0}b', 'a\\u1bca0b'],
  ['a tag character', 'a\u{e0041}b', 'a\\ue0041b'],
  ['a joiner between digits', '1\u200d2', '1\\u200d2'],
  ['a Braille blank', '47\u280011', '47\\u280011'],
  ['a musical symbol without a shape', 'a\u{1d159}', 'a\\u1d159'],
  ['a variation selector after a letter', 'a\ufe0fb', 'a\\ufe0fb'],
  ['a variation selector after a digit', '4\ufe0f7', '4\\ufe0f7'],
  ['a supplementary variation selector after a letter', 'a\u{e0100}', 'a\\ue0100'],
  ['a second variation selector after an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
  ['a variation selector for ideographs after an emoji', '😀\u{e0100}', '😀\\ue0100'],
  ['200 combining marks', `a${'\u0301'.repeat(200)}b`, `a${'\u0301'.repeat(8)}${'\\u0301'.repeat(192)}b`],
])('a text with %s is escaped', (_, text, shown) => {
  expect(escapeControls(text)).toBe(shown)
})

test.each(['👩‍👩‍👧', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष', 'café', '❤️', '1️⃣', '葛󠄀', 'ཧཱུྂ', 'שָׁ֑לוֹם', 'ᠠ᠋', 'café'])(
  'the text %s is printed unchanged',
  (text) => {
    expect(escapeControls(text)).toBe(text)
  },
)

test('--excel escapes formulas in TSV', () => {
  const columns = [{ key: 'name', title: 'Name' }]
  const rows = ['=1+1', '+cmd', '@SUM(A1)', '-1', '\t=1', 'text'].map((name) => ({ name }))
  const settings = { format: 'tsv', header: false, excel: true } as const
  expect(renderSeparated(rows, columns, settings, false)).toBe("'=1+1\n'+cmd\n'@SUM(A1)\n-1\n'\\t'=1\ntext\n")
})

test.each([
  ['after a semicolon', 'a;=1+1', "a;'=1+1"],
  ['after a semicolon and a space', 'a; =1+1', "a;' =1+1"],
  ['after a line feed at the start', '\n=1+1', "'\n'=1+1"],
  ['after a line feed', 'a\n@SUM(A1)', "a\n'@SUM(A1)"],
  ['in quotes', '"=1+1"', `'"=1+1"`],
  ['after a space', ' =1+1', "' =1+1"],
])('--excel escapes a formula that starts %s', (_, text, safe) => {
  const columns = [{ key: 'name', title: 'Name' }]
  const shown = (format: 'csv' | 'tsv') =>
    renderSeparated([{ name: text }], columns, { format, header: false, excel: true }, false)
  const quoted = /["\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  expect(shown('csv')).toBe(`\ufeff${quoted}\r\n`)
  expect(shown('tsv')).toBe(`${safe.replaceAll('\n', '\\n')}\n`)
})

test('--excel escapes a formula after a comma in TSV, but not in quoted CSV', () => {
  const columns = [{ key: 'name', title: 'Name' }]
  const shown = (format: 'csv' | 'tsv') =>
    renderSeparated([{ name: 'a,=1+1' }], columns, { format, header: false, excel: true }, false)
  expect(shown('csv')).toBe('\ufeff"a,=1+1"\r\n')
  expect(shown('tsv')).toBe("a,'=1+1\n")
})
