import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../base/files.ts'
import { parseCheckedText, toCheckedText, writeOrExplain } from '../write-or-explain.ts'
import { damagedState } from './appended-file.ts'

/** How many rows of a list are in its output. */
export interface ListCounts {
  /** Number of rows, in all shards, before the first row that is not in the output. */
  rows: number
  done: number
  failed: number
  /** Number of users by the status in their row, such as `created`. */
  statuses?: Record<string, number>
}

/** The state of a list. */
export interface Checkpoint extends ListCounts {
  /** Hash of list, service, and settings. Only the same command resumes a file. */
  readonly key: string
  /** Length of the data, and of the records, in bytes. */
  readonly bytes: number
  readonly failureBytes: number
  /** Checksums of the data and the records. */
  readonly dataCrc?: number | undefined
  readonly failureCrc?: number | undefined
  /** Whether the list was started by a version that records each user. Version 0.1 recorded only failed users. */
  readonly isRecorded?: boolean
  /** Rows whose request may have been sent, but whose result is not yet in the output file. Each row has a note. */
  readonly announced?: readonly (readonly [row: number, note: string])[]
  /** Earliest expiry of a token or link in the file, in ms. */
  expiresAt?: number | undefined
  /** Modification time of the complete file in ms. Set before the file gets its name. */
  readonly completedMs?: number
  /** Whether the result of the completed file was printed. If it was, the same command processes all users again. */
  readonly isReported?: boolean
  /** The complete file of an earlier run. This run processes its failed users and expired links again. */
  readonly replaces?: Checkpoint | undefined
  /** Modification time of the file with the failed users, in ms. */
  readonly errorsMs?: number | undefined
}

/** Time in which a repeated command counts as a retry by a scheduler. After this time, the command runs again. */
const recognizedMs = 12 * 3_600_000

function pathIn(folder: string): string {
  return join(folder, 'checkpoint.json')
}

/** Path of the data until the file is complete. */
export function partialPath(path: string): string {
  return `${path}.partial`
}

export function writeCheckpoint(folder: string, checkpoint: Checkpoint): void {
  const path = pathIn(folder)
  writeOrExplain(path, () => replaceFile(path, toCheckedText(checkpoint)))
}

function readCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined
  try {
    const checkpoint = parseCheckedText(readFileSync(path, 'utf8')) as Checkpoint
    if (typeof checkpoint.key === 'string') return checkpoint
  } catch {}
  throw damagedState(path)
}

/**
 * The state of an earlier run. Only a run of the same command is resumed or repeated. `recent` means that the file is complete, but a
 * scheduler may not have received its exit code.
 */
export type Earlier =
  | { state: 'complete' | 'recent' | 'resumable'; checkpoint: Checkpoint }
  | { state: 'other' | 'none' }

/** Looks for an earlier run. If a run was killed before it renamed its complete file, the file is renamed now. */
export function findEarlier(path: string, folder: string, key: string, now: number): Earlier {
  const checkpoint = readCheckpoint(pathIn(folder))
  const partial = statSync(partialPath(path), { throwIfNoEntry: false })
  if (checkpoint === undefined) return { state: 'none' }
  const { bytes, completedMs, replaces, expiresAt = Number.POSITIVE_INFINITY } = checkpoint
  if (checkpoint.key !== key) return { state: partial ? 'other' : 'none' }
  const isReplaceable = replaces === undefined ? !existsSync(path) : isWritten(path, replaces)
  if (completedMs === undefined) {
    // A file with an expired token or link is not resumed.
    const isUsable = partial && partial.size >= bytes && expiresAt > now
    if (isUsable) return { state: 'resumable', checkpoint }
    return replaces && isReplaceable ? { state: 'complete', checkpoint: replaces } : { state: 'none' }
  }
  if (isReplaceable && isWritten(partialPath(path), checkpoint)) publish(path)
  if (!isWritten(path, checkpoint)) return { state: 'none' }
  const isRecent = now - completedMs <= recognizedMs && !checkpoint.isReported
  return { state: isRecent ? 'recent' : 'complete', checkpoint }
}

/** Whether a file is the unchanged complete file of a run. */
export function isWritten(path: string, { completedMs, bytes }: Checkpoint): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.mtimeMs === completedMs && stat?.size === bytes
}

/** Whether the file with the failed users may be replaced, because the last run of this list wrote it or because it is a device. */
export function isReplaceable(folder: string, errorsPath: string): boolean {
  const stat = statSync(errorsPath, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile()) return stat !== undefined
  return stat.mtimeMs === readCheckpoint(pathIn(folder))?.errorsMs
}

export function publish(path: string): void {
  writeOrExplain(path, () => renameSync(partialPath(path), path))
}
