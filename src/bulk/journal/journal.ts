import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { uptimeMs } from '../../base/clock.ts'
import { FacescanError, systemCode, systemReason } from '../../base/errors.ts'
import type { JournalFile } from './file.ts'
import { type CheckpointFacts, encodeRecord, type JournalRecord } from './record.ts'
import type { RecoveredJournal } from './recovery.ts'
import { JournalState } from './state.ts'

/** Records that are saved by one fsync. They share one promise. */
interface Group {
  durable: Promise<void>
  end(failure: unknown): void
}

function openGroup(): Group {
  let end: Group['end'] = () => undefined
  const durable = new Promise<void>((resolve, reject) => {
    end = (failure) => (failure === undefined ? resolve() : reject(failure))
  })
  return { durable, end }
}

/** If one write contained at least this many records, the next records are collected for `crowdMs` and written together. */
const crowd = 16
const crowdMs = 8

/** Appends the records of one run to the journal of its import. One fsync saves all records that arrived during the previous fsync. */
export class Journal {
  /** State including records that are not written yet. */
  readonly state: JournalState
  readonly #file: JournalFile
  #crc: number
  #goodBytes: number
  #lines: string[] = []
  #group: Group | undefined
  #draining: Promise<void> | undefined
  #hasCheckpoint = false
  #failure: FacescanError | undefined
  /** The error of a full disk. Results of active requests are still recorded, in the reserved space, but no new request may start. */
  #full: FacescanError | undefined

  constructor(file: JournalFile, recovered?: RecoveredJournal) {
    this.#file = file
    this.state = recovered?.state ?? new JournalState()
    this.#goodBytes = recovered?.goodBytes ?? 0
    this.#crc = recovered?.crc ?? 0
    if (recovered?.isUnterminated) this.#lines.push('\n')
  }

  /** Queues a record for writing. The written record survives a killed process, but may be lost in a power failure. */
  append(record: JournalRecord): void {
    const problem = this.state.apply(record)
    if (problem !== undefined) throw new Error(`invalid journal record: ${problem}`)
    const { line, crc } = encodeRecord(record, this.#crc)
    this.#crc = crc
    this.#lines.push(line)
    this.#draining ??= this.#drain()
  }

  /** Resolves when the record is on disk. Rejects if the disk is full, but keeps the record in `state`. */
  commit(record: JournalRecord): Promise<void> {
    this.append(record)
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.#group ??= openGroup()
    return this.#group.durable
  }

  /** Records the number of rows in each state. `at` is a time by the clock of the service. */
  checkpoint(at: number, known: CheckpointFacts, ended?: string): void {
    const { accepted, rejected, unknown } = this.state.totals
    this.#hasCheckpoint = true
    this.append({ type: 'CHECKPOINT', at, accepted, rejected, unknown, ...known, ended })
  }

  /** Writes the last records and closes the file. On a full disk, the records use the reserved space. */
  async close(): Promise<void> {
    const earlier = this.#failure
    await this.#draining
    await this.#file.close()
    // An earlier write error has already stopped the run, so only a new error is thrown.
    if (earlier === undefined && this.#failure !== undefined) throw this.#failure
  }

  async #drain(): Promise<void> {
    let written = 0
    let writtenAt = 0
    while (this.#lines.length > 0 && this.#failure === undefined) {
      // An fsync takes the same time for one record as for many, so frequent records are collected for one fsync.
      const restMs = written < crowd ? 0 : writtenAt + crowdMs - uptimeMs()
      await (restMs < 1 ? nextTurn() : sleep(restMs))
      written = this.#lines.length
      writtenAt = uptimeMs()
      const bytes = Buffer.from(this.#lines.join(''))
      const group = this.#group
      this.#lines = []
      this.#group = undefined
      const isCheckpoint = this.#hasCheckpoint
      this.#hasCheckpoint = false
      await this.#write(bytes, group !== undefined || isCheckpoint)
      if (isCheckpoint && this.#failure === undefined) this.#file.recordLength?.(this.#goodBytes)
      group?.end(this.#failure ?? this.#full)
    }
    this.#draining = undefined
    this.#group?.end(this.#failure)
    this.#group = undefined
  }

  async #write(bytes: Buffer, durable: boolean): Promise<void> {
    try {
      await this.#file.append(bytes).catch(async (error: unknown) => {
        await this.#file.truncate(this.#goodBytes)
        if (!isFull(error) || !(await this.#file.releaseReserve())) throw error
        this.#full = cannotWrite(error)
        await this.#file.append(bytes)
      })
      this.#goodBytes += bytes.length
      // A failed fsync is not retried, because the kernel may have dropped the data and would report success.
      if (durable) await this.#file.sync()
    } catch (cause) {
      this.#failure = cannotWrite(cause)
    }
  }
}

function cannotWrite(cause: unknown): FacescanError {
  const text = systemCode(cause) === undefined ? String(cause) : systemReason(cause)
  return new FacescanError('import_stopped', `cannot write the journal (${text})`, {
    hint: 'Free up disk space or repair the disk, then run the same command again to resume.',
    cause,
  })
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')
}
