import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Failure } from './output.ts'

/** The record of one user, in the order of the list: the length of the result in the output, or the failure. */
export type RowRecord = Failure | RowResult

export interface RowResult {
  bytes: number
  expiresAt?: number | undefined
  /** The line of the next row with the same user, and the ID of the user, who must not be changed again. */
  handsOn?: readonly [line: number, userId: string]
}

/** The result of an earlier run for a user who is not processed again. */
export class KeptRow {
  readonly text: string
  readonly expiresAt: number | undefined

  constructor(text: string, expiresAt: number | undefined) {
    this.text = text
    this.expiresAt = expiresAt
  }
}

/** Reads the records of a list that was started, in the order of the list. */
export async function* readRecords(path: string): AsyncGenerator<RowRecord> {
  for await (const line of createInterface(createReadStream(path))) yield JSON.parse(line)
}

interface EarlierFile {
  path: string
  recordsPath: string
  /** Texts before the first result and between two results. */
  start: string
  separator: string
  /** Number of users that an interrupted renewal has processed. */
  skip: number
}

/** Reads the results of a finished list in the order of the list. */
export async function* readEarlier(earlier: EarlierFile): AsyncGenerator<KeptRow | Failure> {
  const { path, recordsPath, start, separator, skip } = earlier
  const fd = openSync(path, 'r')
  try {
    let at = Buffer.byteLength(start)
    let left = skip
    let between = 0
    for await (const record of readRecords(recordsPath)) {
      const isLeft = left-- <= 0
      if ('bytes' in record) {
        const { bytes, expiresAt } = record
        at += between
        if (isLeft) yield new KeptRow(readText(fd, at, bytes), expiresAt)
        at += bytes
        between = Buffer.byteLength(separator)
      } else if (isLeft) yield record
    }
  } finally {
    closeSync(fd)
  }
}

function readText(fd: number, at: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes)
  readSync(fd, buffer, 0, bytes, at)
  return buffer.toString()
}

/** Whether a file starts with this text. */
export function startsWith(path: string, text: string): boolean {
  const fd = openSync(path, 'r')
  try {
    return readText(fd, 0, Buffer.byteLength(text)) === text
  } finally {
    closeSync(fd)
  }
}
