import { existsSync, readFileSync } from 'node:fs'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ConfigurationError, FacescanError, systemCode, systemReason, UsageError } from '../base/errors.ts'
import { replaceFile } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { limitHeapGrowth } from '../base/process.ts'
import { journalPath, openJournalFile, recordedLength, refuseOlder, removeLength } from './journal/file.ts'
import { Journal } from './journal/journal.ts'
import { decodeRecord, type HeaderRecord, type Work } from './journal/record.ts'
import type { RecoveredJournal } from './journal/recovery.ts'
import type { RejectedRows, Totals } from './journal/state.ts'
import { acquireLock } from './lock.ts'
import { type LockOptions, readHolder } from './lock-holder.ts'
import type { MeasuredClock } from './service-clock.ts'
import type { ResultPaths } from './summary.ts'
import { parseCheckedText, toCheckedText, writeOrExplain } from './write-or-explain.ts'

interface FinishedRecord {
  header: HeaderRecord
  totals: Totals
  at: number
  files?: ResultPaths
  /** Number of requests and duration. Undefined for an import that version 0.1 finished. */
  work?: Work | undefined
  clock?: MeasuredClock | undefined
  rejected?: RejectedRows | undefined
  /** Whether the process may have ended before it printed the result of the import. */
  isUnreported?: boolean | undefined
}

export interface StoredImport extends Partial<Omit<FinishedRecord, 'at'>> {
  id: string
  folder: string
  status: 'running' | 'stopped' | 'finished' | 'damaged'
  /** Time of the last record in ms, by the clock of the service. */
  lastAt?: number | undefined
  problem?: string | undefined
}

export type KnownImport = StoredImport & { header: HeaderRecord }

const maxLineBytes = 1024 * 1024
const finishedName = 'finished.json'

/** All stored imports, oldest first. If `onlyHeaders` is true, an unfinished import has no totals. */
export async function listImports(stateDirectory: string, onlyHeaders = false): Promise<StoredImport[]> {
  const found: StoredImport[] = []
  // The imports are read one at a time, because a process can open only a limited number of files.
  for (const folder of await findFolders(stateDirectory)) {
    const stored = await readImport(folder, onlyHeaders)
    if (stored) found.push(stored)
  }
  const startedAt = ({ header }: StoredImport) => header?.at ?? 0
  return found.sort((a, b) => startedAt(a) - startedAt(b))
}

async function findFolders(stateDirectory: string, start = ''): Promise<string[]> {
  const root = join(stateDirectory, 'imports')
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return []
    // An unreadable directory must not look like a directory without imports.
    throw new ConfigurationError(`cannot read ${root} (${systemReason(cause)})`, {
      hint: 'Check the permissions of the directory.',
      cause,
    })
  })
  // Other programs may have created files here, such as .DS_Store, so only directories count as imports.
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  return folders.flatMap(({ name }) => (name.startsWith(start) ? join(root, name) : []))
}

export async function findImport(
  stateDirectory: string,
  text: string,
  onlyHeader = false,
): Promise<StoredImport> {
  const [only, ...others] = text === '' ? [] : await findFolders(stateDirectory, text)
  const stored = only && others.length === 0 ? await readImport(only, onlyHeader) : undefined
  if (stored) return stored
  const problem =
    others.length > 0 ? `more than one import ID starts with "${text}"` : `import "${text}" not found`
  throw new UsageError(problem, { hint: 'List the imports: facescan imports list' })
}

export async function readImport(folder: string, onlyHeader = false): Promise<StoredImport | undefined> {
  if (!existsSync(folder)) return undefined
  const id = basename(folder)
  try {
    const finished = await readFinished(folder)
    if (finished) return { id, folder, status: 'finished', ...finished, lastAt: finished.at }
    if (onlyHeader) {
      const header = await readHeader(folder)
      return header
        ? { id, folder, status: 'stopped', header }
        : damaged(folder, 'the first line of its journal is missing or damaged')
    }
    const { state, header } = await recover(folder)
    const { totals, work, lastAt, rejected } = state
    const clock = state.checkpoint?.clock
    const status = (await readHolder(folder)) ? 'running' : 'stopped'
    return { id, folder, status, header, totals, work, lastAt, clock, rejected }
  } catch (error) {
    const stored = damaged(folder, problemOf(error))
    // Another process may have removed the import in the meantime.
    return existsSync(folder) ? stored : undefined
  }
}

async function readHeader(folder: string): Promise<HeaderRecord | undefined> {
  const file = await open(journalPath(folder))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxLineBytes))
    const line = buffer.subarray(0, buffer.subarray(0, bytesRead).indexOf(10))
    const record = decodeRecord(line, 0)?.record
    return record?.type === 'HEADER' ? record : undefined
  } finally {
    await file.close()
  }
}

function problemOf(error: unknown): string {
  if (error instanceof FacescanError) return error.message
  const code = systemCode(error)
  if (code === undefined) throw error
  return code === 'ENOENT' ? 'its journal is missing' : `its journal cannot be read (${systemReason(error)})`
}

export function damaged(folder: string, problem: string): StoredImport {
  return { id: basename(folder), folder, status: 'damaged', problem }
}

export function refuseDamaged({ id, folder, problem }: StoredImport): FacescanError {
  return new FacescanError('configuration', `import ${id} cannot be resumed: ${problem} (${folder})`, {
    hint: [
      'Nothing was sent. Restore the directory from a backup.',
      `If that is not possible, check which answers were saved (facescan answers list), then run: facescan imports remove ${id}`,
    ].join('\n'),
  })
}

export function hasFinished(folder: string): boolean {
  return existsSync(join(folder, finishedName))
}

/** Throws if the record is damaged, because the import would otherwise look unfinished and the file would be imported again. */
async function readFinished(folder: string) {
  const path = join(folder, finishedName)
  if (!hasFinished(folder)) return undefined
  const text = await readFile(path, 'utf8')
  try {
    const record = parseCheckedText(text) as FinishedRecord
    if (record.header.identity && record.totals) return record
  } catch {}
  throw new FacescanError('configuration', `${path} is damaged`, {
    hint: `The import is already finished. To import the file again, first remove the import: facescan imports remove ${basename(folder)}`,
  })
}

async function recover(folder: string) {
  const { recoverJournal } = await import('./journal/recovery.ts')
  limitHeapGrowth()
  const recorded = recordedLength(folder)
  const recovered = await recoverJournal(journalPath(folder))
  const { goodBytes, isUnterminated, state } = recovered
  const { header } = state
  if (header === undefined) throw new FacescanError('configuration', 'its journal is empty')
  refuseOlder(folder, goodBytes + (isUnterminated ? 1 : 0), recorded)
  return { ...recovered, header }
}

/** Reads the journal of an import that is resumed. The caller must hold the lock. */
export async function recoverImport(folder: string): Promise<RecoveredJournal> {
  try {
    return await recover(folder)
  } catch (error) {
    throw refuseDamaged(damaged(folder, problemOf(error)))
  }
}

/** Opens the journal of an import after its last complete record. The caller must hold the lock. */
export function openJournal(folder: string, recovered: RecoveredJournal): Promise<Journal> {
  return writeOrExplain(folder, async () => {
    const file = await openJournalFile(folder, recovered.goodBytes)
    return new Journal(file, recovered)
  })
}

/** Replaces the journal with a record of the finished import. */
export async function finishImport(folder: string, finished: FinishedRecord): Promise<void> {
  await writeOrExplain(folder, async () => {
    replaceFile(join(folder, finishedName), toCheckedText({ ...finished, isUnreported: true }))
    await rm(journalPath(folder), { force: true })
  })
}

/** Marks the result as printed. If the write fails, the next run prints the result again. */
export function markReported(folder: string): void {
  const path = join(folder, finishedName)
  orUndefined(() => {
    const record = parseCheckedText(readFileSync(path, 'utf8')) as FinishedRecord
    replaceFile(path, toCheckedText({ ...record, isUnreported: undefined }))
  })
}

/** Removes an import. Takes the lock first, because another process may have resumed the import. */
export async function removeImport(folder: string, options: LockOptions): Promise<void> {
  const lock = await acquireLock(folder, options)
  await writeOrExplain(folder, () => rm(folder, { recursive: true, force: true }))
  removeLength(folder)
  await lock.release()
}
