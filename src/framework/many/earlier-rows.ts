import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'

/** A failed user. It is saved until the list is complete. */
export interface Failure {
  line: number
  offset: number
  code: string
  message: string
}

/** The record of one user, in the order of the list: the length of the result in the output, or the failure. */
export type RowRecord = Failure | { bytes: number; expiresAt?: number | undefined }

/** The result of an earlier run for a user who is not processed again. */
export class KeptRow {
  readonly from: number
  readonly bytes: number
  readonly expiresAt: number | undefined

  constructor(from: number, bytes: number, expiresAt: number | undefined) {
    this.from = from
    this.bytes = bytes
    this.expiresAt = expiresAt
  }
}

interface EarlierOptions {
  path: string
  /** File with one record per user. */
  recordsPath: string
  start: string
  separator: string
  /** Number of users that an interrupted renewal has processed. */
  skip: number
}

/** The results of a finished list in the order of the list. */
export class EarlierRows {
  readonly #fd: number
  readonly #options: EarlierOptions
  readonly #rows: AsyncGenerator<KeptRow | Failure>

  constructor(options: EarlierOptions) {
    this.#options = options
    this.#fd = openSync(options.path, 'r')
    this.#rows = this.#readAll()
  }

  async next(): Promise<KeptRow | Failure | undefined> {
    const { value } = await this.#rows.next()
    return value ?? undefined
  }

  textOf({ from, bytes }: KeptRow): string {
    const buffer = Buffer.alloc(bytes)
    readSync(this.#fd, buffer, 0, bytes, from)
    return buffer.toString()
  }

  close(): void {
    closeSync(this.#fd)
    void this.#rows.return(undefined)
  }

  async *#readAll(): AsyncGenerator<KeptRow | Failure> {
    const { recordsPath, start, separator, skip } = this.#options
    let at = Buffer.byteLength(start)
    let left = skip
    let isFirst = true
    for await (const line of createInterface(createReadStream(recordsPath))) {
      const record: RowRecord = JSON.parse(line)
      let row: KeptRow | Failure
      if ('bytes' in record) {
        row = new KeptRow(at + (isFirst ? 0 : Buffer.byteLength(separator)), record.bytes, record.expiresAt)
        at = row.from + row.bytes
        isFirst = false
      } else row = record
      if (left-- <= 0) yield row
    }
  }
}

/** Whether a file starts with this text. */
export function startsWith(path: string, text: string): boolean {
  const expected = Buffer.from(text)
  const found = Buffer.alloc(expected.length)
  const fd = openSync(path, 'r')
  try {
    readSync(fd, found, 0, found.length, 0)
  } finally {
    closeSync(fd)
  }
  return found.equals(expected)
}
