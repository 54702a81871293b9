import { isUtf8 } from 'node:buffer'
import { type InputFile, recordsFrom } from '../input-file.ts'
import { Cells, resolveQuotes, trimmedText, withoutMarks } from '../scan/cells.ts'
import type { Dialect, Fault, Position } from '../scan/scanner.ts'

const sampleBytes = 256 * 1024
/** Number of records from which the header of a table is determined. */
export const tableSample = 200

/** One of the first records of a file. */
export interface SampleRecord {
  cells: readonly string[]
  start: Position
  /** Position after the last byte, without the newline. */
  end: number
  following: Position
  fault: Fault | undefined
  isText: boolean
}

/** The first records that are not empty, from the first 256 KiB of the file. */
export function sampleOf(
  input: InputFile,
  dialect: Dialect,
  from: Position,
  count = tableSample,
): SampleRecord[] {
  const resolved = new Cells()
  const records: SampleRecord[] = []
  for (const scanner of recordsFrom(input, dialect, from)) {
    let { cells } = scanner
    if (scanner.escaped) {
      resolveQuotes(cells, resolved)
      cells = resolved
    }
    const texts = Array.from({ length: cells.count }, (_, column) => withoutMarks(cells.text(column)))
    const { fault, following, line, offset } = scanner
    const end = offset + scanner.end - scanner.start
    records.push({
      cells: texts,
      start: { offset, line },
      end,
      following,
      fault,
      isText: isUtf8(scanner.record),
    })
    if (records.length === count || offset >= sampleBytes) break
  }
  return records
}

/** Number of cells with text. */
export function filledIn(cells: readonly string[]): number {
  return cells.filter((cell) => trimmedText(cell) !== '').length
}

export function isBlank(cells: readonly string[]): boolean {
  return filledIn(cells) === 0
}
