import { expect } from 'vitest'
import { Cells } from '../../../src/bulk/scan/cells.ts'
import { resolveQuotes } from '../../../src/bulk/scan/resolve-quotes.ts'
import { RecordScanner } from '../../../src/bulk/scan/scanner.ts'
import fc from '../../helpers/fast-check.ts'
import { holds } from '../../helpers/property.ts'

const quoted = fc.string({ unit: fc.constantFrom('"', 'a', ',', '\n', 'ü'), maxLength: 8 })
const plain = fc.string({ unit: fc.constantFrom('a', ' ', 'ü'), maxLength: 8 })
const cell = fc.oneof(
  quoted.map((text) => ({ text, written: `"${text.replaceAll('"', '""')}"` })),
  plain.map((text) => ({ text, written: text })),
)

holds(
  'doubled quotes are read as one, and only inside quotes',
  fc.property(fc.array(cell, { minLength: 1, maxLength: 80 }), (cells) => {
    const scanner = new RecordScanner({ delimiter: 0x2c, quotes: true })
    scanner.push(Buffer.from(`${cells.map(({ written }) => written).join()}\n`))
    expect(scanner.next()).toBe(true)
    expect(scanner.escaped).toBe(cells.some(({ text }) => text.includes('"')))
    const target = new Cells(8)
    resolveQuotes(scanner.cells, target)
    const texts = Array.from({ length: target.count }, (_, at) =>
      target.bytes.toString('utf8', target.starts[at], target.ends[at]),
    )
    expect(texts).toEqual(cells.map(({ text }) => text))
  }),
)
