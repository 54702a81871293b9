import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { RecordScanner } from '../../../src/bulk/scan/scanner.ts'
import fc from '../../helpers/fast-check.ts'

const runs = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 2000)

interface ScannedRecord {
  cells: string[]
  line: number
  offset: number
  raw: string
  fault: string | undefined
}

/** Scans the text in chunks. The sizes of the chunks are taken from the list `sizes`, again and again from its start. */
function scan(text: string | Buffer, delimiter = ',', sizes: number[] = [1 << 20], maxRecord?: number) {
  const bytes = Buffer.from(text)
  const dialect = { delimiter: delimiter.charCodeAt(0), quotes: true }
  const scanner = new RecordScanner(dialect, { offset: 0, line: 1 }, maxRecord)
  const records: ScannedRecord[] = []
  const drain = () => {
    while (scanner.next()) records.push(copyOf(scanner))
  }
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    scanner.push(bytes.subarray(at, at + size))
    at += size
    drain()
  }
  scanner.finish()
  drain()
  return { records, scanner }
}

function copyOf(scanner: RecordScanner): ScannedRecord {
  const { bytes, count, starts, ends } = scanner.cells
  const cells = Array.from({ length: count }, (_, index) => {
    const text = bytes.toString('utf8', starts[index], ends[index])
    return bytes[starts[index]! - 1] === 0x22 ? text.replaceAll('""', '"') : text
  })
  const raw = bytes.toString('utf8', scanner.start, scanner.end)
  return { cells, line: scanner.line, offset: scanner.offset, raw, fault: scanner.fault }
}

const byReference = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true })

describe('the CSV scanner', () => {
  it('the CSV scanner splits records at LF, CRLF, and lone CR in the same file', () => {
    const { records } = scan('a,b\nc,d\r\ne,f\rg,h')
    expect(records.map((record) => record.cells)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
      ['g', 'h'],
    ])
    expect(records.map((record) => record.line)).toEqual([1, 2, 3, 4])
    expect(records.map((record) => record.offset)).toEqual([0, 4, 9, 13])
  })

  it('the CSV scanner reports the correct line of a record if earlier records contain newlines inside quotes', () => {
    const { records } = scan('"a\n\r\n\r",b\nc,d\n')
    expect(records.map(({ line, offset }) => ({ line, offset }))).toEqual([
      { line: 1, offset: 0 },
      { line: 5, offset: 10 },
    ])
  })

  it('the CSV scanner reports a stray quote and continues with the next record', () => {
    const { records } = scan('a"b,c\n"d"e,f\ng,h\n')
    expect(records.map((record) => record.fault)).toEqual(['stray_quote', 'stray_quote', undefined])
    expect(records[2]!.cells).toEqual(['g', 'h'])
  })

  it('the CSV scanner reports a quote that is not closed at the end of the file', () => {
    expect(scan('a,b\nc,"d\ne,f\n').records.map((record) => record.fault)).toEqual([
      undefined,
      'unterminated_quote',
    ])
  })

  it('with any chunk size, the CSV scanner stops at a record above the maximum size', () => {
    for (const size of [1, 7, 64, 4096]) {
      const { records } = scan(`a,b\n"${'x'.repeat(300)}\ny,z\n`, ',', [size], 100)
      expect(records.map((record) => record.fault)).toEqual([undefined, 'record_too_long'])
      expect(records[1]!.raw).toHaveLength(100)
    }
  })

  it('the CSV scanner accepts a record of exactly the maximum size', () => {
    const faults = (text: string) =>
      scan(`${text}\nc,d\n`, ',', [1 << 20], 8).records.map(({ fault }) => fault)
    expect(faults('aaa,bbbb')).toEqual([undefined, undefined])
    expect(faults('aa,"bbb"')).toEqual([undefined, undefined])
    expect(faults('aaa,bbbbb')).toEqual(['record_too_long'])
    expect(faults('aaa,"bbb"')).toEqual(['record_too_long'])
  })

  it('the CSV scanner reports the position of the first NUL byte', () => {
    expect(scan('a,b\nc,\0d\ne,"\0"').scanner.nulAt).toBe(6)
    expect(scan('a,b\nc,"\0d"\ne,\0').scanner.nulAt).toBe(7)
    expect(scan('\0a,\0b\n').scanner.nulAt).toBe(0)
    expect(scan('a,b\nc,d').scanner.nulAt).toBe(-1)
  })

  it('inside quotes, the CSV scanner counts each LF, CRLF, and lone CR as one line break', () => {
    const { records } = scan('"a\t\v\f\0\r\n\rb",c\nd,e\n')
    expect(records.map(({ line }) => line)).toEqual([1, 4])
  })

  it('the CSV scanner keeps the cells before a quote that is not closed', () => {
    expect(scan('a,"b","c\nd').records.map(({ cells }) => cells)).toEqual([['a', 'b', 'c\nd']])
  })

  it('the CSV scanner finds any number of cells in a record', () => {
    const cells = Array.from({ length: 300 }, (_, index) => `c${index}`)
    const quoted = cells.map((cell) => `"${cell}"`)
    const { records } = scan(`${cells.join()}\n${quoted.join()}\n`)
    expect(records.map((record) => record.cells)).toEqual([cells, cells])
  })

  it('the CSV scanner returns a record as soon as its end is certain', () => {
    const scanner = new RecordScanner({ delimiter: 0x2c, quotes: true })
    const given = (text: string) => {
      scanner.push(Buffer.from(text))
      const found: string[] = []
      while (scanner.next()) found.push(copyOf(scanner).raw)
      return found
    }
    expect(given('a,b\n"c",d\n"e"')).toEqual(['a,b', '"c",d'])
    // The record can continue, because two adjacent quotes stand for one quote in the cell.
    expect(given('"')).toEqual([])
    expect(given('",f\r')).toEqual([])
    // The next byte shows whether the record ends with CR or with CRLF.
    expect(given('\ng,h\ri')).toEqual(['"e""",f', 'g,h'])
    expect(given('\n')).toEqual(['i'])
    scanner.finish()
    expect(scanner.next()).toBe(false)
  })

  const delimiters = fc.constantFrom(',', ';', '\t')
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })

  it('for random text, the CSV scanner returns the same cells as the library csv-parse, or both report a fault', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '"', '"', ',', ';', '\t', '\n', '\r', ' '),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, delimiters, pieces, (input, delimiter, sizes) => {
        const { records } = scan(input, delimiter, sizes)
        const hasFault = records.some((record) => record.fault !== undefined)
        let expected: string[][] | undefined
        try {
          expected = byReference(input, delimiter)
        } catch {
          expect(hasFault).toBe(true)
          return
        }
        expect(hasFault).toBe(false)
        expect(records.map((record) => record.cells)).toEqual(expected)
      }),
      { numRuns: runs },
    )
  })

  it('a quoted cell at the start of a record does not change how the CSV scanner reads the other cells', () => {
    const unit = fc.constantFrom(...'aé~ !#09,;|\t\n\r\0\x7f\u0080'.split(''))
    const lines = (text: string) => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 60 }),
        fc.constantFrom(',', ';', '\t', '|'),
        pieces,
        (text, delimiter, sizes) => {
          const { records, scanner } = scan(text, delimiter, sizes)
          const quoted = lines(text).map((line) => `""${delimiter}${line}`)
          const careful = scan(quoted.join(''), delimiter, sizes)
          expect(records.map(({ cells, line }) => ({ cells, line }))).toEqual(
            careful.records.map(({ cells, line }) => ({ cells: cells.slice(1), line })),
          )
          expect(scan(text, delimiter).records).toEqual(records)
          expect(scanner.nulAt).toBe(Buffer.from(text).indexOf(0))
        },
      ),
      { numRuns: runs },
    )
  })

  it('the CSV scanner reads every valid table with the correct position of each cell', () => {
    const cell = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 8 }), isQuoted: fc.boolean() })
    const table = fc.array(
      fc.record({
        cells: fc.array(cell, { minLength: 1, maxLength: 5 }),
        newline: fc.constantFrom('\n', '\r\n', '\r'),
      }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(table, delimiters, pieces, (rows, delimiter, sizes) => {
        const special = new RegExp(`["\\r\\n${delimiter}]`)
        const encode = ({ text, isQuoted }: { text: string; isQuoted: boolean }) =>
          isQuoted || text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
        const lines = rows.map((row) => row.cells.map(encode).join(delimiter))
        const text = rows.map((row, index) => lines[index] + row.newline).join('')
        const { records } = scan(text, delimiter, sizes)
        expect(records.map((record) => record.cells)).toEqual(
          rows.map((row) => row.cells.map(({ text: value }) => value)),
        )
        const bytes = Buffer.from(text)
        for (const [index, record] of records.entries()) {
          const size = Buffer.byteLength(lines[index]!)
          expect(bytes.toString('utf8', record.offset, record.offset + size)).toBe(lines[index])
        }
      }),
      { numRuns: runs },
    )
  })
})

describe('a record of visible characters', () => {
  it.each([
    ['a,b', 'reports'],
    [',', 'reports'],
    ['a b,c', 'does not report'],
    ['a,b ', 'does not report'],
    ['"a",b', 'does not report'],
    ['ü,b', 'does not report'],
    ['a,\u00a0b', 'does not report'],
    ['a\tb,c', 'does not report'],
  ])(
    'for the record %j, the scanner %s that all characters are visible ASCII and not quotes',
    (record, verb) => {
      const scanner = new RecordScanner({ delimiter: 0x2c, quotes: true })
      scanner.push(Buffer.from(`${record}\n`))
      scanner.finish()
      expect(scanner.next()).toBe(true)
      expect(scanner.isVisible).toBe(verb === 'reports')
    },
  )
})
