import { isUtf8 } from 'node:buffer'
import { type InputFile, nulInput, readText } from '../input-file.ts'
import { Cells, resolveQuotes, withoutMarks } from '../scan/cells.ts'
import { type Dialect, type Fault, RecordScanner } from '../scan/scanner.ts'
import type { Position } from './layout.ts'

/** Size of the sample of records from which the delimiter and the header are determined. */
const sampleBytes = 256 * 1024
const sampleRecords = 200

export interface SampleRecord {
  cells: readonly string[]
  line: number
  span: { from: number; to: number }
  following: Position
  fault: Fault | undefined
  isText: boolean
}

/** The scanner at each record that is not empty. Reads no more than necessary. */
export function* recordsFrom(input: InputFile, dialect: Dialect, from: Position): Generator<RecordScanner> {
  const scanner = new RecordScanner(dialect, from)
  let position = from.offset
  for (let size = 4096; ; size = Math.min(size * 2, sampleBytes)) {
    while (scanner.next()) {
      if (scanner.nulAt >= 0) throw nulInput(input, scanner.nulAt)
      if (scanner.start !== scanner.end) yield scanner
      if (scanner.fault === 'record_too_long') return
    }
    if (position >= input.end) return
    const chunk = Buffer.allocUnsafe(Math.min(size, input.end - position))
    const count = readText(input, chunk, position)
    position += count
    scanner.push(chunk.subarray(0, count))
    if (position >= input.end) scanner.finish()
  }
}

export function sampleOf(input: InputFile, dialect: Dialect, start: Position): SampleRecord[] {
  const resolved = new Cells()
  const records: SampleRecord[] = []
  for (const scanner of recordsFrom(input, dialect, start)) {
    records.push(recordAt(scanner, resolved))
    if (records.length === sampleRecords || scanner.offset - start.offset >= sampleBytes) break
  }
  return records
}

function recordAt(scanner: RecordScanner, resolved: Cells): SampleRecord {
  let { cells } = scanner
  if (scanner.escaped && scanner.fault === undefined) {
    resolveQuotes(cells, resolved)
    cells = resolved
  }
  return {
    cells: Array.from({ length: cells.count }, (_, column) => withoutMarks(cells.text(column))),
    line: scanner.line,
    span: { from: scanner.offset, to: scanner.offset + scanner.end - scanner.start },
    following: scanner.following,
    fault: scanner.fault,
    isText: isUtf8(scanner.record),
  }
}
