import type { Hash } from 'node:crypto'
import { chunksOf, type InputFile } from './open-input.ts'
import type { ResultWriter } from './results/result-file.ts'
import { LookupKeys, shortKey } from './rows/lookup-keys.ts'
import { type BadCell, RowReader, type RowSink } from './rows/row-reader.ts'
import { jsonCellsFor, nulInput, type Table } from './rows/table.ts'
import { ZoneNames } from './rows/time-zones.ts'
import { RecordScanner } from './scan/scanner.ts'
import { ownsUser } from './shard.ts'
import type { ImportSettings, Place, Reason, RowProblem } from './types.ts'
import { UserFilter } from './writers/user-filter.ts'

const maxProblems = 20

export interface AnswerTarget {
  add(answer: RowReader): void
  /** Whether the target needs no more answers. */
  readonly isClosed?: boolean
}

export interface PassInput {
  input: InputFile
  table: Table
  settings: ImportSettings
  knownKeys?: readonly string[] | undefined
}

/** Reads the complete input once. Valid answers go to the target. */
export class CheckPass implements RowSink {
  answers = 0
  invalid = 0
  /** Invalid rows of users that other shards import. */
  invalidElsewhere = 0
  readonly problems: RowProblem[] = []
  readonly problemCounts = new Map<string, number>()
  stoppedAt: Place | undefined
  readonly keys: LookupKeys
  readonly zones = new ZoneNames()
  readonly reader: RowReader
  readonly users = new UserFilter()
  /** A bit for each kind of ID that names a user. */
  private userKinds = 0
  private readonly source: PassInput
  private readonly target: AnswerTarget
  private readonly rejects: ResultWriter | undefined
  private readonly scanner: RecordScanner

  constructor(source: PassInput, target: AnswerTarget, rejects?: ResultWriter) {
    const { table, settings } = source
    this.source = source
    this.target = target
    this.rejects = rejects
    this.keys = new LookupKeys(source.knownKeys)
    const json = jsonCellsFor(table, settings)
    const { keys, zones } = this
    this.reader = new RowReader(
      {
        layout: table.layout,
        keys,
        zones,
        timezone: settings.timezone,
        json,
        hasDecimalComma: table.delimiter !== undefined && table.delimiter.character !== ',',
      },
      this,
    )
    this.scanner = new RecordScanner(table.dialect, table.data)
  }

  /** Includes users of other shards. */
  get hasBothIds(): boolean {
    return this.userKinds === 0b11
  }

  answer(reader: RowReader): void {
    this.userKinds |= 1 << reader.userKind
    if (!this.owns(reader)) return
    this.answers++
    this.users.add(reader.userHash, reader.userKind === 1)
    this.target.add(reader)
  }

  reject(reader: RowReader, reasons: readonly Reason[]): void {
    const { row, line, offset } = reader
    this.note(reader, [{ row, reasons }])
    const { fault } = this.scanner
    if (this.owns(reader)) this.rejects?.addRecord(this.record, line, reasons)
    if (fault === 'unterminated_quote' || fault === 'record_too_long') this.stoppedAt = { row, line, offset }
  }

  rejectCells(reader: RowReader, cells: readonly BadCell[]): void {
    this.note(reader, cells)
    if (!this.owns(reader)) return
    const reasons = cells.flatMap((cell) => cell.reasons)
    this.rejects?.addRecord(
      this.record,
      reader.line,
      reasons,
      cells.map(({ key }) => key),
    )
  }

  private get record(): Buffer {
    const { cells, start, end } = this.scanner
    return cells.bytes.subarray(start, end)
  }

  private note(reader: RowReader, invalid: readonly Pick<BadCell, 'row' | 'reasons'>[]): void {
    const { line, offset } = reader
    if (this.owns(reader)) this.invalid += invalid.length
    else this.invalidElsewhere += invalid.length
    for (const { row, reasons } of invalid) {
      for (const code of new Set(reasons.map((reason) => reason.code))) {
        this.problemCounts.set(code, (this.problemCounts.get(code) ?? 0) + 1)
      }
      if (this.problems.length >= maxProblems) continue
      const place = { row, line, offset, user: shortKey(reader.user) }
      for (const reason of reasons) {
        if (this.problems.length < maxProblems) this.problems.push({ ...place, ...reason })
      }
    }
  }

  private owns(reader: RowReader): boolean {
    return ownsUser(this.source.settings.shard, reader.userHash)
  }

  /** Reads chunk by chunk, and pauses after each. */
  async *read(hash?: Hash): AsyncGenerator<number> {
    const { input, table } = this.source
    let position = input.start
    for await (const chunk of chunksOf(input, hash)) {
      const skipped = Math.min(chunk.length, Math.max(0, table.data.offset - position))
      position += chunk.length
      if (!this.stoppedAt) this.scan(chunk.subarray(skipped))
      yield position
      if (this.target.isClosed) return
    }
    this.scanner.finish()
    this.scan(Buffer.alloc(0))
    yield position
  }

  private scan(bytes: Buffer): void {
    const { scanner, reader } = this
    scanner.push(bytes)
    while (scanner.next()) reader.read(scanner)
    if (scanner.nulAt >= 0) throw nulInput(this.source.input, scanner)
  }
}
