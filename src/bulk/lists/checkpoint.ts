import { existsSync, readFileSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
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

export interface Checkpoint extends ListCounts {
  /** Identifies the list, the service, and the settings: only the same command resumes a file. */
  key: string
  /** Length of the data and of the failures in bytes. */
  bytes: number
  failureBytes: number
  /** Checksums of these bytes. */
  dataCrc?: number
  failureCrc?: number
  /** Rows that are not in the file and may have been sent, with a note about each. */
  announced?: readonly (readonly [row: number, note: string])[]
  /** Earliest expiry of the tokens and links in the file, in ms. */
  expiresAt?: number
  /** Set before the complete file gets its name: its modification time in ms. */
  completedMs?: number
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

export function removeCheckpoint(folder: string): void {
  rmSync(pathIn(folder), { force: true })
}

function readCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined
  try {
    const checkpoint = parseCheckedText(readFileSync(path, 'utf8')) as Checkpoint
    if (typeof checkpoint.key === 'string') return checkpoint
  } catch {}
  throw damagedState(path)
}

/** State of an earlier run. Only a run of the same command is resumed or repeated. */
type Earlier = { state: 'complete' | 'resumable'; checkpoint: Checkpoint } | { state: 'other' | 'none' }

/** Looks for an earlier run. Gives a complete file its name if the run was killed before it could. */
export function findEarlier(path: string, folder: string, key: string, now: number): Earlier {
  const checkpoint = readCheckpoint(pathIn(folder))
  const partial = statSync(partialPath(path), { throwIfNoEntry: false })
  if (checkpoint === undefined) return { state: 'none' }
  const { bytes, completedMs, expiresAt = Number.POSITIVE_INFINITY } = checkpoint
  if (checkpoint.key !== key) return { state: partial ? 'other' : 'none' }
  // A token or link is never used again after it expires.
  if (expiresAt <= now) return { state: 'none' }
  if (completedMs === undefined) {
    return partial && partial.size >= bytes ? { state: 'resumable', checkpoint } : { state: 'none' }
  }
  const isSame = (stat: Stats | undefined) => stat?.mtimeMs === completedMs && stat.size === bytes
  const isRecent = now - completedMs <= recognizedMs
  if (isRecent && isSame(partial) && !existsSync(path)) publish(path)
  const isComplete = isRecent && isSame(statSync(path, { throwIfNoEntry: false }))
  return isComplete ? { state: 'complete', checkpoint } : { state: 'none' }
}

/** Gives the complete file its name. */
export function publish(path: string): void {
  writeOrExplain(path, () => renameSync(partialPath(path), path))
}
