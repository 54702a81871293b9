import {
  carriageReturn,
  classesOf,
  type Dialect,
  findSpecial,
  fourTimes,
  isCarriageReturn,
  isDelimiter,
  isNul,
  isQuote,
  lineFeed,
  ordinary,
  quote,
} from './byte-classes.ts'
import { Cells } from './cells.ts'
import { allocate } from './memory.ts'

export type Fault = 'stray_quote' | 'unterminated_quote' | 'record_too_long'

const maxRecordBytes = 1024 * 1024
export const chunkBytes = 256 * 1024

const notPlain = -2

/** Space for the sentinel, and for reading it in a group of four bytes. */
const slackBytes = 4

/** Splits bytes into records and cells in one pass, without creating strings. */
export class RecordScanner {
  /** Cells without their enclosing quotes. `""` is not replaced. */
  readonly cells: Cells
  /** The record in `cells.bytes`, without its newline. */
  start = 0
  end = 0
  line = 1
  /** Position of the record in the file. */
  offset: number
  fault: Fault | undefined
  /** Whether a cell contains `""`. */
  escaped = false
  /** Position of the first NUL in the file, or -1. */
  nulAt = -1

  private readonly classes: Uint8Array
  /** Each contains a byte four times: the delimiter, and the lowest byte above all other special bytes. */
  private readonly delimiters: number
  private readonly limits: number
  private readonly maxRecord: number
  private base: number
  private position = 0
  private filled = 0
  private finished = false
  private isStuck = false
  private nextLine: number
  private innerLines = 0

  constructor(dialect: Dialect, from = { offset: 0, line: 1 }, maxRecord = maxRecordBytes) {
    this.cells = new Cells(Math.min(maxRecord, 4096) + chunkBytes + slackBytes)
    this.classes = classesOf(dialect)
    this.delimiters = fourTimes(dialect.delimiter ?? lineFeed)
    this.limits = fourTimes((dialect.quotes ? quote : carriageReturn) + 1)
    this.maxRecord = maxRecord
    this.base = from.offset
    this.offset = from.offset
    this.nextLine = from.line
  }

  /** Adds bytes. Call it when `next` has returned false. */
  push(chunk: Uint8Array): void {
    const { bytes } = this.cells
    const rest = this.filled - this.position
    if (rest + chunk.length + slackBytes > bytes.length) {
      const larger = allocate((rest + chunk.length) * 2 + slackBytes)
      bytes.copy(larger.bytes, 0, this.position, this.filled)
      this.cells.replaceMemory(larger)
    } else {
      bytes.copyWithin(0, this.position, this.filled)
    }
    this.cells.bytes.set(chunk, rest)
    this.base += this.position
    this.position = 0
    this.filled = rest + chunk.length
  }

  /** No more bytes follow, so that the last record may end without a newline. */
  finish(): void {
    this.finished = true
  }

  /** Start of the next record. */
  get following(): { offset: number; line: number } {
    return { offset: this.base + this.position, line: this.nextLine }
  }

  restart(offset: number, line: number): void {
    this.base = offset
    this.position = 0
    this.filled = 0
    this.finished = false
    this.isStuck = false
    this.nextLine = line
  }

  /** Moves to the next record. Returns false if it needs more bytes, at the end, and after `record_too_long`. */
  next(): boolean {
    if (this.position === this.filled || this.isStuck) return false
    const { bytes } = this.cells
    const start = this.position
    // With the sentinel, inner loops need no bounds check.
    bytes[this.filled] = lineFeed
    this.fault = undefined
    this.escaped = false
    this.innerLines = 0
    const plainEnd = this.findPlainEnd(start)
    const end = plainEnd === notPlain ? this.findEnd(start) : plainEnd
    const isTooLong = (end < 0 ? this.filled : end) - start > this.maxRecord
    if (end < 0 && !isTooLong) return false
    if (isTooLong) {
      this.fault = 'record_too_long'
      this.isStuck = true
    }
    this.start = start
    this.end = isTooLong ? start + this.maxRecord : end
    this.line = this.nextLine
    this.offset = this.base + start
    this.nextLine += this.innerLines + 1
    this.position = isTooLong ? this.filled : Math.min(this.afterNewline(end), this.filled)
    return true
  }

  /** Fast path for a record without quotes and NULs. Returns its end, or `notPlain`. */
  private findPlainEnd(start: number): number {
    const { classes, delimiters, limits, filled } = this
    const { bytes, view, starts, ends } = this.cells
    let at = start
    let cell = 0
    starts[0] = start
    for (;;) {
      at = findSpecial(view, at, delimiters, limits)
      const kind = classes[bytes[at] as number] as number
      if (kind === isDelimiter) {
        ends[cell++] = at++
        starts[cell] = at
      } else if (kind === ordinary) at++
      else if (kind > isCarriageReturn || at + 1 >= filled || cell >= ends.length) return notPlain
      else {
        ends[cell] = at
        this.cells.count = cell + 1
        return at
      }
    }
  }

  /** Returns -1 if more bytes are needed. */
  private findEnd(start: number): number {
    const { classes, filled } = this
    const { bytes } = this.cells
    let at = start
    let cell = 0
    for (;;) {
      let cellStart = at
      let cellEnd = -1
      if (classes[bytes[at] as number] === isQuote && at < filled) {
        cellStart = at + 1
        cellEnd = this.findClosingQuote(cellStart)
        if (cellEnd < 0) return -1
        if (cellEnd === filled) return this.endInsideQuotes(cell, cellStart)
        at = cellEnd + 1
        if (at === filled && !this.finished) return -1
      }
      let kind = classes[bytes[at] as number] as number
      if (cellEnd >= 0 && (kind === ordinary || kind > isCarriageReturn)) {
        this.fault = 'stray_quote'
        cellEnd = -1
      }
      while (kind === ordinary || kind > isCarriageReturn) {
        if (kind === isQuote) this.fault = 'stray_quote'
        else if (kind === isNul) this.noticeNul(at)
        at++
        while (classes[bytes[at] as number] === ordinary) at++
        kind = classes[bytes[at] as number] as number
      }
      this.setCell(cell++, cellStart, cellEnd < 0 ? at : cellEnd)
      if (kind === isDelimiter) {
        at++
        continue
      }
      this.cells.count = cell
      return this.needsMoreAt(at, kind) ? -1 : at
    }
  }

  /** CR may be the first half of CRLF. */
  private needsMoreAt(at: number, kind: number): boolean {
    if (this.finished) return false
    return at === this.filled || (kind === isCarriageReturn && at + 1 === this.filled)
  }

  /** Returns the end of the bytes if the quote is not closed, or -1 if more bytes are needed. */
  private findClosingQuote(from: number): number {
    const { filled } = this
    const { bytes } = this.cells
    let at = from
    for (;;) {
      let byte = bytes[at] as number
      while (byte !== quote && byte > carriageReturn) byte = bytes[++at] as number
      if (at >= filled) return this.finished ? filled : -1
      if (byte === quote) {
        if (bytes[at + 1] !== quote) return at
        this.escaped = true
        at++
      } else if (byte === lineFeed) this.innerLines++
      else if (byte === carriageReturn && bytes[at + 1] !== lineFeed) this.innerLines++
      else if (byte === 0) this.noticeNul(at)
      at++
    }
  }

  private endInsideQuotes(cell: number, cellStart: number): number {
    this.fault = 'unterminated_quote'
    this.setCell(cell, cellStart, this.filled)
    this.cells.count = cell + 1
    return this.filled
  }

  private afterNewline(at: number): number {
    const { bytes } = this.cells
    return bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? at + 2 : at + 1
  }

  private setCell(index: number, start: number, end: number): void {
    if (index === this.cells.starts.length) this.cells.doubleCells()
    this.cells.starts[index] = start
    this.cells.ends[index] = end
  }

  private noticeNul(at: number): void {
    if (this.nulAt < 0) this.nulAt = this.base + at
  }
}
