import { type InputFile, nulInput, readText } from '../input-file.ts'
import { type Dialect, RecordScanner } from '../scan/scanner.ts'
import type { Position } from './table.ts'

const largestRead = 256 * 1024

/** The scanner at each record that is not empty. Reads no more than necessary. */
export function* recordsFrom(input: InputFile, dialect: Dialect, from: Position): Generator<RecordScanner> {
  const scanner = new RecordScanner(dialect, from)
  let position = from.offset
  for (let size = 4096; ; size = Math.min(size * 2, largestRead)) {
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
