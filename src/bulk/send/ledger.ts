import type { Journal } from '../journal/journal.ts'
import type { CheckpointRecord, IntentRecord, JournalRecord } from '../journal/record.ts'
import type { Final, JournalState, Totals } from '../journal/state.ts'
import type { Answer, Batch, ResultFile } from '../types.ts'
import { type Cause, causeToKeep } from './causes.ts'

/** Some answers of a batch, by position. */
export interface Part {
  batch: Batch
  rows: readonly number[]
}

/** Result files are opened when the first row goes into them. */
export interface ResultFiles {
  rejects(): ResultFile
  /** Absent where the person does not want the unknown rows back. */
  unknown?(): ResultFile
}

interface LedgerOptions {
  journal: Journal
  results: ResultFiles
  /** Service time, in ms. */
  now(): number
  /** What the journal says so far. */
  state: JournalState
}

/** Where every row's state is written down, in journal, totals and result file at once, so that they cannot disagree. */
export class Ledger {
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  get totals(): Readonly<Totals> {
    return this.#options.state.totals
  }

  /** Service time of the latest record, in ms. */
  get lastAt(): number {
    return this.#options.state.lastAt
  }

  /** The intent; only when it is durable may the part be sent. */
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

  /** Closes the part's intent: `applied` of its rows are accepted; those that are not final may be sent again. */
  acknowledge(part: Part, applied: readonly number[]): void {
    this.#append({
      type: 'ACK',
      batch: part.batch.id,
      rows: applied.length,
      part: applied.length === part.rows.length ? positionsOf(part) : [...applied],
      at: this.#options.now(),
    })
  }

  /** These rows are final. Comes before the acknowledgement, so that a crash in between cannot free them. */
  finish(type: Final['type'], { batch, rows }: Part, cause: Cause): void {
    if (rows.length === 0) return
    // The reasons for unknown rows are fixed texts without personal data.
    const kept = type === 'UNKNOWN' ? cause : causeToKeep(cause, batch.user, answersOf({ batch, rows }))
    this.#append({ type, batch: batch.id, part: [...rows], ...kept })
    this.report(type, { batch, rows }, kept)
  }

  /** Copies rows into the result file of their state. */
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

  /** The record that ends a run. */
  closing(settleMs: number, ended?: string): CheckpointRecord {
    const { accepted, rejected, unknown } = this.totals
    return { type: 'CHECKPOINT', at: this.#options.now(), accepted, rejected, unknown, settleMs, ended }
  }

  #append(record: JournalRecord): void {
    this.#apply(record)
    this.#options.journal.append(record)
  }

  /** What is written is also what a recovery would make of it. */
  #apply(record: JournalRecord): void {
    const problem = this.#options.state.apply(record)
    if (problem !== undefined) throw new Error(`the journal would be refused: ${problem}`)
  }
}

/** Consecutive answers of the same record of the file: several cells of a wide row. */
function byRecord(answers: readonly Answer[]): [Answer, ...Answer[]][] {
  const records: [Answer, ...Answer[]][] = []
  for (const answer of answers) {
    const last = records.at(-1)
    if (last?.[0].offset === answer.offset) last.push(answer)
    else records.push([answer])
  }
  return records
}

/** A part that is its whole batch is written without positions. */
function positionsOf({ batch, rows }: Part): number[] | undefined {
  return rows.length === batch.rows.length ? undefined : [...rows]
}

export function answersOf({ batch, rows }: Part): readonly Answer[] {
  if (rows.length === batch.rows.length) return batch.rows
  return rows.flatMap((at) => batch.rows[at] ?? [])
}
