import { expect, test } from 'vitest'
import { Cells, needsApostrophe, skipApostrophes, wholeNumberAt } from '../../../src/bulk/scan/cells.ts'
import fc from '../../helpers/fast-check.ts'
import { holds } from '../../helpers/property.ts'

/** Puts the bytes of a cell between other bytes, so that a function that reads past the end of the cell returns a wrong result. */
function amid(cell: Buffer, around: string): [bytes: Buffer, from: number, to: number] {
  const edge = Buffer.from(around)
  return [Buffer.concat([edge, cell, edge]), edge.length, edge.length + cell.length]
}
const around = fc.constantFrom('', "'", '=', '7', '-', '\u00e9', '\0')

test.each([
  ['=1+1', 'a formula'],
  ['+cmd', 'a formula'],
  ['-cmd', 'a formula'],
  ['@SUM(A1)', 'a formula'],
  ['\tx', 'a formula'],
  ['\rx', 'a formula'],
  ["'=1", 'a formula'],
  ["''@x", 'a formula'],
  ['=', 'a formula'],
  ['-', 'a formula'],
  ['5', 'text'],
  ['-5', 'text'],
  ['-5678', 'text'],
  ['+5', 'text'],
  ['-5.25', 'text'],
  ['-5,25', 'text'],
  ['-5.', 'a formula'],
  ['-5x', 'a formula'],
  ['-5.1.2', 'a formula'],
  ["'-5", 'a formula'],
  ["'x", 'text'],
  ["'", 'text'],
  ['', 'text'],
  ['a=1', 'text'],
  [' =1', 'a formula'],
  ['\n=1', 'a formula'],
  ['"=1"', 'a formula'],
  ['\uff1d1', 'a formula'],
  ['\u00a0@x', 'a formula'],
  [' 1', 'text'],
  ['\nx', 'text'],
])('a spreadsheet would read the cell %j as %s', (text, kind) => {
  const [bytes, from, to] = amid(Buffer.from(text), '=')
  expect(needsApostrophe(bytes, from, to)).toBe(kind === 'a formula')
})

const cellUnits = fc.constantFrom(
  "'",
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '5',
  '.',
  ',',
  'a',
  '\u00fc',
  ' ',
  '"',
  '\n',
  '\uff1d',
)

holds(
  'a cell that is written with an apostrophe is read without the apostrophe',
  fc.property(fc.string({ unit: cellUnits, maxLength: 6 }), around, (text, edge) => {
    const [bytes, from, to] = amid(Buffer.from(text), edge)
    const written = needsApostrophe(bytes, from, to) ? `'${text}` : text
    const cells = new Cells()
    cells.resize(64)
    const size = cells.bytes.write(written)
    Object.assign(cells, { count: 1 })
    cells.starts[0] = 0
    cells.ends[0] = size
    skipApostrophes(cells)
    expect(cells.bytes.toString('utf8', cells.starts[0], cells.ends[0])).toBe(text)
  }),
)

test.each([
  ['0', 0],
  ['-0', 0],
  ['7', 7],
  ['1090', 1_090],
  ['-25', -25],
  ['00', Number.NaN],
  ['07', Number.NaN],
  ['-07', Number.NaN],
  ['', Number.NaN],
  ['-', Number.NaN],
  ['+1', Number.NaN],
  ['1:', Number.NaN],
  ['1/', Number.NaN],
  ['--1', Number.NaN],
])('the cell "%s" is read as the number %d', (text, number) => {
  expect(wholeNumberAt(...amid(Buffer.from(text), ','))).toBe(number)
})

holds(
  'random bytes of a cell are parsed as a number only if they are a whole number without leading zeros',
  () => {
    const digits = fc.string({ unit: fc.constantFrom('-', '0', '1', '9', '.', ' ', '/', ':'), maxLength: 6 })
    const text = fc.oneof(digits, fc.maxSafeInteger().map(String))
    return fc.property(text, around, (value, edge) => {
      const found = wholeNumberAt(...amid(Buffer.from(value), edge))
      const isWhole = /^-?(0|[1-9]\d*)$/.test(value)
      expect(found).toBe(isWhole ? Number(value) + 0 : Number.NaN)
    })
  },
)
