import type { Journal } from '../journal/journal.ts'
import type { CheckpointRecord, IntentRecord, JournalRecord } from '../journal/record.ts'
import type { Final, JournalState, Totals } from '../journal/state.ts'
import type { ResultWriter } from '../results/result-file.ts'
import type { Answer, Batch } from '../types.ts'
import { type Cause, causeToKeep } from './causes.ts'

/** Some rows of a batch, by position. */
export interface Part {
  batch: Batch
  rows: readonly number[]
}

/** Each file is created with its first row. */
export interface ResultFiles {
  rejects(): Pick<ResultWriter, 'add'>
  /** Undefined if unknown rows are not saved. */
  unknown?(): Pick<ResultWriter, 'add'>
}

interface LedgerOptions {
  journal: Journal
  results: ResultFiles
  /** Service time, in ms. */
  now(): number
  state: JournalState
}

/** Records the state of each row in the journal, the totals, and the result files. */
export class Ledger {
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  get totals(): Readonly<Totals> {
    return this.#options.state.totals
  }

  get lastAt(): number {
    return this.#options.state.lastAt
  }

  /** The rows may be sent when the intent is durable. */
  intend(
    part: Part,
    chain: Pick<IntentRecord, 'chain' | 'since'>,
  ): { intent: IntentRecord; durable: Promise<void> } {
    const record: IntentRecord = {
      type: 'INTENT',
      batch: part.batch.id,
      rows: part.rows.length,
      part: positionsOf(part),
      at: this.#options.now(),
      chain: chain.chain,
      since: chain.since,
    }
    this.#apply(record)
    return { intent: record, durable: this.#options.journal.commit(record) }
  }

  /** Closes an intent. Rows that are neither applied nor final may be sent again. */
  acknowledge(part: Part, applied: readonly number[]): void {
    this.#append({
      type: 'ACK',
      batch: part.batch.id,
      rows: applied.length,
      part: applied.length === part.rows.length ? positionsOf(part) : [...applied],
      at: this.#options.now(),
    })
  }

  /** Makes rows final. Call it before `acknowledge`, so that a crash in between cannot free the rows. */
  finish(type: Final['type'], { batch, rows }: Part, cause: Cause): void {
    if (rows.length === 0) return
    // Reasons of unknown rows contain no personal data.
    const kept = type === 'UNKNOWN' ? cause : causeToKeep(cause, batch.user, answersOf({ batch, rows }))
    this.#append({ type, batch: batch.id, part: [...rows], ...kept })
    this.report(type, { batch, rows }, kept)
  }

  /** Copies rows to their result file. */
  report(type: Final['type'], part: Part, cause: Cause): void {
    const { rejects, unknown } = this.#options.results
    const file = type === 'REJECT' ? rejects() : unknown?.()
    for (const [first, ...others] of byRecord(answersOf(part))) {
      file?.add(
        first,
        [cause],
        [first, ...others].map(({ lookup_key }) => lookup_key),
      )
    }
  }

  checkpoint(settleMs: number): void {
    this.#append(this.closing(settleMs))
  }

  closing(settleMs: number, ended?: string): CheckpointRecord {
    const { accepted, rejected, unknown } = this.totals
    return { type: 'CHECKPOINT', at: this.#options.now(), accepted, rejected, unknown, settleMs, ended }
  }

  #append(record: JournalRecord): void {
    this.#apply(record)
    this.#options.journal.append(record)
  }

  /** Applies a record as a recovery would. */
  #apply(record: JournalRecord): void {
    const problem = this.#options.state.apply(record)
    if (problem !== undefined) throw new Error(`invalid journal record: ${problem}`)
  }
}

/** Groups answers of the same record, such as cells of a wide row. */
function byRecord(answers: readonly Answer[]): [Answer, ...Answer[]][] {
  const records: [Answer, ...Answer[]][] = []
  for (const answer of answers) {
    const last = records.at(-1)
    if (last?.[0].offset === answer.offset) last.push(answer)
    else records.push([answer])
  }
  return records
}

/** Undefined if the part is the complete batch. */
function positionsOf({ batch, rows }: Part): number[] | undefined {
  return rows.length === batch.rows.length ? undefined : [...rows]
}

export function answersOf({ batch, rows }: Part): readonly Answer[] {
  if (rows.length === batch.rows.length) return batch.rows
  return rows.flatMap((at) => batch.rows[at] ?? [])
}
