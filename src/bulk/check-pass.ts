import type { ResultWriter } from './results/result-file.ts'
import { LookupKeys, shortKey } from './rows/lookup-keys.ts'
import { RecordReader } from './rows/record-reader.ts'
import { type BadRow, RowReader, type RowSink } from './rows/row-reader.ts'
import type { Survey } from './rows/survey.ts'
import type { Table } from './rows/table.ts'
import { ZoneNames } from './rows/time-zones.ts'
import type { UserPairs } from './rows/user-ids.ts'
import { withoutMarks } from './scan/cells.ts'
import type { Plan } from './schemas.ts'
import { ownsUser } from './shard.ts'
import type { ImportSettings, RowProblem } from './types.ts'
import { BloomFilter } from './writers/active-writers.ts'

const maxProblems = 20
const sampleSize = 3

export interface PassInput {
  table: Table
  settings: ImportSettings
  knownKeys?: readonly string[] | undefined
  /** External user IDs for which the file and the service have different user IDs. */
  otherUsers?: ReadonlySet<string> | undefined
  /** Collects the questions about the file. Undefined if the file was already checked. */
  survey?: Survey | undefined
}

export class CheckPass implements RowSink {
  answers = 0
  invalid = 0
  /** Number of invalid rows that belong to other shards. */
  invalidElsewhere = 0
  /** Number of valid rows that an earlier import wrote to its file of unknown rows. The service may already have saved these rows. */
  unknown = 0
  readonly problems: RowProblem[] = []
  readonly problemCounts = new Map<string, number>()
  readonly keys: LookupKeys
  readonly zones = new ZoneNames()
  private readonly reader: RowReader
  readonly users = new BloomFilter()
  readonly pairs: UserPairs
  /** The first answers that will be imported. The plan shows them as a sample. */
  readonly sample: Plan['sample'] = []
  /** Kinds of user ID in the file, one bit for each kind. */
  userKinds = 0
  readonly source: PassInput
  private readonly take: (answer: RowReader) => void
  private readonly rejects: ResultWriter | undefined
  readonly records: RecordReader

  constructor(source: PassInput, take: (answer: RowReader) => void, rejects?: ResultWriter) {
    const { table, settings } = source
    this.source = source
    this.take = take
    this.rejects = rejects
    this.keys = new LookupKeys(source.knownKeys)
    this.records = new RecordReader(table)
    this.pairs = { expected: new Map(), others: source.otherUsers ?? new Set() }
    this.reader = new RowReader(this, settings.timezone)
  }

  answer(reader: RowReader): void {
    this.userKinds |= 1 << reader.userKind
    if (!this.owns(reader)) return
    this.answers++
    if (this.records.hasUnknownOutcome(reader.cells)) this.unknown++
    if (this.sample.length < sampleSize) {
      const { user, key, value, zone } = reader
      const [lookup_key = '', timezone = ''] = [this.keys.names[key], this.zones.names[zone]]
      this.sample.push({ user, lookup_key, value, timezone })
    }
    this.keys.noteValue(reader)
    this.users.add(reader.userHash, reader.userKind === 1)
    this.take(reader)
  }

  reject(reader: RowReader, rows: readonly BadRow[]): void {
    const { line, offset } = reader
    const isOwn = this.owns(reader)
    this[isOwn ? 'invalid' : 'invalidElsewhere'] += rows.length
    for (const { row, reasons } of rows) {
      for (const code of new Set(reasons.map((reason) => reason.code))) {
        this.problemCounts.set(code, (this.problemCounts.get(code) ?? 0) + 1)
      }
      if (this.problems.length >= maxProblems) continue
      const place = { row, line, offset, user: shortKey(withoutMarks(reader.user)) }
      for (const reason of reasons) {
        if (this.problems.length < maxProblems) this.problems.push({ ...place, ...reason })
      }
    }
    if (!this.rejects || !isOwn) return
    const reasons = rows.flatMap((bad) => bad.reasons)
    const keys = rows.flatMap(({ key }) => key ?? [])
    const { record } = this.records.scanner
    this.rejects.addRecord(record, line, reasons, keys.length > 0 ? keys : undefined)
  }

  private owns(reader: RowReader): boolean {
    return ownsUser(this.source.settings.shard, reader.userHash)
  }

  /** Reads the input and yields the position after each chunk. */
  async *read(): AsyncGenerator<number> {
    for await (const position of this.records.positions()) {
      while (this.records.next()) {
        const cells = this.reader.read()
        if (cells) this.source.survey?.note(cells, this.reader.line)
      }
      yield position
    }
  }
}
