import { closeSync, openSync, readSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import type { InputFile } from '../open-input.ts'
import { resultColumns } from '../rows/layout.ts'
import { firstRecord, type Table } from '../rows/table.ts'
import { needsApostrophe } from '../scan/cell-bytes.ts'
import { maxRecordBytes, RecordScanner } from '../scan/scanner.ts'
import type { ImportSettings, Place, Reason, ResultFile } from '../types.ts'
import { jsonResultLine } from './json-result.ts'

const flushBytes = 256 * 1024
const quote = 0x22
const apostrophe = Buffer.from("'")

/** Writes a result file under a temporary name, and puts it under its own when it is complete. */
export class ResultWriter implements ResultFile {
  readonly path: string
  rows = 0
  private readonly input: InputFile
  private readonly table: Table
  private readonly settings: ImportSettings
  private readonly scanner: RecordScanner
  private readonly separator: Buffer
  private newline = Buffer.from('\n')
  private fd: number | undefined
  private pieces: Buffer[] = []
  private pending = 0

  constructor(directory: string, name: string, input: InputFile, table: Table, settings: ImportSettings) {
    this.path = join(directory, `${name}.${table.format}`)
    this.input = input
    this.table = table
    this.settings = settings
    this.scanner = new RecordScanner(table.dialect, undefined, maxRecordBytes)
    this.separator = Buffer.from(table.delimiter?.character ?? '')
    if (isSameFile(this.path, input.path)) {
      throw new UsageError(`${this.path} would be overwritten by its own import`, {
        hint: 'Rename it, or choose a folder with --results DIR.',
      })
    }
  }

  add(place: Pick<Place, 'line' | 'offset'>, reasons: readonly Reason[], lookupKey?: string): void {
    const record = firstRecord(this.input, this.table.dialect, place, this.scanner)
    if (!record) throw new Error(`no record at byte ${place.offset}`)
    const raw = Buffer.from(record.cells.bytes.subarray(record.start, record.end))
    this.addRecord(raw, place.line, reasons, lookupKey)
  }

  /** `raw` is the record without its newline. */
  addRecord(raw: Buffer, line: number, reasons: readonly Reason[], lookupKey?: string): void {
    if (this.fd === undefined) this.open()
    const joined = (part: (reason: Reason) => string | undefined) =>
      [...new Set(reasons.map(part).filter((text) => text !== undefined))].join('; ')
    const result = [line, joined((r) => r.column), joined((r) => r.code), joined((r) => r.message)] as const
    if (this.table.format === 'jsonl')
      this.write(jsonResultLine(raw, result, this.settings.map ?? {}, lookupKey))
    else {
      this.writeCells(raw, lookupKey)
      for (const cell of result) this.write(this.separator, this.encoded(String(cell)))
    }
    this.write(this.newline)
    this.rows++
  }

  close(): void {
    if (this.fd === undefined) return
    this.flush(this.fd)
    closeSync(this.fd)
    this.fd = undefined
    renameSync(this.temporaryPath, this.path)
  }

  /** Gives up what was written. */
  discard(): void {
    this.pieces = []
    this.pending = 0
    this.rows = 0
    if (this.fd === undefined) return
    closeSync(this.fd)
    this.fd = undefined
    unlinkSync(this.temporaryPath)
  }

  private get temporaryPath(): string {
    return `${this.path}.partial`
  }

  private open(): void {
    this.fd = openSync(this.temporaryPath, 'w', 0o600)
    const { header } = this.table
    if (!header) return
    if (this.input.encoding !== 'UTF-8') this.write(Buffer.from('\ufeff'))
    const bytes = this.bytesAt(this.input.start, header.to + 2)
    const afterHeader = bytes.subarray(header.to - this.input.start).toString('latin1')
    if (afterHeader.startsWith('\r')) this.newline = Buffer.from(afterHeader === '\r\n' ? '\r\n' : '\r')
    this.write(bytes.subarray(0, header.from - this.input.start))
    this.writeCells(bytes.subarray(header.from - this.input.start, header.to - this.input.start))
    for (const name of resultColumns) this.write(this.separator, Buffer.from(name))
    this.write(this.newline)
  }

  private bytesAt(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(to, this.input.end) - from))
    const count = readSync(this.input.fd, bytes, 0, bytes.length, from)
    return bytes.subarray(0, count)
  }

  /** Copies the cells; with a lookup key, the cells of other keys are left empty. */
  private writeCells(raw: Buffer, lookupKey?: string): void {
    const { layout } = this.table
    this.scanner.restart(0, 1)
    this.scanner.push(raw)
    this.scanner.finish()
    this.scanner.next()
    const { count } = this.scanner.cells
    const kept = layout.isResult ? Math.max(1, count - resultColumns.length) : count
    const emptied = new Set(
      lookupKey === undefined
        ? []
        : layout.keyColumns.filter(({ key }) => key !== lookupKey).map(({ column }) => column),
    )
    for (let column = 0; column < kept; column++) {
      if (column > 0) this.write(this.separator)
      if (!emptied.has(column)) this.writeCell(column)
    }
    if (this.scanner.fault === 'unterminated_quote') this.write(Buffer.from('"'))
  }

  private writeCell(column: number): void {
    const { bytes, starts, ends, count } = this.scanner.cells
    const start = starts[column] as number
    const end = column + 1 < count ? rawStart(this.scanner, column + 1) - 1 : this.scanner.end
    const first = rawStart(this.scanner, column)
    const isNeutral = this.table.layout.isResult && bytes[start] === apostrophe[0]
    if (isNeutral || !needsApostrophe(bytes, start, ends[column] as number)) {
      this.write(Buffer.from(bytes.subarray(first, end)))
      return
    }
    this.write(Buffer.from(bytes.subarray(first, start)), apostrophe, Buffer.from(bytes.subarray(start, end)))
  }

  private encoded(text: string): Buffer {
    const bytes = Buffer.from(text)
    const safe = needsApostrophe(bytes, 0, bytes.length) ? `'${text}` : text
    const isSpecial = /["\r\n]/.test(safe) || safe.includes(this.separator.toString())
    return Buffer.from(isSpecial ? `"${safe.replaceAll('"', '""')}"` : safe)
  }

  private write(...pieces: Buffer[]): void {
    for (const piece of pieces) {
      this.pieces.push(piece)
      this.pending += piece.length
    }
    if (this.pending >= flushBytes && this.fd !== undefined) this.flush(this.fd)
  }

  private flush(fd: number): void {
    const bytes = Buffer.concat(this.pieces)
    this.pieces = []
    this.pending = 0
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
  }
}

/** Where a cell starts with its opening quote. */
function rawStart(scanner: RecordScanner, column: number): number {
  const { bytes, starts } = scanner.cells
  const start = starts[column] as number
  return start > scanner.start && bytes[start - 1] === quote ? start - 1 : start
}

function isSameFile(path: string, inputPath: string | undefined): boolean {
  if (inputPath === undefined) return false
  const stat = statSync(path, { throwIfNoEntry: false })
  const inputStat = statSync(inputPath, { throwIfNoEntry: false })
  return stat !== undefined && stat.ino === inputStat?.ino && stat.dev === inputStat.dev
}
