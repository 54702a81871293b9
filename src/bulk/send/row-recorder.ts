import type { Journal } from '../journal/journal.ts'
import type { FinalRecord, IntentRecord } from '../journal/record.ts'
import type { ResultWriter } from '../results/result-file.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Answer, Batch, Reason } from '../types.ts'

export interface Part {
  batch: Batch
  rows: readonly number[]
}

/** Files for rejected and unknown rows. Each file is created with its first row. Without `unknown`, unknown rows are not written. */
export interface ResultFiles {
  rejects: Pick<ResultWriter, 'add'>
  unknown?: Pick<ResultWriter, 'add'> | undefined
}

/** Records the state of each row in the journal and the result files. */
export class RowRecorder {
  readonly #journal: Journal
  readonly #results: ResultFiles
  readonly #clock: ServiceClock
  /** Numbers of the batches with rows that this run has added to the result files. */
  readonly reportedBatches = new Set<number>()

  constructor(journal: Journal, results: ResultFiles, clock: ServiceClock) {
    this.#journal = journal
    this.#results = results
    this.#clock = clock
  }

  /** Writes an intent (the record of a planned request) to the journal. The rows may be sent when the intent is on disk. */
  intend(
    part: Part,
    chain: Pick<IntentRecord, 'chain' | 'since'>,
  ): { intent: IntentRecord; durable: Promise<void> } {
    const intent: IntentRecord = {
      type: 'INTENT',
      batch: part.batch.id,
      rows: part.rows.length,
      part: positionsOf(part),
      at: this.#clock.now(),
      chain: chain.chain,
      since: chain.since,
    }
    return { intent, durable: this.#journal.commit(intent) }
  }

  /** Records that a response did not confirm its answers. Resolves when the record is on disk. The answers must not be sent again. */
  doubt({ batch }: Part, why: string): Promise<void> {
    return this.#journal.commit({ type: 'UNCONFIRMED', batch: batch.id, why })
  }

  /** Closes the record of a planned request. Rows that are neither applied, rejected, nor unknown may be sent again. */
  acknowledge(part: Part, applied: readonly number[]): void {
    this.#journal.append({
      type: 'ACK',
      batch: part.batch.id,
      rows: applied.length,
      part: applied.length === part.rows.length ? positionsOf(part) : [...applied],
      at: this.#clock.now(),
    })
  }

  /**
   * Records rows as rejected or unknown. Call this method before `acknowledge`, so that rows are not sent again after a crash between the
   * two calls. The reason must not contain personal data.
   */
  makeFinal(type: FinalRecord['type'], { batch, rows }: Part, reason: Reason): void {
    if (rows.length === 0) return
    const { code, message } = reason
    this.#journal.append({ type, batch: batch.id, part: [...rows], code, message })
    this.report(type, { batch, rows }, reason)
  }

  /** Adds rows to the result files. */
  report(type: FinalRecord['type'], part: Part, reason: Reason): void {
    this.reportedBatches.add(part.batch.id)
    const { rejects, unknown } = this.#results
    const file = type === 'REJECT' ? rejects : unknown
    for (const [first, ...others] of byRecord(answersOf(part))) {
      const keys = [first, ...others].map(({ lookup_key }) => lookup_key)
      file?.add(first, [reason], keys)
    }
  }
}

/** Groups answers of the same record, such as the cells of a wide row. */
function byRecord(answers: readonly Answer[]): [Answer, ...Answer[]][] {
  const records: [Answer, ...Answer[]][] = []
  for (const answer of answers) {
    const last = records.at(-1)
    if (last?.[0].offset === answer.offset) last.push(answer)
    else records.push([answer])
  }
  return records
}

/** The positions of the rows in their batch. Undefined for a complete batch. */
function positionsOf({ batch, rows }: Part): number[] | undefined {
  return rows.length === batch.rows.length ? undefined : [...rows]
}

export function zonesOf(part: Part): Set<string> {
  const zones = new Set<string>()
  for (const { timezone } of answersOf(part)) zones.add(timezone)
  return zones
}

export function answersOf({ batch, rows }: Part): readonly Answer[] {
  if (rows.length === batch.rows.length) return batch.rows
  return rows.flatMap((at) => batch.rows[at] ?? [])
}
