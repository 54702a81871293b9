import { expect, test } from 'vitest'
import {
  Cells,
  isBlankCell,
  needsApostrophe,
  replaceCell,
  resolveQuotes,
  skipApostrophes,
  trimCell,
  trimmedText,
  withoutMarks,
} from '../../../src/bulk/scan/cells.ts'
import { RecordScanner } from '../../../src/bulk/scan/scanner.ts'
import fc from '../../helpers/fast-check.ts'
import { holds } from '../../helpers/property.ts'

const quoted = fc.string({ unit: fc.constantFrom('"', 'a', ',', '\n', 'ü'), maxLength: 8 })
const plain = fc.string({ unit: fc.constantFrom('a', ' ', 'ü'), maxLength: 8 })
const cell = fc.oneof(
  quoted.map((text) => ({ text, written: `"${text.replaceAll('"', '""')}"` })),
  plain.map((text) => ({ text, written: text })),
)

function scan(record: string): RecordScanner {
  const scanner = new RecordScanner({ delimiter: 0x2c, quotes: true })
  scanner.push(Buffer.from(`${record}\n`))
  expect([scanner.next(), scanner.fault]).toEqual([true, undefined])
  return scanner
}

/** The texts of all cells. Also checks that each cell has a start and an end. */
function textsOf(cells: Cells): string[] {
  expect([cells.starts.length, cells.ends.length]).toEqual([cells.count, cells.count])
  return cells.starts.map((_, column) => cells.text(column))
}

/** The cells of a record without their enclosing quotes. Two quotes in a cell become one quote. */
function resolved(record: string): { texts: string[]; escaped: boolean } {
  const { cells, escaped } = scan(record)
  const target = new Cells()
  resolveQuotes(cells, target)
  return { texts: textsOf(target), escaped }
}

test('copying a row with 300 quoted cells removes the outer quotes and unescapes the inner quotes', () => {
  const texts = Array.from({ length: 300 }, (_, index) => `"${index}"`)
  const record = texts.map((text) => `"${text.replaceAll('"', '""')}"`).join()
  expect(resolved(record)).toEqual({ texts, escaped: true })
})

holds(
  'doubled quotes become one quote only inside a quoted cell',
  fc.property(fc.array(cell, { minLength: 1, maxLength: 80 }), (cells) => {
    expect(resolved(cells.map(({ written }) => written).join())).toEqual({
      texts: cells.map(({ text }) => text),
      escaped: cells.some(({ text }) => text.includes('"')),
    })
  }),
)

holds('replacing a cell with a text of any length does not change the other cells', () => {
  const texts = fc.array(plain, { minLength: 2, maxLength: 20 })
  const replacement = fc.string({ unit: fc.constantFrom('a', '漢', '😀'), maxLength: 60 })
  return fc.property(texts, replacement, fc.nat(), (before, text, position) => {
    const column = position % before.length
    const target = new Cells()
    replaceCell(scan(before.join()).cells, target, column, text)
    expect(textsOf(target)).toEqual(before.with(column, text))
    // The program reuses one target for all records, so the cells must also be correct when the target is used again.
    const last = before.length - 1
    replaceCell(scan(before.join()).cells, target, last, `${text}${text}`)
    expect(textsOf(target)).toEqual(before.with(last, `${text}${text}`))
  })
})

const zeroWidth = '\u200b'
const noBreak = '\u00a0'

test.each([
  ['', false],
  ['a', false],
  ['a b', false],
  ['é', false],
  [' é', true],
  ['日本 ', true],
  [`${noBreak}4711${zeroWidth}`, true],
  ['   ', true],
])(
  'if the cell "%s" starts or ends with a space, the spaces are removed, and this is reported: %s',
  (text, isTrimmed) => {
    const { cells } = scan(`x,${text},y`)
    expect(trimCell(cells, 1)).toBe(isTrimmed)
    expect(textsOf(cells)).toEqual(['x', trimmedText(text), 'y'])
    expect(trimmedText(text)).toBe(text.replaceAll(noBreak, ' ').replaceAll(zeroWidth, '').trim())
  },
)

test.each([
  ['', true],
  [`  ${zeroWidth}${noBreak}`, true],
  ['é', false],
  [' é', false],
  ['-', false],
])('the cell "%s" is blank: %s', (text, isBlank) => {
  expect(isBlankCell(scan(`x,${text},y`).cells, 1)).toBe(isBlank)
})

test('only the marker bytes at the start of a workbook cell are removed', () => {
  expect(withoutMarks('\x01\x01a\x01')).toBe('a\x01')
  expect(withoutMarks('a\x01')).toBe('a\x01')
})

test('the apostrophe before a formula is removed, and a formula without an apostrophe is not changed', () => {
  const { cells } = scan("'=1+1,=1+1,'a,-5,'-x,''=1,")
  skipApostrophes(cells)
  expect(textsOf(cells)).toEqual(['=1+1', '=1+1', "'a", '-5', '-x', "'=1", ''])
})

test.each([
  ['=1+1', true],
  ['@a', true],
  [' =1', true],
  ['-x', true],
  ['-5', false],
  ['+5', false],
  ['-5,5', false],
  ['-0.5', false],
  ['5', false],
  ['', false],
])(
  'a result file gets an apostrophe before the cell "%s", so that no spreadsheet evaluates the cell: %s',
  (text, isNeeded) => {
    expect(needsApostrophe(Buffer.from(text), 0, Buffer.byteLength(text))).toBe(isNeeded)
  },
)

test('the spaces around a cell are removed, even if the cell contains a million spaces inside', () => {
  const text = `é${' '.repeat(1_000_000)}é`
  const cells = new Cells()
  cells.bytes = Buffer.from(text)
  cells.count = 1
  cells.starts[0] = 0
  cells.ends[0] = cells.bytes.length
  expect([trimCell(cells, 0), trimmedText(text)]).toEqual([false, text])
})
