import { expect, test } from 'vitest'
import { Cells, resolveQuotes } from '../../../src/bulk/scan/cells.ts'
import { RecordScanner } from '../../../src/bulk/scan/scanner.ts'
import fc from '../../helpers/fast-check.ts'
import { holds } from '../../helpers/property.ts'

const quoted = fc.string({ unit: fc.constantFrom('"', 'a', ',', '\n', 'ü'), maxLength: 8 })
const plain = fc.string({ unit: fc.constantFrom('a', ' ', 'ü'), maxLength: 8 })
const cell = fc.oneof(
  quoted.map((text) => ({ text, written: `"${text.replaceAll('"', '""')}"` })),
  plain.map((text) => ({ text, written: text })),
)

/** The cells of a record with its quotes resolved. */
function resolved(record: string): { texts: string[]; escaped: boolean } {
  const scanner = new RecordScanner({ delimiter: 0x2c, quotes: true })
  scanner.push(Buffer.from(`${record}\n`))
  expect([scanner.next(), scanner.fault]).toEqual([true, undefined])
  const target = new Cells()
  resolveQuotes(scanner.cells, target)
  const texts = Array.from({ length: target.count }, (_, at) =>
    target.bytes.toString('utf8', target.starts[at], target.ends[at]),
  )
  return { texts, escaped: scanner.escaped }
}

test('any number of cells is copied', () => {
  const texts = Array.from({ length: 300 }, (_, index) => `"${index}"`)
  const record = texts.map((text) => `"${text.replaceAll('"', '""')}"`).join()
  expect(resolved(record)).toEqual({ texts, escaped: true })
})

holds(
  'doubled quotes become one quote, but only inside quotes',
  fc.property(fc.array(cell, { minLength: 1, maxLength: 80 }), (cells) => {
    expect(resolved(cells.map(({ written }) => written).join())).toEqual({
      texts: cells.map(({ text }) => text),
      escaped: cells.some(({ text }) => text.includes('"')),
    })
  }),
)
