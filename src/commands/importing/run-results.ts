import type { Clock } from '../../base/clock.ts'
import type { CheckedInput } from '../../bulk/check.ts'
import type { Journal } from '../../bulk/journal/journal.ts'
import type { JournalState, PartialBatch } from '../../bulk/journal/state.ts'
import type { ResultWriter } from '../../bulk/results/result-file.ts'
import { type ResultFiles, RowRecorder } from '../../bulk/send/row-recorder.ts'
import { ServiceClock } from '../../bulk/service-clock.ts'
import type { Batch, Place } from '../../bulk/types.ts'
import type { SendingOptions } from './options.ts'

const open = 'sent, but the outcome is unknown: the import stopped before it was checked'

type Request = Pick<SendingOptions, 'onAmbiguous'> & { checked: CheckedInput }

/** The result files of a run. They replace the files of earlier runs. */
export class RunResults implements ResultFiles {
  readonly rejects: ResultFiles['rejects']
  readonly unknown: ResultFiles['unknown']
  readonly #batches: CheckedInput['batches']
  readonly #state: JournalState
  readonly #recorder: RowRecorder
  /** Numbers of the rows that this run reported. */
  readonly #reported = new Set<number>()

  constructor({ checked, onAmbiguous }: Request, journal: Journal, clock: Clock) {
    const note = (file: ResultWriter): ResultFiles['rejects'] => ({
      add: (place: Place, reasons, keys) => {
        this.#reported.add(place.row)
        file.add(place, reasons, keys)
      },
    })
    this.rejects = note(checked.rejects)
    this.unknown = onAmbiguous === 'skip' ? undefined : note(checked.unknown)
    this.#batches = checked.batches
    this.#state = journal.state
    this.#recorder = new RowRecorder(journal, this, new ServiceClock(clock))
  }

  /**
   * Adds the rows that the journal contains and a stopped run has not reported: rows that earlier runs reported, and rows of canceled
   * requests. If the input cannot be read, these rows are missing in the files until the import is resumed.
   */
  async complete(): Promise<void> {
    const left = new Map(this.#state.partial)
    if (left.size === 0) return
    try {
      for await (const batch of this.#batches()) {
        const known = left.get(batch.id)
        if (known && !batch.rows.some(({ row }) => this.#reported.has(row))) this.#report(batch, known)
        left.delete(batch.id)
        if (left.size === 0) return
      }
    } catch {}
  }

  #report(batch: Batch, { finals, open: intent }: PartialBatch): void {
    for (const { type, part, code, message } of finals)
      this.#recorder.report(type, { batch, rows: part }, { code, message })
    if (intent === undefined) return
    const isFinal = new Set(finals.flatMap(({ part }) => part))
    const rows = (intent.part ?? [...batch.rows.keys()]).filter((at) => !isFinal.has(at))
    const message = `${open}; sent at ${new Date(intent.at).toISOString()}`
    this.#recorder.report('UNKNOWN', { batch, rows }, { code: 'open', message })
  }
}
