import { confusableMs, widthOf } from '../service-clock.ts'
import type {
  AckRecord,
  CheckpointRecord,
  FinalRecord,
  HeaderRecord,
  IntentRecord,
  JournalRecord,
  UnconfirmedRecord,
  Work,
} from './record.ts'

/** Returns the array, or a larger copy if the array does not contain the index. */
function withRoom<Numbers extends Uint8Array | Float64Array>(
  numbers: Numbers,
  index: number,
  create: new (length: number) => Numbers,
): Numbers {
  if (index < numbers.length) return numbers
  const larger = new create(Math.max(index + 1, numbers.length * 2))
  larger.set(numbers)
  return larger
}

class BitSet {
  #bytes = new Uint8Array(1024)

  has(index: number): boolean {
    return ((this.#bytes[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
  }

  add(index: number): void {
    const at = index >> 3
    this.#bytes = withRoom(this.#bytes, at, Uint8Array)
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << (index & 7))
  }
}

/** After this number of accepted batches, old batches are removed from memory, also between two checkpoints. */
const batchesPerCleanup = 1000

/** Number of latest accepted requests that are kept. Their answers show whether the service lists new answers in time. */
export const keptRequests = 20

export interface PartialBatch {
  accepted: number[]
  finals: FinalRecord[]
  /** An intent (planned request) without an acknowledgment. The request may have been sent. */
  open?: IntentRecord | undefined
  /** Reason why the response to the request in `open` did not confirm its answers. */
  unconfirmed?: string | undefined
  /** The first intent (planned request) with an applied row, and the time of the latest acknowledgment. */
  acked?: Acknowledged | undefined
}

export interface Acknowledged {
  intent: IntentRecord
  ackAt: number
}

export interface Totals {
  accepted: number
  rejected: number
  unknown: number
  /** Number of rows whose request was recorded but not acknowledged. Some of these requests may not have been sent yet. */
  open: number
}

export type RejectedRows = readonly (readonly [batch: number, positions: readonly number[]])[]

/** The content of a journal. Memory for each accepted batch: one bit, and eight more bytes until `takeEarlier` is called. */
export class JournalState {
  /** The latest accepted batches, in the order of their acknowledgments. */
  #recent: Acknowledged[] | undefined = []
  /** Hash of the user ID for each batch. */
  #users: Float64Array | undefined = new Float64Array(1024)
  #confusableMs = confusableMs
  header: HeaderRecord | undefined
  checkpoint: CheckpointRecord | undefined
  /** Time of the latest record in ms, by the clock of the service. */
  lastAt = 0
  readonly done = new BitSet()
  readonly partial = new Map<number, PartialBatch>()
  readonly totals: Totals = { accepted: 0, rejected: 0, unknown: 0, open: 0 }
  /** Totals of all runs. If a run was killed, its retries and its duration after the last checkpoint are not counted. */
  work: Work = { requests: 0, retried: 0, seconds: 0 }

  /**
   * Returns the batches that were accepted recently (at least the latest 20), and the hash of the user ID for each batch (0: unknown). After
   * the first call, this state does not keep them.
   */
  takeEarlier(): { recent: ReadonlyMap<number, Acknowledged>; users: Float64Array } {
    this.#dropOld()
    const recent = new Map(this.#recent?.map((acked) => [acked.intent.batch, acked]))
    const users = this.#users ?? new Float64Array()
    this.#recent = undefined
    this.#users = undefined
    return { recent, users }
  }

  /** Whether a next batch of the user is so close that the time of an answer does not show which batch saved it. */
  isConfusable({ ackAt }: Acknowledged): boolean {
    return ackAt >= this.lastAt - this.#confusableMs
  }

  get rejected(): RejectedRows {
    return [...this.partial].flatMap(([batch, { finals }]) => {
      const positions = finals.flatMap(({ type, part }) => (type === 'REJECT' ? part : []))
      return positions.length > 0 ? [[batch, positions] as const] : []
    })
  }

  /** Applies the next record. Returns an error message if the record cannot follow the earlier records. */
  apply(record: JournalRecord): string | undefined {
    if (record.type === 'HEADER') return this.#begin(record)
    if (this.header === undefined) return 'the journal does not begin with a header'
    if ('at' in record) this.lastAt = Math.max(this.lastAt, record.at)
    if (record.type === 'INTENT') return this.#intend(record)
    if (record.type === 'ACK') return this.#acknowledge(record)
    if (record.type === 'UNCONFIRMED') return this.#doubt(record)
    if (record.type === 'CHECKPOINT') return this.#check(record)
    return this.#finish(record)
  }

  #begin(header: HeaderRecord): string | undefined {
    if (this.header !== undefined) return 'the journal has a second header'
    if (header.version !== 1)
      return `journal version ${header.version} is not supported by this version of facescan`
    this.header = header
    return undefined
  }

  #intend(record: IntentRecord): string | undefined {
    if (this.done.has(record.batch)) return `batch ${record.batch} was sent again after it was accepted`
    const batch = this.partial.get(record.batch) ?? { accepted: [], finals: [] }
    this.work.requests++
    this.totals.open += record.rows - (batch.open?.rows ?? 0)
    batch.open = record
    batch.unconfirmed = undefined
    this.partial.set(record.batch, batch)
    return undefined
  }

  #doubt({ batch: id, why }: UnconfirmedRecord): string | undefined {
    const batch = this.partial.get(id)
    if (batch?.open === undefined) return `batch ${id} has a response but no request`
    batch.unconfirmed = why
    return undefined
  }

  #acknowledge({ batch: id, rows, part, at, user }: AckRecord): string | undefined {
    const batch = this.partial.get(id)
    const intent = batch?.open
    if (batch === undefined || intent === undefined) return `batch ${id} has a response but no request`
    batch.open = undefined
    if (user !== undefined && this.#users) {
      this.#users = withRoom(this.#users, id, Float64Array)
      this.#users[id] = user
    }
    this.totals.open -= intent.rows
    this.totals.accepted += rows
    if (rows === 0 || part !== undefined || intent.part !== undefined || batch.finals.length > 0) {
      if (rows > 0) batch.acked = { intent: batch.acked?.intent ?? intent, ackAt: at }
      batch.accepted.push(...(part ?? []))
      return undefined
    }
    this.partial.delete(id)
    this.done.add(id)
    this.#recent?.push({ intent, ackAt: at })
    if (id % batchesPerCleanup === 0) this.#dropOld()
    return undefined
  }

  #dropOld(): void {
    const recent = this.#recent ?? []
    const first = recent.findIndex((acked) => this.isConfusable(acked))
    recent.splice(0, Math.max(0, Math.min(first < 0 ? recent.length : first, recent.length - keptRequests)))
  }

  #finish(record: FinalRecord): string | undefined {
    const { type, batch: id, part } = record
    if (this.done.has(id)) return `batch ${id} is recorded as accepted and later as rejected`
    const batch = this.partial.get(id) ?? { accepted: [], finals: [] }
    if (batch.open !== undefined) {
      batch.open = { ...batch.open, rows: batch.open.rows - part.length }
      this.totals.open -= part.length
    }
    batch.finals.push(record)
    this.partial.set(id, batch)
    this.totals[type === 'REJECT' ? 'rejected' : 'unknown'] += part.length
    return undefined
  }

  #check(record: CheckpointRecord): string | undefined {
    this.checkpoint = record
    if (record.work) this.work = { ...record.work }
    this.#confusableMs = Math.max(confusableMs, ...Object.values(record.clock ?? {}).map(widthOf))
    this.#dropOld()
    const { accepted, rejected, unknown } = this.totals
    if (accepted === record.accepted && rejected === record.rejected && unknown === record.unknown)
      return undefined
    return 'the totals do not match the records'
  }
}
