import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import { decodeRecord, type JournalRecord } from './record.ts'
import { JournalState } from './state.ts'

export interface Recovered {
  state: JournalState
  /** Bytes that hold whole records; what follows is a torn tail. */
  goodBytes: number
  /** CRC that the next line continues. */
  crc: number
  /** Whether the last record lacks its newline. */
  unterminated: boolean
}

const maxLineBytes = 1024 * 1024

/**
 * Reads a journal. A last record that was cut short by a crash is left out: whoever wrote it had not been told that
 * it was durable. Anything else that is wrong is refused, since a forgotten intent would send answers twice.
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
    if (found === undefined) throw damaged(path, recovered, 'a record is not as it was written')
    take(path, recovered, found, end + 1 - start)
    start = end + 1
  }
  if (bytes.length - start > maxLineBytes) throw damaged(path, recovered, 'a record does not end')
  return bytes.subarray(start)
}

function takeTail(path: string, recovered: Recovered, tail: Buffer): void {
  if (tail.length === 0) return
  const whole = decodeRecord(tail, recovered.crc)
  if (whole !== undefined) {
    take(path, recovered, whole, tail.length)
    recovered.unterminated = true
  } else if (decodeRecord(tail.subarray(0, -1), recovered.crc) !== undefined) {
    throw damaged(path, recovered, 'a whole record is followed by something other than a new line')
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
      hint: `Nothing was sent. Restore the journal from a backup, or compare the answers of the users by hand before you remove it with: facescan imports remove ${basename(dirname(path))}`,
    },
  )
}
