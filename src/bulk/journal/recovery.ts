import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import { decodeRecord, type JournalRecord } from './record.ts'
import { JournalState } from './state.ts'

export interface Recovered {
  state: JournalState
  /** Bytes of complete records. The rest is a torn tail. */
  goodBytes: number
  /** CRC of the last record. */
  crc: number
  /** Whether the last record has no newline. */
  unterminated: boolean
}

const maxLineBytes = 1024 * 1024

/**
 * Reads a journal. Ignores a torn last record, because its write was never reported as durable. Refuses any other
 * damage, because a lost intent would send answers twice.
 */
export async function recoverJournal(path: string, recentMs = 0): Promise<Recovered> {
  const recovered: Recovered = {
    state: new JournalState(recentMs),
    goodBytes: 0,
    crc: 0,
    unterminated: false,
  }
  let tail: Buffer = Buffer.alloc(0)
  const file = await open(path, 'r')
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: 1024 * 1024 })) {
      tail = takeLines(path, recovered, tail.length === 0 ? chunk : Buffer.concat([tail, chunk]))
    }
  } finally {
    await file.close()
  }
  takeTail(path, recovered, tail)
  return recovered
}

function takeLines(path: string, recovered: Recovered, bytes: Buffer): Buffer {
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const found = decodeRecord(bytes.subarray(start, end), recovered.crc)
    if (found === undefined) throw damaged(path, recovered, 'a record was altered')
    take(path, recovered, found, end + 1 - start)
    start = end + 1
  }
  if (bytes.length - start > maxLineBytes) throw damaged(path, recovered, 'a record is incomplete')
  return bytes.subarray(start)
}

function takeTail(path: string, recovered: Recovered, tail: Buffer): void {
  if (tail.length === 0) return
  const whole = decodeRecord(tail, recovered.crc)
  if (whole !== undefined) {
    take(path, recovered, whole, tail.length)
    recovered.unterminated = true
  } else if (decodeRecord(tail.subarray(0, -1), recovered.crc) !== undefined) {
    throw damaged(path, recovered, 'a complete record is not followed by a line break')
  }
}

function take(
  path: string,
  recovered: Recovered,
  { record, crc }: { record: JournalRecord; crc: number },
  bytes: number,
): void {
  const problem = recovered.state.apply(record)
  if (problem !== undefined) throw damaged(path, recovered, problem)
  recovered.crc = crc
  recovered.goodBytes += bytes
}

function damaged(path: string, recovered: Recovered, problem: string): FacescanError {
  return new FacescanError(
    'configuration',
    `the journal ${path} is damaged at byte ${recovered.goodBytes}: ${problem}`,
    {
      hint: `Nothing was sent. Restore the journal from a backup. If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${basename(dirname(path))}`,
    },
  )
}
