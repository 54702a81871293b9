import { expect, test } from 'vitest'
import { needsApostrophe, skipApostrophes, wholeNumberAt } from '../../../src/bulk/scan/cell-bytes.ts'
import { Cells } from '../../../src/bulk/scan/cells.ts'
import fc from '../../helpers/fast-check.ts'
import { holds } from '../../helpers/property.ts'

/** The bytes of a cell between other bytes, so that reading past its ends is detected. */
function amid(cell: Buffer, around: string): [bytes: Buffer, from: number, to: number] {
  const edge = Buffer.from(around)
  return [Buffer.concat([edge, cell, edge]), edge.length, edge.length + cell.length]
}
const around = fc.constantFrom('', "'", '=', '7', '-', '\u00e9', '\0')

test.each([
  ['=1+1', true],
  ['+cmd', true],
  ['-cmd', true],
  ['@SUM(A1)', true],
  ['\tx', true],
  ['\rx', true],
  ["'=1", true],
  ["''@x", true],
  ['=', true],
  ['-', true],
  ['5', false],
  ['-5', false],
  ['-5678', false],
  ['+5', false],
  ['-5.25', false],
  ['-5,25', false],
  ['-5.', true],
  ['-5x', true],
  ['-5.1.2', true],
  ["'-5", true],
  ["'x", false],
  ["'", false],
  ['', false],
  ['a=1', false],
  [' =1', true],
  ['\n=1', true],
  ['"=1"', true],
  ['\uff1d1', true],
  ['\u00a0@x', true],
  [' 1', false],
  ['\nx', false],
])('a spreadsheet evaluates the cell %j as a formula: %s', (text, isRun) => {
  const [bytes, from, to] = amid(Buffer.from(text), '=')
  expect(needsApostrophe(bytes, from, to)).toBe(isRun)
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
  'a cell that is written with an apostrophe is read without it',
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

holds(
  'the bytes of a cell are parsed as a number only if they are a whole number without leading zeros',
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
