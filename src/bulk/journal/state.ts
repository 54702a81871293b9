import type { CheckpointRecord, FinalRecord, HeaderRecord, IntentRecord, JournalRecord } from './record.ts'

/** Numbers in constant space each: one bit. */
export class BitSet {
  #bytes = new Uint8Array(1024)
  size = 0

  has(index: number): boolean {
    return ((this.#bytes[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
  }

  add(index: number): void {
    if (this.has(index)) return
    const needed = (index >> 3) + 1
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes[index >> 3] = (this.#bytes[index >> 3] ?? 0) | (1 << (index & 7))
    this.size++
  }
}

export type Final = Pick<FinalRecord, 'type' | 'part' | 'code' | 'message'>

/** A batch that is not simply accepted as a whole. */
export interface UnevenBatch {
  /** Positions known to be applied. */
  accepted: number[]
  finals: Final[]
  /** Sent, or about to be, when the journal ends: whether it was applied is not known. */
  open?: IntentRecord | undefined
}

export interface Totals {
  accepted: number
  rejected: number
  unknown: number
  /** Rows of open intents. */
  open: number
}

/** What a journal says, in memory that grows by one bit for each batch that went well. */
export class JournalState {
  header: HeaderRecord | undefined
  checkpoint: CheckpointRecord | undefined
  /** Service time of the newest record, in ms. */
  lastAt = 0
  /** Batches whose rows are all accepted. */
  readonly done = new BitSet()
  readonly uneven = new Map<number, UnevenBatch>()
  readonly totals: Totals = { accepted: 0, rejected: 0, unknown: 0, open: 0 }
  readonly #texts = new Map<string, string>()

  /** Takes the next record in; a problem is a sentence saying why it cannot follow the ones before. */
  apply(record: JournalRecord): string | undefined {
    if (this.header === undefined && record.type !== 'HEADER') return 'it does not begin with a header'
    if ('at' in record && record.type !== 'HEADER') this.lastAt = Math.max(this.lastAt, record.at)
    switch (record.type) {
      case 'HEADER':
        if (this.header !== undefined) return 'it has a second header'
        if (record.version !== 1) return `it has version ${record.version}, which this program does not know`
        this.header = record
        return undefined
      case 'INTENT':
        return this.#intend(record)
      case 'ACK':
        return this.#acknowledge(record.batch, record.rows, record.part)
      case 'CHECKPOINT':
        return this.#check(record)
      default:
        return this.#finish(record)
    }
  }

  #intend(record: IntentRecord): string | undefined {
    if (this.done.has(record.batch)) return `batch ${record.batch} is sent again after it was accepted`
    const batch = this.uneven.get(record.batch) ?? { accepted: [], finals: [] }
    this.totals.open += record.rows - (batch.open?.rows ?? 0)
    batch.open = record
    this.uneven.set(record.batch, batch)
    return undefined
  }

  #acknowledge(id: number, rows: number, part: number[] | undefined): string | undefined {
    const batch = this.uneven.get(id)
    if (batch?.open === undefined) return `batch ${id} is acknowledged without an intent`
    this.totals.open -= batch.open.rows
    this.totals.accepted += rows
    if (batch.open.part === undefined && part === undefined && rows > 0) {
      this.uneven.delete(id)
      this.done.add(id)
      return undefined
    }
    batch.accepted.push(...(part ?? []))
    batch.open = undefined
    return undefined
  }

  #finish({ type, batch: id, part, code, message }: FinalRecord): string | undefined {
    if (this.done.has(id)) return `batch ${id} is refused after it was accepted`
    const batch = this.uneven.get(id) ?? { accepted: [], finals: [] }
    if (batch.open !== undefined) {
      this.totals.open -= batch.open.rows
      batch.open = undefined
    }
    batch.finals.push({ type, part, code: this.#once(code), message: this.#once(message) })
    this.uneven.set(id, batch)
    this.totals[type === 'REJECT' ? 'rejected' : 'unknown'] += part.length
    return undefined
  }

  #check(record: CheckpointRecord): string | undefined {
    this.checkpoint = record
    const { accepted, rejected, unknown } = this.totals
    if (accepted === record.accepted && rejected === record.rejected && unknown === record.unknown)
      return undefined
    return 'its sums do not match its records'
  }

  /** The same text over and over is kept once. */
  #once(text: string): string {
    const kept = this.#texts.get(text)
    if (kept !== undefined) return kept
    this.#texts.set(text, text)
    return text
  }
}
