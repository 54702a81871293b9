import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../base/files.ts'
import { parseCheckedText, toCheckedText, writeOrExplain } from '../write-or-explain.ts'
import { damagedState } from './appended-file.ts'

/** The part of a list that is in its output. */
export interface ListCounts {
  /** Rows of the list, of all shards, before the first one that is not in the output. */
  rows: number
  done: number
  failed: number
  /** Users by the status in their row, such as `created`. */
  statuses?: Record<string, number>
}

/** The state of a list. Each change of the state is a new object. */
export interface Checkpoint extends ListCounts {
  /** Identifies the list, the service, and the settings: only the same command resumes a file. */
  readonly key: string
  /** Length of the data and of the records in bytes. */
  readonly bytes: number
  readonly failureBytes: number
  /** Checksums of these bytes. */
  readonly dataCrc?: number | undefined
  readonly failureCrc?: number | undefined
  /** Whether the list began with a version that records each user. Version 0.1 recorded only failed users. */
  readonly isRecorded?: boolean
  /** Rows that are not in the file and may have been sent, with a note about each. */
  readonly announced?: readonly (readonly [row: number, note: string])[]
  /** Earliest expiry of the tokens and links in the file, in ms. */
  readonly expiresAt?: number | undefined
  /** Set before the complete file gets its name: its modification time in ms. */
  readonly completedMs?: number
  /** Whether the result of a complete file was printed, and the same command may run again. */
  readonly isReported?: boolean
  /** The complete file whose failed users and expired links are processed again. */
  readonly replaces?: Checkpoint | undefined
  /** Modification time of the file with the failed users in ms. */
  readonly errorsMs?: number | undefined
}

/** Within this time, a repeated command is treated as a retry by a scheduler. Later, the command runs again. */
const recognizedMs = 12 * 3_600_000

function pathIn(folder: string): string {
  return join(folder, 'checkpoint.json')
}

/** The data of `path` until it is complete. */
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
 * State of an earlier run. Only a run of the same command is resumed or repeated. A complete file is `recent` if a scheduler may
 * not have seen its end.
 */
export type Earlier =
  | { state: 'complete' | 'recent' | 'resumable'; checkpoint: Checkpoint }
  | { state: 'other' | 'none' }

/** Looks for an earlier run. Gives a complete file its name if the run was killed before it could. */
export function findEarlier(path: string, folder: string, key: string, now: number): Earlier {
  const checkpoint = readCheckpoint(pathIn(folder))
  const partial = statSync(partialPath(path), { throwIfNoEntry: false })
  if (checkpoint === undefined) return { state: 'none' }
  const { bytes, completedMs, replaces, expiresAt = Number.POSITIVE_INFINITY } = checkpoint
  if (checkpoint.key !== key) return { state: partial ? 'other' : 'none' }
  const isReplaceable = replaces === undefined ? !existsSync(path) : isWritten(path, replaces)
  if (completedMs === undefined) {
    // A token or link is not written again after it expires.
    const isUsable = partial && partial.size >= bytes && expiresAt > now
    if (isUsable) return { state: 'resumable', checkpoint }
    return replaces && isReplaceable ? { state: 'complete', checkpoint: replaces } : { state: 'none' }
  }
  if (isReplaceable && isWritten(partialPath(path), checkpoint)) publish(path)
  if (!isWritten(path, checkpoint)) return { state: 'none' }
  const isRecent = now - completedMs <= recognizedMs && !checkpoint.isReported
  return { state: isRecent ? 'recent' : 'complete', checkpoint }
}

/** Whether a file is the complete file of a run. */
export function isWritten(path: string, { completedMs, bytes }: Checkpoint): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.mtimeMs === completedMs && stat?.size === bytes
}

/** Whether the last run of these files wrote the file with the failed users, or the path is a device. */
export function isReplaceable(folder: string, errorsPath: string): boolean {
  const stat = statSync(errorsPath, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile()) return stat !== undefined
  return stat.mtimeMs === readCheckpoint(pathIn(folder))?.errorsMs
}

/** Gives the complete file its name. */
export function publish(path: string): void {
  writeOrExplain(path, () => renameSync(partialPath(path), path))
}
