import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import { decodeRecord } from './record.ts'
import { JournalState } from './state.ts'

const maxLineBytes = 1024 * 1024

/** The records of a journal, and where to continue it. */
class RecoveredJournal {
  readonly state: JournalState
  /** Bytes of complete records. The rest is a torn tail. */
  goodBytes = 0
  /** CRC of the last record. */
  crc = 0
  /** Whether the last record lacks its newline. */
  unterminated = false
  readonly #path: string

  constructor(path: string, recentMs: number) {
    this.#path = path
    this.state = new JournalState(recentMs)
  }

  /** Returns the bytes after the last newline. */
  takeLines(bytes: Buffer): Buffer {
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (!this.#take(bytes.subarray(start, end), 1)) throw this.#damaged('a record was altered')
      start = end + 1
    }
    if (bytes.length - start > maxLineBytes) throw this.#damaged('a record is incomplete')
    return bytes.subarray(start)
  }

  takeTail(tail: Buffer): void {
    this.unterminated = this.#take(tail, 0)
    if (!this.unterminated && decodeRecord(tail.subarray(0, -1), this.crc) !== undefined) {
      throw this.#damaged('a complete record is not followed by a line break')
    }
  }

  /** Returns false if the line is not the next record. */
  #take(line: Buffer, newlineBytes: number): boolean {
    const found = decodeRecord(line, this.crc)
    if (found === undefined) return false
    const problem = this.state.apply(found.record)
    if (problem !== undefined) throw this.#damaged(problem)
    this.crc = found.crc
    this.goodBytes += line.length + newlineBytes
    return true
  }

  #damaged(problem: string): FacescanError {
    return new FacescanError(
      'configuration',
      `the journal ${this.#path} is damaged at byte ${this.goodBytes}: ${problem}`,
      {
        hint: `Nothing was sent. Restore the journal from a backup. If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${basename(dirname(this.#path))}`,
      },
    )
  }
}

/**
 * Reads a journal. Ignores a torn last record, because its write was never reported as durable. Refuses any other
 * damage, because a lost intent would send answers twice.
 */
export async function recoverJournal(path: string, recentMs = 0): Promise<RecoveredJournal> {
  const recovered = new RecoveredJournal(path, recentMs)
  let tail: Buffer = Buffer.alloc(0)
  const file = await open(path, 'r')
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: 1024 * 1024 })) {
      tail = recovered.takeLines(tail.length === 0 ? chunk : Buffer.concat([tail, chunk]))
    }
  } finally {
    await file.close()
  }
  recovered.takeTail(tail)
  return recovered
}
