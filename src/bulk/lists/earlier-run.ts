import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { recordedLength, removeLength } from '../journal/file.ts'
import { writeOrExplain } from '../write-or-explain.ts'
import { type CompleteFile, type ListState, readState } from './list-journal.ts'

/** A repeated command within this time in ms counts as a retry by a scheduler. */
const recognizedMs = 12 * 3_600_000

/** Path of the output until the output is complete. */
export function partialPath(path: string): string {
  return `${path}.partial`
}

/** Path of the journal after the output of its run is complete. */
export function completePath(folder: string): string {
  return join(folder, 'journal.ndjson')
}

/** Path of the journal until the output of its run is complete. */
export function openPath(folder: string): string {
  return partialPath(completePath(folder))
}

/** Removes the state of an incomplete run, because its journal must not describe the data of a new run. */
export function removeIncomplete(folder: string): void {
  removeLength(folder)
  for (const old of [openPath(folder), ...oldFiles(folder)]) rmSync(old, { force: true })
}

export type CompleteList = ListState & { complete: CompleteFile }

/** The files in which version 0.1 recorded the state of a list. */
function oldFiles(folder: string): string[] {
  return ['checkpoint.json', 'failures.ndjson'].map((name) => join(folder, name))
}

/** State of an earlier run of the same command. `recent`: complete, but a scheduler may not have received the exit code. */
export type Earlier =
  | { state: 'complete' | 'recent'; list: CompleteList }
  | { state: 'resumable'; list: ListState }
  | { state: 'other'; key: string }
  | { state: 'none' }

/** Looks for an earlier run. If a run was killed before it renamed its complete file, the file is renamed now. */
export function findEarlier(path: string, folder: string, key: string, now: number): Earlier {
  renameComplete(path, folder)
  const partial = statSync(partialPath(path), { throwIfNoEntry: false })
  if (partial) refuseOlder(path, folder)
  const open = partial && readState(openPath(folder))
  const latest = open ?? readState(completePath(folder))
  const isOld = latest === undefined && oldFiles(folder).some((old) => existsSync(old))
  if (partial && (isOld || (latest && latest.key !== key))) return { state: 'other', key: latest?.key ?? '' }
  if (open) {
    const { data, replaces, expiresAt = Number.POSITIVE_INFINITY } = open
    // The run starts over if its output contains an expired token or link, or if the file that it replaces was changed.
    const isUsable = partial.size >= data.bytes && expiresAt > now && (!replaces || isWritten(path, replaces))
    // If `open.complete` is set, another program has changed the modification time of the complete output, so the run is completed again.
    if (isUsable) return { state: 'resumable', list: Object.assign(open, { complete: undefined }) }
  }
  const list = findComplete(path, folder, key)
  if (!list) return { state: 'none' }
  const isRecent = now - list.complete.completedMs <= recognizedMs && !list.isReported
  return { state: isRecent ? 'recent' : 'complete', list }
}

/** Refuses a journal that was removed or restored from an older copy, because users that it does not contain would be changed again. */
function refuseOlder(path: string, folder: string): void {
  const journal = openPath(folder)
  const bytes = statSync(journal, { throwIfNoEntry: false })?.size ?? 0
  const recorded = recordedLength(folder)
  if (bytes >= recorded) return
  const problem =
    bytes === 0
      ? 'is missing'
      : `is shorter than after its last run (${bytes} of ${recorded} bytes), so it may be an older copy`
  throw new ConfigurationError(`the journal of ${path} ${problem}; the list cannot be resumed`, {
    hint: [
      `Nothing was sent, because users could be processed twice. Restore the latest ${journal}`,
      'If that is not possible, process all users again: run the command with another --out file.',
    ],
  })
}

/** The state of the complete file at a path. Undefined if it was changed, or if the key of its run does not start with `key`. */
export function findComplete(path: string, folder: string, key: string): CompleteList | undefined {
  const list = readState(completePath(folder))
  return isComplete(list) && list.key.startsWith(key) && isWritten(path, list.complete) ? list : undefined
}

function isComplete(list: ListState | undefined): list is CompleteList {
  return list?.complete !== undefined
}

/** Renames a complete file if the run that wrote it was killed before it renamed the file. */
function renameComplete(path: string, folder: string): void {
  const open = readState(openPath(folder))
  const list = isComplete(open) ? open : readState(completePath(folder))
  if (!isComplete(list) || !isWritten(partialPath(path), list.complete)) return
  const isReplaceable = list.replaces ? isWritten(path, list.replaces) : !existsSync(path)
  if (isReplaceable) publish(path, folder)
}

/** Whether the file has the size and the modification time that its run recorded. */
export function isWritten(path: string, { completedMs, bytes }: CompleteFile): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.mtimeMs === completedMs && stat.size === bytes
}

/** Whether the file with the failed users may be replaced: the last run of this list wrote it, or it is a device. */
export function isReplaceable(folder: string, errorsPath: string): boolean {
  const stat = statSync(errorsPath, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile()) return stat !== undefined
  return stat.mtimeMs === readState(completePath(folder))?.complete?.errorsMs
}

export function publish(path: string, folder: string): void {
  const open = openPath(folder)
  writeOrExplain(folder, () => existsSync(open) && renameSync(open, completePath(folder)))
  writeOrExplain(path, () => renameSync(partialPath(path), path))
  writeOrExplain(folder, () => removeLength(folder))
}
