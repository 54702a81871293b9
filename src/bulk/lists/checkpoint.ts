import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orUndefined } from '../../base/or-undefined.ts'
import { writeOrExplain } from '../write-or-explain.ts'

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

export function readCheckpoint(folder: string): Checkpoint | undefined {
  return orUndefined((): Checkpoint => JSON.parse(readFileSync(pathIn(folder), 'utf8')))
}

export function writeCheckpoint(folder: string, checkpoint: Checkpoint): void {
  const path = pathIn(folder)
  writeOrExplain(path, () => {
    writeFileSync(`${path}.new`, JSON.stringify(checkpoint), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  })
}

export function removeCheckpoint(folder: string): void {
  rmSync(pathIn(folder), { force: true })
}

/** Whether the file is the complete output of the command with this key. Renames it if the run was killed before it could. */
export function isCompleted(
  path: string,
  checkpoint: Checkpoint | undefined,
  key: string,
  now: number,
): boolean {
  const completedMs = checkpoint?.completedMs
  if (!isOwn(checkpoint, key, now) || completedMs === undefined || now - completedMs > recognizedMs)
    return false
  const isSame = (file: string) => {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat?.mtimeMs === completedMs && stat.size === checkpoint.bytes
  }
  if (!existsSync(path) && isSame(partialPath(path))) publish(path)
  return isSame(path)
}

/** Gives the complete file its name. */
export function publish(path: string): void {
  writeOrExplain(path, () => renameSync(partialPath(path), path))
}

export function isResumable(
  path: string,
  checkpoint: Checkpoint | undefined,
  key: string,
  now: number,
): boolean {
  if (!isOwn(checkpoint, key, now) || checkpoint.completedMs !== undefined) return false
  return (statSync(partialPath(path), { throwIfNoEntry: false })?.size ?? -1) >= checkpoint.bytes
}

/** A token or link is never used again after it expires. */
function isOwn(checkpoint: Checkpoint | undefined, key: string, now: number): checkpoint is Checkpoint {
  const { expiresAt = Number.POSITIVE_INFINITY } = checkpoint ?? {}
  return checkpoint?.key === key && expiresAt > now
}
