import { closeSync, openSync, readSync } from 'node:fs'
import { type FailedRow, readRows, type WrittenRow } from '../../bulk/lists/list-journal.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import type { ResumableFileOptions } from './list-files.ts'
import type { RowFormat } from './row-format.ts'

/** The result of an earlier run for a user who is not processed again. */
export class KeptRow {
  readonly text: string
  readonly expiresAt: number | undefined

  constructor(text: string, expiresAt: number | undefined) {
    this.text = text
    this.expiresAt = expiresAt
  }
}

/** Facts about a result for the journal. Only the first row of a user has a status, because the statuses are used to count users. */
export function factsOf(
  { content, creates, list: { repeats } }: Pick<ResumableFileOptions, 'content' | 'creates' | 'list'>,
  item: ListItem,
  result: unknown,
): Omit<WrittenRow, 'row' | 'bytes'> {
  const isRepeat = repeats.isRepeat(item)
  if (result instanceof KeptRow) return { status: isRepeat ? undefined : 'kept', expiresAt: result.expiresAt }
  const { expires_at, user_id, ...others } = (result ?? {}) as Readonly<Record<string, string | undefined>>
  if (content === 'data') return {}
  const status = isRepeat ? undefined : (others['status'] ?? others['scan_status'])
  if (content === 'secrets') {
    const expiresAt = Date.parse(expires_at ?? '')
    return { status, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt }
  }
  const first = creates ? undefined : repeats.firstOf(item)
  const changed = first && user_id !== undefined ? ([first.line, user_id] as const) : undefined
  return { status, changed }
}

/** Reads the results of a finished list in the order of the list. An interrupted run has already processed the rows before row `from`. */
export function* readEarlier(
  path: string,
  journalPath: string,
  { start, separator }: RowFormat,
  from: number,
): Generator<KeptRow | FailedRow> {
  const fd = openSync(path, 'r')
  try {
    let at = Buffer.byteLength(start)
    let between = 0
    for (const record of readRows(journalPath)) {
      if ('code' in record) {
        if (record.row >= from) yield record
        continue
      }
      const text = Buffer.alloc(record.bytes)
      at += between
      if (record.row >= from) {
        readSync(fd, text, 0, text.length, at)
        yield new KeptRow(text.toString(), record.expiresAt)
      }
      at += text.length
      between = Buffer.byteLength(separator)
    }
  } finally {
    closeSync(fd)
  }
}
