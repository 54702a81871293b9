import { Cells, isInk } from './cells.ts'

export interface Dialect {
  /** Byte between cells (default: a record is one cell). */
  delimiter?: number | undefined
  quotes: boolean
}

/** The dialect of a table with this delimiter. */
export function dialectOf(delimiter: string): Dialect {
  return { delimiter: delimiter.charCodeAt(0), quotes: true }
}

/** The start of a record in a file. Lines start at 1. */
export interface Position {
  offset: number
  line: number
}

export type Fault = 'stray_quote' | 'unterminated_quote' | 'record_too_long'

const maxRecordBytes = 1024 * 1024
export const chunkBytes = 64 * 1024

const lineFeed = 0x0a
const carriageReturn = 0x0d
const quote = 0x22

/** Kinds of bytes. Kind 0 is a byte without a special meaning. Only a delimiter or a newline ends a cell. */
const isDelimiter = 1
const isNewline = 2
const isQuote = 3
const isNul = 4
/** A space, a control character, or a byte of a character that is not ASCII. */
const isUnusual = 5

/** Splits bytes into records and cells in one pass, without creating strings. */
export class RecordScanner {
  /** Cells without their enclosing quotes. `""` is not replaced. */
  readonly cells = new Cells()
  /** Start and end of the record in `cells.bytes`, without its newline. */
  start = 0
  end = 0
  line = 1
  /** Position of the record in the file. */
  offset: number
  fault: Fault | undefined
  /** Whether a cell contains `""`. */
  escaped = false
  /** Whether the record contains only visible ASCII characters and no enclosing quotation marks. */
  isVisible = true
  /** Position of the first NUL in the file, or -1. */
  nulAt = -1

  private readonly kinds = new Uint8Array(256)
  private readonly maxRecord: number
  private base: number
  private position = 0
  private filled = 0
  private finished = false
  private isStuck = false
  private nextLine: number
  private innerLines = 0

  constructor(dialect: Dialect, from: Position = { offset: 0, line: 1 }, maxRecord = maxRecordBytes) {
    for (let byte = 0; byte < this.kinds.length; byte++) if (!isInk(byte)) this.kinds[byte] = isUnusual
    this.kinds[lineFeed] = isNewline
    this.kinds[carriageReturn] = isNewline
    this.kinds[0] = isNul
    if (dialect.quotes) this.kinds[quote] = isQuote
    if (dialect.delimiter !== undefined) this.kinds[dialect.delimiter] = isDelimiter
    this.maxRecord = maxRecord
    this.base = from.offset
    this.offset = from.offset
    this.nextLine = from.line
  }

  /** Adds bytes. Call this after `next` has returned false. */
  push(chunk: Uint8Array): void {
    const rest = this.cells.bytes.subarray(this.position, this.filled)
    const size = rest.length + chunk.length
    // One more byte is needed for the sentinel: a newline at which the loops stop.
    if (size >= this.cells.bytes.length) this.cells.resize(size * 2)
    this.cells.bytes.set(rest)
    this.cells.bytes.set(chunk, rest.length)
    this.base += this.position
    this.position = 0
    this.filled = size
  }

  /** Call this at the end of the input. The last record may then end without a newline. */
  finish(): void {
    this.finished = true
  }

  /** Position of the next record. */
  get following(): Position {
    return { offset: this.base + this.position, line: this.nextLine }
  }

  /** Bytes of the record, without its newline. Valid until the next call of `push`. */
  get record(): Buffer {
    return this.cells.bytes.subarray(this.start, this.end)
  }

  restart(offset: number, line: number): void {
    this.base = offset
    this.position = 0
    this.filled = 0
    this.finished = false
    this.isStuck = false
    this.nextLine = line
  }

  /** Moves to the next record. Returns false if more bytes are needed, at the end, and after `record_too_long`. */
  next(): boolean {
    if (this.position === this.filled || this.isStuck) return false
    const start = this.position
    // The sentinel ends the inner loops, so they need no check of the length.
    this.cells.bytes[this.filled] = lineFeed
    this.fault = undefined
    this.escaped = false
    this.isVisible = true
    this.innerLines = 0
    const end = this.findEnd(start)
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
    const { bytes } = this.cells
    const isPair = bytes[end] === carriageReturn && bytes[end + 1] === lineFeed
    this.position = isTooLong ? this.filled : Math.min(end + (isPair ? 2 : 1), this.filled)
    return true
  }

  /** The end of the record. -1 if more bytes are needed. */
  private findEnd(start: number): number {
    const { kinds, filled } = this
    const { bytes, starts, ends } = this.cells
    let at = start
    for (let cell = 0; ; cell++) {
      let cellStart = at
      let cellEnd = -1
      if (kinds[bytes[at] as number] === isQuote) {
        cellStart = at + 1
        this.isVisible = false
        cellEnd = this.findClosingQuote(cellStart)
        if (cellEnd < 0) return -1
        at = Math.min(cellEnd + 1, filled)
        if (at === filled && !this.finished) return -1
        if (cellEnd === filled) this.fault = 'unterminated_quote'
      }
      const afterQuote = at
      while (kinds[bytes[at] as number] === 0) at++
      if ((kinds[bytes[at] as number] as number) > isNewline) at = this.findCellEnd(at)
      if (cellEnd >= 0 && at > afterQuote) {
        this.fault = 'stray_quote'
        cellEnd = -1
      }
      starts[cell] = cellStart
      ends[cell] = cellEnd < 0 ? at : cellEnd
      if (kinds[bytes[at] as number] === isDelimiter) {
        at++
        continue
      }
      this.cells.count = cell + 1
      // A carriage return at the end of the bytes may be the first half of CRLF.
      const isCut = at === filled || (bytes[at] === carriageReturn && at + 1 === filled)
      return isCut && !this.finished ? -1 : at
    }
  }

  /** Position of the next delimiter or newline. A quote before this position is an error in the file. */
  private findCellEnd(from: number): number {
    const { kinds } = this
    const { bytes } = this.cells
    for (let at = from; ; at++) {
      while (kinds[bytes[at] as number] === 0) at++
      const kind = kinds[bytes[at] as number]
      if (kind === isDelimiter || kind === isNewline) return at
      if (kind === isQuote) this.fault = 'stray_quote'
      else if (kind === isNul) this.noticeNul(at)
      this.isVisible = false
    }
  }

  /** Position of the closing quote, or the end of the bytes if there is none. -1 if more bytes are needed. */
  private findClosingQuote(from: number): number {
    const { filled } = this
    const { bytes } = this.cells
    for (let at = from; ; at++) {
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
    }
  }

  private noticeNul(at: number): void {
    if (this.nulAt < 0) this.nulAt = this.base + at
  }
}
