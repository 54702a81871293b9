import { createReadStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import { decodeRecord } from './record.ts'
import { JournalState } from './state.ts'

const maxLineBytes = 1024 * 1024
const readBytes = 64 * 1024

export interface RecoveredJournal {
  state: JournalState
  /** Length of all complete records. The bytes after this length are an incomplete record. */
  goodBytes: number
  crc: number
  /** Whether the last record is complete but has no line break. */
  isUnterminated: boolean
}

/** Ignores an incomplete last record, because no request depended on it. Refuses other damage, because answers could be sent twice. */
export async function recoverJournal(path: string): Promise<RecoveredJournal> {
  const recovered = { state: new JournalState(), goodBytes: 0, crc: 0, isUnterminated: false }
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes })) {
    const bytes = Buffer.concat([tail, chunk])
    const { goodBytes } = recovered
    const problem = takeLines(recovered, bytes)
    if (problem !== undefined) throw damaged(path, recovered, problem)
    tail = bytes.subarray(recovered.goodBytes - goodBytes)
  }
  if (decodeRecord(tail.subarray(0, -1), recovered.crc) !== undefined)
    throw damaged(path, recovered, 'a complete record is not followed by a line break')
  const problem = takeTail(recovered, tail)
  if (problem !== undefined) throw damaged(path, recovered, problem)
  return recovered
}

function takeLines(recovered: RecoveredJournal, bytes: Buffer): string | undefined {
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const found = decodeRecord(bytes.subarray(start, end), recovered.crc)
    if (found === undefined) return 'a record was altered'
    const problem = recovered.state.apply(found.record)
    if (problem !== undefined) return problem
    recovered.crc = found.crc
    recovered.goodBytes += end + 1 - start
    start = end + 1
  }
  return bytes.length - start > maxLineBytes ? 'a record is incomplete' : undefined
}

/** Applies a last record that lacks only its line break, because a program that copied the journal may have removed the line break. */
function takeTail(recovered: RecoveredJournal, tail: Buffer): string | undefined {
  const found = decodeRecord(tail, recovered.crc)
  if (found === undefined) return undefined
  recovered.crc = found.crc
  recovered.goodBytes += tail.length
  recovered.isUnterminated = true
  return recovered.state.apply(found.record)
}

function damaged(path: string, { goodBytes }: RecoveredJournal, problem: string): FacescanError {
  return new FacescanError(
    'configuration',
    `the journal ${path} is damaged at byte ${goodBytes}: ${problem}`,
    {
      hint: `Nothing was sent. Restore the journal from a backup. If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${basename(dirname(path))}`,
    },
  )
}
